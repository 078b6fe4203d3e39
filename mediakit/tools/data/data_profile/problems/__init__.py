"""Runs every check on a table, and the problems that it finds."""

from collections.abc import Callable, Iterable, Sequence

from mediakit.tools.data.data_profile.column_values import Observed
from mediakit.tools.data.data_profile.problems import spellings, types, values
from mediakit.tools.data.data_profile.problems.values import KINDS, Problem

Check = Callable[[Observed], Iterable[Problem]]

COLUMN_CHECKS: tuple[Check, ...] = (
    types.check_types,
    types.check_leading_zeros,
    types.check_date_order,
    values.check_values,
    spellings.check_spaces,
    spellings.check_spellings,
    spellings.check_mojibake,
    spellings.check_nulls,
)


def find(columns: Sequence[Observed], duplicates: Sequence[int]) -> list[Problem]:
    """Return the problems of a table, some rows of which are duplicates: its own, then those of each column."""
    found = [*values.check_totals(columns), *values.check_identifiers(columns, duplicates)]
    places = {column.name: place for place, column in enumerate(columns)}
    found += [problem for column in columns for check in COLUMN_CHECKS for problem in check(column)]
    return sorted(found, key=lambda one: (places.get(one.column or "", -1), KINDS.index(one.kind)))
