"""Compares columns of large tables without an object per cell."""

from collections.abc import Sequence

from mediakit.engines.tables.model import Column


def packed_differences(first: Column, second: Column, rows: Sequence[int], rows2: Sequence[int]) -> list[int] | None:
    """Return the indexes of the pairs of rows whose values differ; None where the columns are not packed."""
    if type(first) is Column or type(second) is Column:  # before numpy is imported
        return None
    import numpy as np

    from mediakit.engines.tables.packed.column import PackedColumn
    from mediakit.engines.tables.packed.equality import differences

    if not isinstance(first, PackedColumn) or not isinstance(second, PackedColumn):
        return None
    return differences(first, second, np.array(rows, np.intp), np.array(rows2, np.intp))
