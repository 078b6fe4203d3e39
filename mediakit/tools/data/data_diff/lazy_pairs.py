"""Pairs of columns whose comparable values are created when they are needed."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, overload

from mediakit.engines.tables.model import Column
from mediakit.tools.data.data_diff.cells import comparable
from mediakit.tools.data.data_diff.options import DiffOptions

Values = Sequence[list[Any]]
"""The comparable values of a column in both tables."""


class LazyPair(Sequence[list[Any]]):
    """The comparable values of two columns."""

    def __init__(self, first: Column, second: Column, options: DiffOptions) -> None:
        self.columns = (first, second)
        self._options = options

    @cached_property
    def _values(self) -> tuple[list[Any], list[Any]]:
        return comparable(*self.columns, self._options)

    @overload
    def __getitem__(self, side: int) -> list[Any]: ...
    @overload
    def __getitem__(self, side: slice) -> Sequence[list[Any]]: ...
    def __getitem__(self, side: int | slice) -> list[Any] | Sequence[list[Any]]:
        return self._values[side]

    def __len__(self) -> int:
        return 2
