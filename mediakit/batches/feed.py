"""The pending entries of a batch, read from their source as the calls need them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mediakit.batches.entries import Entry

Entries = Sequence[Entry[Any]]


class Feed:
    """Entries from chunks that are read in a thread, because a source may be slow.

    Args:
        chunks: Chunks of entries; a chunk may be empty.
        admit: Selects the entries of a chunk that need a call.
    """

    def __init__(self, chunks: Iterator[Entries], admit: Callable[[Entries], Iterable[Entry[Any]]]) -> None:
        self._chunks = chunks
        self._admit = admit
        self._ready: deque[Entry[Any]] = deque()
        self._lock = asyncio.Lock()
        self._is_read = False

    async def take(self, count: int) -> list[Entry[Any]]:
        """Return the next entries, at most `count`; an empty list at the end.

        Raises:
            Exception: An error of the source.
        """
        async with self._lock:
            while not self._ready and not self._is_read:
                chunk = await asyncio.to_thread(next, self._chunks, None)
                if chunk is None:
                    self._is_read = True
                else:
                    self._ready.extend(self._admit(chunk))
            return [self._ready.popleft() for _ in range(min(count, len(self._ready)))]
