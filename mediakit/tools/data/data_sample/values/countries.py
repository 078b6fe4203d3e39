"""Countries with their codes."""

from dataclasses import dataclass
from functools import cache

from mediakit.tools.data.data_sample.chance import Chance

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
