"""Runs every check on a table."""

from collections.abc import Callable, Iterable, Sequence

from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems import (
    date_order,
    identifiers,
    leading_zeros,
    mojibake,
    nulls,
    spaces,
    spellings,
    totals,
    types,
    values,
)
from mediakit.tools.data.data_profile.problems.problem import KINDS, Problem

Check = Callable[[Observed], Iterable[Problem]]

COLUMN_CHECKS: tuple[Check, ...] = (
    types.check,
    leading_zeros.check,
    date_order.check,
    values.check,
    spaces.check,
    spellings.check,
    mojibake.check,
    nulls.check,
)


def find(columns: Sequence[Observed], duplicates: Sequence[int]) -> list[Problem]:
    """Return the problems of a table: those of the whole table, then those of each column.

    Args:
        columns: The columns, with their meanings.
        duplicates: Places of the rows that are equal to an earlier one.
    """
    found = [*totals.check(columns), *identifiers.check(columns, duplicates)]
    places = {column.name: place for place, column in enumerate(columns)}
    found += [problem for column in columns for check in COLUMN_CHECKS for problem in check(column)]
    return sorted(found, key=lambda one: (places.get(one.column or "", -1), KINDS.index(one.kind)))
