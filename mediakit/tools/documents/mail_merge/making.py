"""Makes the documents of all rows, some at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from mediakit.errors import InvalidInput, RenderFailed, ResourcesTimeout, ServerBusy
from mediakit.tools.documents.mail_merge.outcome import Document, Outcome, without_field
from mediakit.tools.documents.mail_merge.row import Row, RowProblem

BUSY_WAIT_SECONDS = 0.3
"""Time until a render is tried again after others have filled the queue."""

T = TypeVar("T")

Make = Callable[[Row], Awaitable[Document]]


class Maker:
    """Makes documents with a function, which raises `RowProblem` or `InvalidInput` for a row that fails."""

    def __init__(self, make: Make, names: Sequence[str], *, stops: bool, page_source: str = "") -> None:
        """Prepare.

        Args:
            make: Makes the document of a row.
            names: A file name for each row.
            stops: Whether the first row that fails ends the call.
            page_source: HTML that all rows share; a site that it names and that does not respond ends the call.
        """
        self._make = make
        self._names = names
        self._stops = stops
        self._page_source = page_source
        self._is_started = False

    async def all(self, rows: Sequence[Row], workers: int) -> list[Outcome]:
        """Return the outcome of every row, in their order.

        Raises:
            InvalidInput: A row failed, and the first one ends the call.
            ResourcesTimeout: A site that all rows need did not respond.
            ServerBusy: The queue was full at the first render, or no browser works.
        """
        outcomes: dict[int, Outcome] = {}

        async def work(waiting: Iterator[Row]) -> None:
            for row in waiting:
                outcomes[row.index] = await self._outcome(row)

        waiting = iter(rows)
        await in_parallel([work(waiting) for _ in range(workers)])
        return [outcomes[row.index] for row in rows]

    async def _outcome(self, row: Row) -> Outcome:
        name = self._names[row.index]
        try:
            return Outcome(row.number, name, await self._made(row))
        except (RowProblem, InvalidInput, ResourcesTimeout) as error:
            if isinstance(error, ResourcesTimeout) and any(host in self._page_source for host in error.hosts):
                raise
            if self._stops:
                raise row.error(without_field(str(error))) from None
            return Outcome(row.number, name, error=without_field(str(error)))

    async def _made(self, row: Row) -> Document:
        while True:
            try:
                made = await self._make(row)
            except ServerBusy as error:
                # Once a document is made, the call waits for its turn instead of losing the work.
                if isinstance(error, RenderFailed) or type(error) is not ServerBusy or not self._is_started:
                    raise
                await asyncio.sleep(BUSY_WAIT_SECONDS)
            else:
                self._is_started = True
                return made


async def in_parallel(work: Sequence[Awaitable[T]]) -> list[T]:
    """Return the results of all; the first error cancels the others and is raised."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
