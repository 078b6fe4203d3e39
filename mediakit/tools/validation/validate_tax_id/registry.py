"""The kinds of numbers of each country."""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from mediakit.tools.validation.validate_tax_id.options import Holder

_HOLDERS: dict[str, Holder] = {"p": "person", "c": "company", "-": "unknown"}
_COUNTRY_WORDS = {"EL": "GR", "UK": "GB", "XI": "GB"}


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of number of a country."""

    country: str
    name: str
    holder: Holder
    is_only_by_name: bool
    """Whether the kind is checked only if it is requested: numbers of accounts, addresses and registers."""
    is_checked: bool
    """Whether the kind has a check digit that all its numbers follow."""
    has_certain_prefix: bool
    """Whether the VAT number is written with its prefix in other countries: its prefix is not a part of a number."""
    titles: dict[str, str]
    """The name by language."""
    words: tuple[str, ...]
    """Other words for the kind."""

    @property
    def is_vat(self) -> bool:
        """Whether the number is the VAT number of the country."""
        return "vat" in (self.name, *self.words)


@cache
def registry() -> dict[str, tuple[Kind, ...]]:
    """Return the kinds by country, in the order in which they are tried."""
    found: dict[str, list[Kind]] = {}
    text = resources.files(__package__).joinpath("kinds.tsv").read_text("utf-8")
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        country, name, holder, flags, english, spanish, words = line.split("|")
        titles = {"en": english, "es": spanish}
        kind = Kind(
            country, name, _HOLDERS[holder], "o" in flags, "u" not in flags, "e" in flags, titles, tuple(words.split())
        )
        found.setdefault(country, []).append(kind)
    return {country: tuple(sorted(kinds, key=lambda kind: not kind.is_checked)) for country, kinds in found.items()}


def country_of(word: str) -> str:
    """Return the code of a country in the registry: EL is GR, and UK and XI are GB."""
    return _COUNTRY_WORDS.get(word.upper(), word.upper())


def kinds_of(country: str) -> tuple[Kind, ...]:
    """Return the kinds of a country that are tried if no kind is requested; those without check digit come last."""
    return tuple(kind for kind in registry()[country] if not kind.is_only_by_name)


def kind_named(country: str, word: str) -> Kind | None:
    """Return the kind with a name or another word for it."""
    wanted = word.lower().replace("-", "_")
    kinds = registry()[country]
    by_name = (kind for kind in kinds if kind.name == wanted)
    return next(by_name, None) or next((kind for kind in kinds if wanted in kind.words), None)


def names_of(country: str) -> list[str]:
    """Return the names of all kinds of a country; `vat` stands before those that must be requested."""
    kinds = registry()[country]
    names = [kind.name.rstrip("_") for kind in kinds if not kind.is_only_by_name]
    if "vat" not in names and any(kind.is_vat for kind in kinds):
        names.append("vat")
    return names + [kind.name for kind in kinds if kind.is_only_by_name]
