"""People and companies: names that fit the e-mail address, phone numbers in ranges for fiction."""

import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from mediakit.tools.data.data_sample.plan import Chance, Weighted, language_of, weighted

FALLBACK = "en_US"
"""The locale of lists that Faker lacks for another one."""


@cache
def provider(name: str, locale: str) -> Any:
    """Return a provider of Faker, such as `person`, with `__lang__`: the locale of its lists."""
    from faker.factory import Factory

    return Factory.create(locale, [f"faker.providers.{name}"]).get_providers()[0]


def lacks(name: str, locale: str) -> bool:
    """Return whether a provider has no lists for a locale, so that English ones stand in."""
    found = provider(name, locale).__lang__ or FALLBACK
    return bool(found.partition("_")[0] != locale.partition("_")[0])


def names(locale: str, *attributes: str) -> Weighted[str]:
    """Return the first list of a person provider that exists."""
    person = provider("person", locale)
    return weighted(next(found for name in attributes if (found := getattr(person, name, None))))


def jobs(locale: str) -> list[str]:
    """Return the names of jobs."""
    found = provider("job", locale)
    items = sorted({" ".join(job.split()) for job in getattr(found, "jobs", ()) or provider("job", FALLBACK).jobs})
    return [job for job in items if not job.lower().startswith("armed forces")]


def maker(name: str, locale: str, seed: str) -> Any:
    """Return a generator of its own for a provider, so that seeding it changes nothing else.

    Where the locale has no list, it makes English values: a mixture of two languages is neither.
    """
    from faker.factory import Factory

    providers = [f"faker.providers.{each}" for each in ("person", "misc", name)]
    made = Factory.create(FALLBACK if lacks(name, locale) else locale, providers, use_weighting=False)
    made.seed_instance(seed)
    return made


_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def latin(name: str, language: str = "") -> str:
    """Return a name in lower case ASCII letters, as in e-mail addresses."""
    from faker.decode import unidecode

    plain = unicodedata.normalize("NFC", name).lower()
    letters = unidecode(plain.translate(_GERMAN) if language == "de" else plain).lower()
    return "".join(filter(str.isalnum, letters))


_FILE = Path(__file__).parent / "phones.tsv"
_LOCAL_MASKS = {
    "US": "{}-555-01##",
    "CA": "{}-555-01##",
    "GB": "{}###",
    "AU": "{} 5550 ####",
    "DE": "{}###",
    "FR": "{} ## ##",
    "SE": "{} ##",
}
"""Numbers after the area code of a city, by country."""

_AREA_CODES = ("212", "213", "312", "415", "512", "617")
_UNASSIGNED = ("999", "9990 0### ####")
"""A calling code that no country has (ITU-T E.164), for countries that are not in the table."""


@cache
def _masks() -> dict[str, tuple[str, str]]:
    rows = (line.split("\t") for line in _FILE.read_text("utf-8").splitlines())
    return {country: (code, mask) for country, code, mask, _ in rows}


def make_phone(chance: Chance, country: str, area: str = "") -> str:
    """Return a phone number in international form, of an area code or the start of a city's numbers if there is one."""
    code, mask = _masks().get(country, _UNASSIGNED)
    if mask.startswith("###"):
        area = area or chance.pick(_AREA_CODES)
    return f"+{code} {chance.fill(_LOCAL_MASKS[country].format(area) if area else mask)}"


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


class People:
    """Draws people of a locale."""

    def __init__(self, locale: str) -> None:
        self._language = language_of(locale)
        self._first = [names(locale, f"first_names_{gender}", "first_names") for gender in ("female", "male")]
        self._last = [names(locale, f"last_names_{gender}", "last_names") for gender in ("female", "male")]
        self._genders = _GENDERS.get(self._language, _GENDERS["en"])
        self._has_two_last_names = self._language == "es" and locale not in _ONE_LAST_NAME
        pairs = ("first_name_female_pairs", "first_name_male_pairs", "last_name_pairs")
        found = (pair for name in pairs for pair in getattr(provider("person", locale), name, ()))
        self._romanized: dict[str, str] = {pair[0]: pair[-1] for pair in found}
        """The spelling of names in Latin letters, where Faker has one."""
        self._spellings: dict[str, str] = {}

    def draw(self, chance: Chance, attempt: int) -> dict[str, str]:
        """Return a person; e-mail addresses get longer with each attempt to find a value that must be new."""
        sex = chance.below(2)
        first, last = self._first[sex].draw(chance), self._last[sex].draw(chance)
        email = self._email(chance, first, last, attempt)
        if self._has_two_last_names:
            last = f"{last} {self._last[sex].draw(chance)}"
        separator = _LAST_NAME_FIRST.get(self._language)
        full = f"{first} {last}" if separator is None else f"{last}{separator}{first}"
        gender = self._genders[sex]
        return {"first_name": first, "last_name": last, "name": full, "gender": gender, "email": email}

    def _email(self, chance: Chance, first: str, last: str, attempt: int) -> str:
        local = chance.pick(_LOCAL_PARTS)(self._spell(first), self._spell(last))
        if not local:
            local, attempt = "user", attempt + 2
        count = min(attempt + (chance.random() < 0.25) * 2, _MAX_SUFFIX_DIGITS)
        return f"{local}{chance.digits(count)}@{chance.pick(MAIL_DOMAINS)}"

    def _spell(self, name: str) -> str:
        if name not in self._spellings:
            self._spellings[name] = latin(self._romanized.get(name, name), self._language)
        return self._spellings[name]


def _dotted(first: str, last: str) -> str:
    return f"{first}.{last}".strip(".")


_LOCAL_PARTS: tuple[Callable[[str, str], str], ...] = (
    _dotted,
    _dotted,
    lambda first, last: f"{first}{last}",
    lambda first, last: f"{first}_{last}".strip("_"),
    lambda first, last: f"{first[:1]}{last}",
)
