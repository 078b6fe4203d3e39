"""Addresses and countries."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mediakit.tools.data.data_sample.plan import Chance, country_of, language_of
from mediakit.tools.data.data_sample.values import people

_NOT_LISTED = ("AC", "EH", "TA", "XK")
_LANGUAGES = {"no": "nb", "fil": "en", "tl": "en"}


@dataclass(frozen=True)
class Country:
    """A country."""

    code: str
    name: str


@cache
def countries(language: str) -> tuple[Country, ...]:
    """Return the countries, named in a language, or in English where they have no name in it."""
    from phonenumbers.geodata.locale import LOCALE_DATA

    found = []
    for code, names in sorted(LOCALE_DATA.items()):
        name = names.get(_LANGUAGES.get(language, language)) or names.get("en", "")
        name = names.get(name[1:], "") if name.startswith("*") else name
        if code not in _NOT_LISTED and name:
            found.append(Country(code, name))
    return tuple(found)


class Countries:
    """Draws countries; that of the language only where the rows have addresses or phone numbers."""

    def __init__(self, language: str, own: str) -> None:
        every = countries(language)
        self._countries = [country for country in every if country.code == own] or every if own else every

    def draw(self, chance: Chance, _attempt: int) -> Country:
        """Return a country."""
        return chance.pick(self._countries)


_FILE = Path(__file__).parent / "places.tsv"
_SPREAD_DEGREES = 0.06
_MAX_STREETS = 1000
"""Names of streets that are made; the rows after that many choose among them."""

_NUMBER_FIRST = ("AU", "CA", "GB", "IE", "NZ", "US", "IN", "PH", "NG", "KE", "PK")
_AREA_BEHIND_CITY = ("AU", "BR", "CA", "IT", "US")
_POSTCODE_AT_END = ("AU", "CA", "CO", "GB", "IE", "IN", "NZ", "US")


_OMITTED = ("Favela", "Aeroporto", "Lagoa", "Praia", "Fazenda", "Sítio", "Morro", "Feira", "Estação", "Parque")
"""Starts of names of Faker that are not streets."""


@dataclass(frozen=True)
class City:
    """A city of the table."""

    name: str
    area: str
    """State, province or prefecture; empty where an address has none."""
    postcode: str
    """Postcode with `#` for any digit and `?` for any letter."""
    latitude: float
    longitude: float
    phone: str
    """Area code, or the start of its fictional numbers; empty for none."""


@dataclass(frozen=True)
class Place:
    """An address."""

    city: str
    postcode: str
    street: str
    """Name of the street and number."""
    address: str
    latitude: float
    longitude: float
    phone: str


@cache
def cities(country: str) -> tuple[City, ...]:
    """Return the cities of a country; none for a country that is not in the table."""
    rows = (line.split("\t") for line in _FILE.read_text("utf-8").splitlines())
    return tuple(
        City(name, area, postcode, float(latitude), float(longitude), phone[0] if phone else "")
        for code, name, area, postcode, latitude, longitude, *phone in rows
        if code == country
    )


class Places:
    """Draws places of a locale."""

    def __init__(self, locale: str, seed: str, *, needs_street: bool = True) -> None:
        self._locale, self._seed = locale, seed
        self.country = country_of(locale)
        self._cities = cities(self.country)
        self._needs_street = needs_street
        self._streets: list[str] = []
        self._make_street: Callable[[], str] | None = None
        self._make_city: tuple[Callable[[], str], Callable[[], str]] | None = None

    def draw(self, chance: Chance, _attempt: int) -> Place:
        """Return a place."""
        city = chance.pick(self._cities) if self._cities else self._invented(chance)
        postcode, street = chance.fill(city.postcode), self._street(chance) if self._needs_street else ""
        return Place(
            city=city.name,
            postcode=postcode,
            street=street,
            address=self._address(city, postcode, street),
            latitude=round(city.latitude + (chance.random() - 0.5) * 2 * _SPREAD_DEGREES, 5),
            longitude=round(city.longitude + (chance.random() - 0.5) * 2 * _SPREAD_DEGREES, 5),
            phone=city.phone,
        )

    def _invented(self, chance: Chance) -> City:
        if self._make_city is None:
            self._make_city = people.city_makers(self._locale, f"{self._seed}/city")
        name, postcode = (make() for make in self._make_city)
        return City(name, "", postcode, chance.random() * 110 - 50, chance.random() * 340 - 170, "")

    def _street(self, chance: Chance) -> str:
        if self.country == "JP":
            town = chance.pick(people.provider("address", self._locale).towns)
            return f"{town}{chance.between(1, 6)}丁目{chance.between(1, 30)}番{chance.between(1, 20)}号"
        name, number = self._street_name(chance), chance.between(1, 199)
        if self.country in _NUMBER_FIRST:
            return f"{number * 10 + chance.below(10) if self.country == 'US' else number} {name}"
        separator = ", " if self.country in ("ES", "FR", "IT", "PT", "BR") else " "
        return f"{number}{separator}{name}" if self.country == "FR" else f"{name}{separator}{number}"

    def _street_name(self, chance: Chance) -> str:
        if self._make_street is None:
            self._make_street = people.street_maker(self._locale, f"{self._seed}/street")
        if len(self._streets) == _MAX_STREETS:
            return chance.pick(self._streets)
        name = " ".join(self._make_street().split())
        while name.startswith(_OMITTED):
            name = " ".join(self._make_street().split())
        self._streets.append(name)
        return name

    def _address(self, city: City, postcode: str, street: str) -> str:
        if language_of(self._locale) == "ja":
            return f"〒{postcode} {city.area}{city.name}{street}"
        if self.country in _POSTCODE_AT_END:
            area = f" {city.area}" if city.area and self.country in _AREA_BEHIND_CITY else ""
            comma = "," if area and self.country == "US" else ""
            return f"{street}, {city.name}{comma}{area} {postcode}"
        area = f" {city.area}" if city.area and self.country in _AREA_BEHIND_CITY else ""
        return f"{street}, {postcode} {city.name}{area}"
