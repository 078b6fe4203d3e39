"""Addresses and countries, words and sentences, and products with their prices."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mediakit.tools.data.data_sample.plan import Chance, Options, Plan, Setting, Weighted, country_of, language_of
from mediakit.tools.data.data_sample.values import people

LANGUAGES = ("en", "es", "de", "fr", "it", "pt", "ja")
"""Languages of the table of products."""

Row = dict[str, Any]
"""What the fields of a row have in common, by kind."""


def _rows_of(file: str) -> list[list[str]]:
    lines = (Path(__file__).parent / file).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines]


class Products:
    """Draws products."""

    def __init__(self, language: str) -> None:
        column = LANGUAGES.index(language) if language in LANGUAGES else 0
        categories = {names[0]: names[column] for names in _rows_of("categories.tsv")}
        self._products = []
        for category, english, price, *others in _rows_of("products.tsv"):
            name = [english, *others][column]
            self._products.append((name, categories[category], float(price), category[:3].upper()))

    def draw(self, chance: Chance, _attempt: int) -> Row:
        """Return a product; all rows with its name have its price."""
        place = chance.below(len(self._products))
        name, category, price, letters = self._products[place]
        sku = f"{letters}-{place + 1:03d}-{chance.digits(4)}"
        return {"product": name, "category": category, "price": price, "sku": sku}


CURRENCIES = (
    "EUR", "USD", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "TRY",
    "BRL", "MXN", "ARS", "CLP", "COP", "INR", "CNY", "KRW", "SGD", "ZAR",
)  # fmt: skip
DEFAULT_WORDS = 8
MAX_SENTENCE_WORDS = 14
MAX_SENTENCES = 5
_MIN_SENTENCE_WORDS = 6
_MIN_SENTENCES = 3
_OMITTED = ("cum",)
_MAX_COMPANIES = 1000
"""Names of companies that are made; the rows after that many choose among them, unless they must be unique."""


def _words() -> list[str]:
    """Return the words of Lorem ipsum: a placeholder that makes no statement, whichever words are together."""
    return [word for word in people.provider("lorem", "la").word_list if word not in _OMITTED]


def plan_text(options: Options, _setting: Setting) -> Plan:
    """Plan a number of words."""
    words, count = _words(), options.get("words", DEFAULT_WORDS)
    return Plan(lambda _entity, chance, _row: " ".join([chance.pick(words) for _ in range(count)]), len(words) ** count)


def plan_sentence(_options: Options, _setting: Setting) -> Plan:
    """Plan one sentence."""
    words = _words()
    return Plan(lambda _entity, chance, _row: _sentence(chance, words))


def plan_paragraph(_options: Options, _setting: Setting) -> Plan:
    """Plan a few sentences."""
    words = _words()

    def value(_entity: object, chance: Chance, _row: int) -> str:
        return " ".join([_sentence(chance, words) for _ in range(chance.between(_MIN_SENTENCES, MAX_SENTENCES))])

    return Plan(value)


def plan_choice(options: Options, _setting: Setting) -> Plan:
    """Plan choices of values, with weights if there are any."""
    values = options["values"]
    items: Weighted[Any] = Weighted(values, options.get("weights"))
    shares = options.get("weights") or [1] * len(values)
    different = list(dict.fromkeys(value for value, share in zip(values, shares, strict=True) if share))
    return Plan(lambda _entity, chance, _row: items.draw(chance), len(different), different.__getitem__)


def plan_currency(_options: Options, _setting: Setting) -> Plan:
    """Plan codes of currencies (ISO 4217)."""
    return Plan.even(len(CURRENCIES), CURRENCIES.__getitem__)


def plan_job(_options: Options, setting: Setting) -> Plan:
    """Plan names of jobs."""
    jobs = people.jobs(setting.locale)
    return Plan.even(len(jobs), jobs.__getitem__)


def plan_company(_options: Options, setting: Setting) -> Plan:
    """Plan names of companies."""
    make = people.maker("company", setting.locale, f"{setting.seed}/company").company
    made: list[str] = []

    def company() -> str:
        while True:
            # es_CL has companies of persons with two given names, which Faker draws only by weight: draw another one.
            with suppress(AssertionError):
                return " ".join(make().split())

    def value(_entity: object, chance: Chance, _row: int) -> str:
        if len(made) == _MAX_COMPANIES and chance.random() < 0.95:
            return chance.pick(made)
        name = company()
        if len(made) < _MAX_COMPANIES:
            made.append(name)
        return name

    return Plan(value)


def check_choice(options: Options) -> None:
    """Check that there are values, and as many weights."""
    if "values" not in options:
        raise ValueError('values is required, such as {"kind": "choice", "values": ["red", "green"]}.')
    if "weights" in options and len(options["weights"]) != len(options["values"]):
        counts = f"{len(options['values'])} and {len(options['weights'])}"
        raise ValueError(f"values and weights must be equally many, got {counts}.")


def _sentence(chance: Chance, words: list[str]) -> str:
    count = chance.between(_MIN_SENTENCE_WORDS, MAX_SENTENCE_WORDS)
    text = " ".join([chance.pick(words) for _ in range(count)])
    return f"{text[0].upper()}{text[1:]}."


_NOT_LISTED = ("AC", "EH", "TA", "XK")
_LANGUAGES = {"no": "nb", "fil": "en", "tl": "en"}


def countries_of(language: str, own: str) -> list[Row]:
    """Return all countries or the own one, named in a language, or in English where they have no name in it."""
    from phonenumbers.geodata.locale import LOCALE_DATA

    found = []
    for code, names in sorted(LOCALE_DATA.items()):
        name = names.get(_LANGUAGES.get(language, language)) or names.get("en", "")
        name = names.get(name[1:], "") if name.startswith("*") else name
        if code not in _NOT_LISTED and name:
            found.append({"country": name, "country_code": code})
    return [each for each in found if each["country_code"] == own] or found


_SPREAD_DEGREES = 0.06
_MAX_STREETS = 1000
"""Names of streets that are made; the rows after that many choose among them."""

_NUMBER_FIRST = ("AU", "CA", "GB", "IE", "NZ", "US", "IN", "PH", "NG", "KE", "PK")
_AREA_BEHIND_CITY = ("AU", "BR", "CA", "IT", "US")
_POSTCODE_AT_END = ("AU", "CA", "CO", "GB", "IE", "IN", "NZ", "US")


_OMITTED_STREETS = (
    "Favela", "Aeroporto", "Lagoa", "Praia", "Fazenda", "Sítio", "Morro", "Feira", "Estação", "Parque",
)  # fmt: skip
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


@cache
def cities(country: str) -> tuple[City, ...]:
    """Return the cities of a country; none for a country that is not in the table."""
    return tuple(
        City(name, area, postcode, float(latitude), float(longitude), phone[0] if phone else "")
        for code, name, area, postcode, latitude, longitude, *phone in _rows_of("places.tsv")
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
        self._made_cities: Any = None

    def draw(self, chance: Chance, _attempt: int) -> Row:
        """Return an address; its street is the name of the street and number."""
        city = chance.pick(self._cities) if self._cities else self._invented(chance)
        postcode, street = chance.fill(city.postcode), self._street(chance) if self._needs_street else ""
        return {
            "city": city.name,
            "postcode": postcode,
            "street": street,
            "address": self._address(city, postcode, street),
            "latitude": round(city.latitude + (chance.random() - 0.5) * 2 * _SPREAD_DEGREES, 5),
            "longitude": round(city.longitude + (chance.random() - 0.5) * 2 * _SPREAD_DEGREES, 5),
            "area_code": city.phone,
        }

    def _invented(self, chance: Chance) -> City:
        if self._made_cities is None:
            self._made_cities = people.maker("address", self._locale, f"{self._seed}/city")
        name, postcode = self._made_cities.city(), self._made_cities.postcode()
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
            self._make_street = people.maker("address", self._locale, f"{self._seed}/street").street_name
        if len(self._streets) == _MAX_STREETS:
            return chance.pick(self._streets)
        while (name := " ".join(self._make_street().split())).startswith(_OMITTED_STREETS):
            continue
        self._streets.append(name)
        return name

    def _address(self, city: City, postcode: str, street: str) -> str:
        if language_of(self._locale) == "ja":
            return f"〒{postcode} {city.area}{city.name}{street}"
        area = f" {city.area}" if city.area and self.country in _AREA_BEHIND_CITY else ""
        if self.country not in _POSTCODE_AT_END:
            return f"{street}, {postcode} {city.name}{area}"
        return f"{street}, {city.name}{',' if area and self.country == 'US' else ''}{area} {postcode}"
