"""A problem; and values that cannot be, rows and identifiers that repeat, totals."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from mediakit.core.messages import counted
from mediakit.tools.data.data_profile import semantics
from mediakit.tools.data.data_profile.column_values import (
    IDENTIFIERS,
    TOTALS,
    WORDS,
    Observed,
    Places,
    names_identifier,
)

Kind = Literal[
    "mixed_types", "numbers_as_text", "leading_zeros_lost", "dates_ambiguous", "dates_in_two_orders",
    "impossible_dates", "future_birth_dates", "spaces_around", "case_variants", "near_duplicates", "mojibake",
    "negative_counts", "one_value", "nulls_in_several_ways", "ids_repeat", "duplicate_rows", "totals_row",
]  # fmt: skip
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
        words = f'Column "{shown(observed.name)}": {sentence}'
        return cls(observed.name, kind, len(places), observed.rows_at(places), words, fix)


def shown(value: object) -> str:
    """Return a value as a sentence quotes it: on one line, and cut."""
    text = " ".join(str(value).split()) if str(value).strip() else repr(value)[1:-1]
    return f"{text[:_SHOWN_CHARACTERS]}…" if len(text) > _SHOWN_CHARACTERS else text


_OWN_NAMES = IDENTIFIERS | {"row", "record"}
_LEAST_SHARE = 0.8
"""Share of distinct values from which on a column is the table's own identifier, and not that of another table."""

_LEAST_SHARE_OF_ID = 0.5


def check_identifiers(columns: Sequence[Observed], duplicates: Sequence[int]) -> Iterator[Problem]:
    """Find rows that repeat, and values that repeat beside them in the first column that is named as an identifier."""
    if duplicates and len(columns) > 1:
        verb = "is equal to an earlier one" if len(duplicates) == 1 else "are equal to earlier ones"
        sentence = f"{counted(len(duplicates), 'row')} {verb} in all columns."
        rows = columns[0].rows_at(duplicates)
        yield Problem(None, "duplicate_rows", len(duplicates), rows, sentence, "Remove the rows that repeat.")
    for column in columns:
        if not names_identifier(column.words) or column.type not in ("text", "integer"):
            continue
        least = _LEAST_SHARE_OF_ID if column.words <= _OWN_NAMES else _LEAST_SHARE
        repeats = column.count - len(column.distinct) - np.count_nonzero(column.codes[list(duplicates)] >= 0)
        if column.count and repeats > 0 and len(column.distinct) >= least * column.count:
            places = column.places_of(column.counts > 1)
            number = int(np.count_nonzero(column.counts > 1))
            what = f"{counted(number, 'identifier')} {'repeats' if number == 1 else 'repeat'}"
            example = shown(column.values[places[0]])
            sentence = f"{what}, such as {example}; {counted(len(places), 'row')} have them."
            yield Problem.at(column, "ids_repeat", places, sentence, "Remove the rows that repeat, or renumber them.")
        return


_LEAST_ROWS = 3


def check_totals(columns: Sequence[Observed]) -> Iterator[Problem]:
    """Find a last row that has the sums of the rows above it, or a label that says so."""
    if not columns or len(columns[0].values) < _LEAST_ROWS:
        return
    texts = (column for column in columns if column.is_text and column.values[-1] is not None)
    label = next((column for column in texts if TOTALS.fullmatch(column.values[-1][:60])), None)
    others = [column for column in columns if not column.is_number]
    # Without a label, the row has nothing but numbers, where the others have texts as well.
    if label is None and not (others and all(column.values[-1] is None and column.count for column in others)):
        return
    filled = [column for column in columns if column.count > 0.5 * len(column.values)]
    is_sparse = sum(column.values[-1] is None for column in filled) >= 0.5 * len(filled) > 0
    if not any(map(_is_sum, columns)) and (label is None or not is_sparse):
        return
    number = int(columns[0].row_numbers[-1])
    what = f'begins with "{shown(label.values[-1])}"' if label is not None else "has the sums of the rows above it"
    sentence = f"The last row, {number}, is a row of totals: it {what}."
    yield Problem(None, "totals_row", 1, [number], sentence, "Remove the row before you calculate with the table.")


