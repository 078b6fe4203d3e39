"""Rows of lists, dictionaries, generators and other iterables."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sized
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources.making import CHUNK_ROWS, Pair, RowMaker, columns_of, stem
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource

CHUNK_SECONDS = 0.5
"""Time after which a chunk of a slow iterable ends early."""


def open_iterable(source: Iterable[Any], first: str, renaming: Renaming) -> RowSource:
    """Return the rows of an iterable. A dictionary has named rows."""
    columns = _known_columns(source, first)
    if columns is not None:
        renaming.check(columns)
    is_iterator = isinstance(source, Iterator)
    return RowSource(
        lambda maker: _read(_pairs(source), maker),
        lambda: RowMaker(first, renaming, is_checked=columns is not None),
        columns=None if columns is None else renaming.names(columns),
        total=len(source) if isinstance(source, Sized) else None,
        repeatable=not is_iterator,
        fits_memory=isinstance(source, Collection) and not is_iterator,
    )


def _known_columns(source: Iterable[Any], first: str) -> tuple[str, ...] | None:
    if isinstance(source, list | tuple):
        return columns_of(source, first)
    return columns_of(source.values(), first) if type(source) is dict else None


def _pairs(source: Iterable[Any]) -> Iterator[Pair]:
    if isinstance(source, Mapping):
        return ((str(name), value) for name, value in source.items())
    return ((stem(value), value) for value in source)


def _read(pairs: Iterator[Pair], maker: RowMaker, clock: Callable[[], float] = time.monotonic) -> Iterator[list[Row]]:
    chunk: list[Pair] = []
    deadline = clock() + CHUNK_SECONDS
    for pair in pairs:
        chunk.append(pair)
        if len(chunk) == CHUNK_ROWS or clock() > deadline:
            yield maker.from_pairs(chunk)
            chunk, deadline = [], clock() + CHUNK_SECONDS
    if chunk:
        yield maker.from_pairs(chunk)
