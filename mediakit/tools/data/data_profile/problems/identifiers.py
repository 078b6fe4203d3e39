"""Identifiers that repeat."""

from collections.abc import Iterator, Sequence

import numpy as np

from mediakit.tools.data.data_profile.names import IDENTIFIERS, names_identifier
from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, counted, shown

_OWN_NAMES = IDENTIFIERS | {"row", "record"}
_LEAST_SHARE = 0.8
"""Share of distinct values from which on a column is the table's own identifier, and not that of another table."""

_LEAST_SHARE_OF_ID = 0.5


def check(columns: Sequence[Observed], duplicates: Sequence[int]) -> Iterator[Problem]:
    """Find rows that repeat, and values that repeat in the column that identifies the rows: the first one named so.

    Args:
        columns: The columns.
        duplicates: Places of the rows that are equal to an earlier one; their identifiers are not a problem of its own.
    """
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
            yield _problem(column)
        return


def _problem(column: Observed) -> Problem:
    repeated = column.counts > 1
    places = column.places_of(repeated)
    number = int(np.count_nonzero(repeated))
    example = shown(column.values[places[0]])
    verb = "repeats" if number == 1 else "repeat"
    sentence = f"{counted(number, 'identifier')} {verb}, such as {example}; {counted(len(places), 'row')} have them."
    return Problem.at(column, "ids_repeat", places, sentence, "Remove the rows that repeat, or renumber them.")
