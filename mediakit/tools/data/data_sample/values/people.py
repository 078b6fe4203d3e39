"""People whose first name, last name, gender and e-mail address agree."""

from collections.abc import Callable
from dataclasses import dataclass

from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.locales import language_of
from mediakit.tools.data.data_sample.values import faker_data
from mediakit.tools.data.data_sample.values.latin import latin

MAIL_DOMAINS = ("example.com", "example.org", "example.net")
"""Domains that RFC 2606 reserves; no mail arrives there."""

_GENDERS = {
    "en": ("female", "male"), "es": ("mujer", "hombre"), "de": ("weiblich", "männlich"), "fr": ("femme", "homme"),
    "it": ("femmina", "maschio"), "pt": ("feminino", "masculino"), "ja": ("女性", "男性"), "nl": ("vrouw", "man"),
}  # fmt: skip
_LAST_NAME_FIRST = {"ja": " ", "zh": "", "ko": "", "hu": " ", "vi": " "}
"""Languages that write the last name first, and what stands between the names."""

_ONE_LAST_NAME = ("es_AR",)
_MAX_SUFFIX_DIGITS = 6


@dataclass(frozen=True)
class Person:
    """A person."""

    first: str
    last: str
    name: str
    gender: str
    email: str


class People:
    """Draws people of a locale."""

    def __init__(self, locale: str) -> None:
        self._language = language_of(locale)
        self._first = [
            faker_data.names(locale, f"first_names_{gender}", "first_names") for gender in ("female", "male")
        ]
        self._last = [faker_data.names(locale, f"last_names_{gender}", "last_names") for gender in ("female", "male")]
        self._genders = _GENDERS.get(self._language, _GENDERS["en"])
        self._has_two_last_names = self._language == "es" and locale not in _ONE_LAST_NAME
        self._romanized = _romanized(locale)
        self._spellings: dict[str, str] = {}

    def draw(self, chance: Chance, attempt: int) -> Person:
        """Return a person.

        Args:
            chance: The source of random numbers.
            attempt: How often a person was drawn already and had a value that must be new: addresses get longer.
        """
        sex = chance.below(2)
        first, last = self._first[sex].draw(chance), self._last[sex].draw(chance)
        email = self._email(chance, first, last, attempt)
        if self._has_two_last_names:
            last = f"{last} {self._last[sex].draw(chance)}"
        return Person(first, last, self._full(first, last), self._genders[sex], email)

    def _full(self, first: str, last: str) -> str:
        separator = _LAST_NAME_FIRST.get(self._language)
        return f"{first} {last}" if separator is None else f"{last}{separator}{first}"

    def _email(self, chance: Chance, first: str, last: str, attempt: int) -> str:
        local = chance.pick(_LOCAL_PARTS)(self._spell(first), self._spell(last))
        if not local:
            local, attempt = "user", attempt + 2
        count = min(attempt + (chance.random() < _WITH_NUMBER) * 2, _MAX_SUFFIX_DIGITS)
        return f"{local}{chance.digits(count)}@{chance.pick(MAIL_DOMAINS)}"

    def _spell(self, name: str) -> str:
        if name not in self._spellings:
            self._spellings[name] = latin(self._romanized.get(name, name), self._language)
        return self._spellings[name]


_WITH_NUMBER = 0.25


def _dotted(first: str, last: str) -> str:
    return f"{first}.{last}".strip(".")


_LOCAL_PARTS: tuple[Callable[[str, str], str], ...] = (
    _dotted,
    _dotted,
    lambda first, last: f"{first}{last}",
    lambda first, last: f"{first}_{last}".strip("_"),
    lambda first, last: f"{first[:1]}{last}",
)


def _romanized(locale: str) -> dict[str, str]:
    """Return the spelling of names in Latin letters, where Faker has one."""
    person = faker_data.provider("person", locale)
    lists = ("first_name_female_pairs", "first_name_male_pairs", "last_name_pairs")
    return {pair[0]: pair[-1] for name in lists for pair in getattr(person, name, ())}