def _is_sum(column: Observed) -> bool:
    """Return whether the last number of a column is the sum of all others."""
    last = _number(column.values[-1])
    if not last or not (column.is_number or column.is_text) or names_identifier(column.words):
        return False
    above = [_number(value) for value in column.values[:-1] if value is not None]
    if len(above) < 2 or None in above:  # one number is equal to its sum
        return False
    return math.isclose(math.fsum(number or 0 for number in above), last, rel_tol=1e-9, abs_tol=0.005)


def _number(value: object) -> float | None:
    try:
        number = float(value)  # type: ignore[arg-type]  # anything else than a number is refused
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


LAST_BIRTH_DATE = "2026-12-31"
"""Births after this day count as future. A fixed day, not the clock: the same table always has the same profile."""

DOMINANT_SHARE = 0.95
_MONEY_WORDS = frozenset("amount cost price value total balance change diff difference delta growth".split())


def check_values(observed: Observed) -> Iterator[Problem]:
    """Find negative counts, birth dates in the future, and columns nearly all of whose values are the same."""
    if not observed.distinct:
        return
    yield from _negative(observed)
    yield from _future(observed)
    yield from _dominant(observed)


def _negative(observed: Observed) -> Iterator[Problem]:
    if not observed.is_number or not observed.words & WORDS["counts"] or observed.words & _MONEY_WORDS:
        return
    places = observed.places_of([value < 0 for value in observed.distinct])
    if len(places):
        example = shown(observed.values[places[0]])
        verb = "is" if len(places) == 1 else "are"
        sentence = f"{counted(len(places), 'value')} {verb} negative, such as {example}, which a count cannot be."
        yield Problem.at(observed, "negative_counts", places, sentence, "Correct the sign, or clear the cells.")


def _future(observed: Observed) -> Iterator[Problem]:
    if not observed.words & WORDS["births"]:
        return
    if observed.type in ("date", "datetime"):
        late = [value[:10] > LAST_BIRTH_DATE for value in observed.distinct]
    elif observed.is_text:
        late = [_year(value) > int(LAST_BIRTH_DATE[:4]) for value in observed.distinct]
    elif observed.type == "integer" and observed.words & {"year", "ano", "jahr", "annee", "anno"}:
        late = [value > int(LAST_BIRTH_DATE[:4]) for value in observed.distinct]
    else:
        return
    places = observed.places_of(late)
    if len(places):
        example = shown(observed.values[places[0]])
        verb = "is" if len(places) == 1 else "are"
        sentence = f"{counted(len(places), 'birth date')} {verb} in the future, such as {example}."
        yield Problem.at(observed, "future_birth_dates", places, sentence, "Correct the year, or clear the cells.")


def _year(text: str) -> int:
    """Return the year of a date with four digits of it; 0 for any other text."""
    written = semantics.read(text)
    if written is None or not written.orders or written.has_short_year:
        return 0
    parts = [int(part) for part in text.replace("/", "-").replace(".", "-").replace(" ", "-").split("-")
             if len(part) == 4 and part.isdecimal()]  # fmt: skip
    return parts[0] if parts else 0


def _dominant(observed: Observed) -> Iterator[Problem]:
    top = int(np.argmax(observed.counts))
    count = int(observed.counts[top])
    value = shown(observed.distinct[top])
    fix = "Check whether the column is filled in properly; it says little about the rows."
    if count == observed.count > 1:
        sentence = f'Column "{shown(observed.name)}": all {count:,} values are "{value}".'
        yield Problem(observed.name, "one_value", count, [], sentence, fix)
    if not DOMINANT_SHARE * observed.count < count < observed.count:
        return
    share = min(99.9, 100 * count / observed.count)
    sentence = f'Column "{shown(observed.name)}": "{value}" is {share:.1f} % of the values.'
    rows = observed.rows_at(observed.places_of(np.arange(len(observed.distinct)) == top))
    yield Problem(observed.name, "one_value", count, rows, sentence, fix)
