"""A problem of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mediakit.tools.data.data_profile.column_values import Observed, Places

Kind = Literal[
    "mixed_types",
    "numbers_as_text",
    "leading_zeros_lost",
    "dates_ambiguous",
    "dates_in_two_orders",
    "impossible_dates",
    "future_birth_dates",
    "spaces_around",
    "case_variants",
    "near_duplicates",
    "mojibake",
    "negative_counts",
    "one_value",
    "nulls_in_several_ways",
    "ids_repeat",
    "duplicate_rows",
    "totals_row",
]
KINDS: tuple[str, ...] = get_args(Kind)

_SHOWN_CHARACTERS = 40


@dataclass(frozen=True)
class Problem:
    """A problem of a column, or of the whole table."""

    column: str | None
    kind: Kind
    count: int
    """Number of cells, or of rows, that it concerns."""
    rows: list[int]
    """Numbers of the first rows, from 1."""
    sentence: str
    fix: str

    @classmethod
    def at(cls, observed: Observed, kind: Kind, places: Places | Sequence[int], sentence: str, fix: str) -> "Problem":
        """Return a problem of the cells of a column at these places."""
        return cls(observed.name, kind, len(places), observed.rows_at(places), f"{named(observed)}: {sentence}", fix)


def named(observed: Observed) -> str:
    """Return how a sentence names a column."""
    return f'Column "{shown(observed.name)}"'


def shown(value: object) -> str:
    """Return a value as a sentence quotes it: on one line, and cut."""
    text = " ".join(str(value).split()) if str(value).strip() else repr(value)[1:-1]
    return f"{text[:_SHOWN_CHARACTERS]}…" if len(text) > _SHOWN_CHARACTERS else text


def counted(count: int, noun: str) -> str:
    """Return a number and its noun: `1 cell`, `2,000 cells`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def verb(count: int, singular: str, plural: str) -> str:
    """Return the form of a verb that fits a number."""
    return singular if count == 1 else plural
