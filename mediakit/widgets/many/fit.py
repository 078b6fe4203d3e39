"""Finds the row whose texts fit worst."""

from collections.abc import Callable, Mapping, Sequence

MAX_CANDIDATES = 24
"""Number of rows whose texts are compared with their limits."""


def worst_row(rows: Sequence[Mapping[str, str]], misfits: Callable[[int], int]) -> int:
    """Return the index of the row with the most texts that may not fit; of several, that with the longest texts.

    Only rows with the longest text of a column or the longest texts in all are compared.

    Args:
        rows: The texts of each row by key.
        misfits: Returns how many texts of a row may be made smaller or truncated.
    """
    if not rows:
        return 0
    lengths = [sum(map(len, row.values())) for row in rows]
    keys = dict.fromkeys(key for row in rows for key in row)
    longest = [_longest([row.get(key, "") for row in rows]) for key in keys]
    by_length = sorted(range(len(rows)), key=lambda index: -lengths[index])
    candidates = list(dict.fromkeys([by_length[0], *longest, *by_length[1:]]))[:MAX_CANDIDATES]
    return max(candidates, key=lambda index: (misfits(index), lengths[index], -index))


def _longest(texts: Sequence[str]) -> int:
    return max(range(len(texts)), key=lambda index: len(texts[index]))
