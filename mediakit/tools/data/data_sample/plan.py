"""What the kinds of fields have in common."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mediakit.engines.tables.model import ColumnType
from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.locales import country_of, language_of
from mediakit.tools.data.data_sample.options import Check

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """A field of the table."""

    name: str
    kind: str
    options: Options = field(default_factory=dict)
    null_pct: float = 0
    unique: bool = False
    avoided: frozenset[str] = frozenset()
    """Texts that are not made: those of the table that `like` is."""


@dataclass(frozen=True)
class Setting:
    """What all fields of a table share."""

    locale: str
    seed: int
    rows: int
    kinds: frozenset[str]
    """The kinds of the table's fields."""

    @cached_property
    def language(self) -> str:
        """The language of the locale."""
        return language_of(self.locale)

    @cached_property
    def country(self) -> str:
        """ISO 3166 code of the locale's country."""
        return country_of(self.locale)


@dataclass(frozen=True)
class Plan:
    """How the values of a field are made."""

    value: Callable[[Any, Chance, int], Any]
    """Returns the value of a row from what the row has (a person, a place...), random numbers, and the row's number."""
    size: int | None = None
    """How many different values there are; None where that is not known."""
    value_at: Callable[[int], Any] | None = None
    """Returns one of the different values by its number, so that they can be drawn without repeating one."""


@dataclass(frozen=True)
class Kind:
    """A kind of field."""

    type: ColumnType | Callable[[Options], ColumnType]
    plan: Callable[[Options, Setting], Plan]
    options: Mapping[str, Check] = field(default_factory=dict)
    entity: str = ""
    """What of the row the value comes from: `person`, `place`, `country` or `product`; empty for nothing."""
    check: Callable[[Options], None] | None = None
    """Checks options that depend on each other; raises a ValueError."""
    longest: Callable[[Options], int] = lambda _options: 20
    """Returns the number of characters of the longest value."""

    def type_of(self, options: Options) -> ColumnType:
        """Return the type of the column."""
        return self.type(options) if callable(self.type) else self.type


def of(attribute: str) -> Callable[[Options, Setting], Plan]:
    """Return a plan for values that are an attribute of what the row has."""
    return lambda _options, _setting: Plan(lambda entity, _chance, _row: getattr(entity, attribute))
