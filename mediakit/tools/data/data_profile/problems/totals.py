"""A row of totals at the end of the table."""

import math
from collections.abc import Iterator, Sequence

from mediakit.tools.data.data_profile.names import TOTALS, names_identifier
from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, shown

_LEAST_ROWS = 3


def check(columns: Sequence[Observed]) -> Iterator[Problem]:
    """Find a last row that has the sums of the rows above it, or a label that says so."""
    if not columns or len(columns[0].values) < _LEAST_ROWS:
        return
    label = next((column for column in columns if column.is_text and _is_label(column.values[-1])), None)
    if label is None and not _is_bare(columns):
        return
    sums = [column.name for column in columns if _is_sum(column)]
    if label is None and not sums:
        return
    if label is not None and not sums and not _is_sparse(columns):
        return
    number = int(columns[0].row_numbers[-1])
    what = f'begins with "{shown(label.values[-1])}"' if label is not None else "has the sums of the rows above it"
    sentence = f"The last row, {number}, is a row of totals: it {what}."
    yield Problem(None, "totals_row", 1, [number], sentence, "Remove the row before you calculate with the table.")


def _is_label(value: str | None) -> bool:
    return value is not None and TOTALS.fullmatch(value[:60]) is not None


def _is_sum(column: Observed) -> bool:
    """Return whether the last number of a column is the sum of all others."""
    numbers = [_number(value) for value in column.values[-1:]]
    if numbers[0] in (None, 0) or not (column.is_number or column.is_text) or names_identifier(column.words):
        return False
    above = [_number(value) for value in column.values[:-1] if value is not None]
    if len(above) < 2 or None in above:  # one number is equal to its sum
        return False
    return math.isclose(math.fsum(number or 0 for number in above), numbers[0] or 0, rel_tol=1e-9, abs_tol=0.005)


def _number(value: object) -> float | None:
    try:
        number = float(value)  # type: ignore[arg-type]  # anything else than a number is refused
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _is_bare(columns: Sequence[Observed]) -> bool:
    """Return whether the last row has nothing but numbers, where the others have texts as well."""
    others = [column for column in columns if not column.is_number]
    return bool(others) and all(column.values[-1] is None and column.count for column in others)


def _is_sparse(columns: Sequence[Observed]) -> bool:
    """Return whether most cells of the last row are null although those above are not."""
    filled = [column for column in columns if column.count > 0.5 * len(column.values)]
    empty = sum(column.values[-1] is None for column in filled)
    return empty >= 0.5 * len(filled) > 0
