"""`batch(tool, rows)`: plan every call, then make them."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar, overload

from mediakit.batches.calls import Columns
from mediakit.batches.job import Entry, Job
from mediakit.batches.names import columns_of, names
from mediakit.batches.progress import Progress, progress
from mediakit.batches.result import BatchResult, tally
from mediakit.batches.rows import read
from mediakit.core.runtime import runtime
from mediakit.core.tool import AsyncClientTool, AsyncToolClient, ClientTool, Tool, ToolClient
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.result import Result
from mediakit.settings import BrowserSettings

R = TypeVar("R", bound=Result)

REMOTE_CALLS = 4
"""Calls to a server at the same time."""


class Batch:
    """Run one tool over many rows: `mediakit.batch(mediakit.qr, frame)`; await `mediakit.batch.aio(...)` elsewhere.

    All rows are checked before the first is drawn. A row that breaks a rule or fails does not end the others: it is in
    `.errors`. An interrupt cancels what runs and leaves the files that are saved.

    Args:
        tool: The tool, such as `mediakit.qr` or `client.qr`.
        rows: A DataFrame (pandas, Polars, PyArrow, Dask), a list of dictionaries, a list or Series of values for the
            tool's first field, or a dictionary of names with a row each. With `template` columns may be its keys, too.
            A gap leaves a field at its default, and the text of a key empty.
        name: What results are called: a pattern such as `{city}/{recipient}` with columns and `{row}`, the row's number
            from 1. Left out, a result has its row's name in a dictionary, the name of the row's file, or its number.
            Names are made safe as names of files, and numbered where two are the same.
        to: Folder that files are saved in as they are made; files of the same names are replaced.
        ignore: Columns that are not for the tool. Those used in `name` need not be named.
        options: Fields, and keys of the template, for all rows; a row's own value counts before.

    Raises:
        InvalidInput: The rows are none, a column is unknown, or every row breaks a rule; nothing was drawn.
    """

    __name__ = "batch"

    def __call__(
        self,
        tool: Callable[..., R],
        rows: Any,
        *,
        name: str | None = None,
        to: "str | os.PathLike[str] | None" = None,
        ignore: str | Iterable[str] = (),
        **options: Any,
    ) -> BatchResult[R]:
        """Run the tool on every row and wait for all."""
        entries, job = _planned(tool, rows, options, name=name, to=to, ignore=ignore, is_async=False)
        with _Watch(_tool(tool).name, entries, to) as watch:
            try:
                runtime.run(job.start())
                while runtime.run(job.goes_on()):
                    watch.look()
            finally:
                runtime.run(job.stop())
        return BatchResult(entries)

    @overload
    async def aio(
        self,
        tool: Callable[..., R],
        rows: Any,
        *,
        name: str | None = None,
        to: "str | os.PathLike[str] | None" = None,
        ignore: str | Iterable[str] = (),
        **options: Any,
    ) -> BatchResult[R]: ...
    @overload
    async def aio(
        self,
        tool: Callable[..., Awaitable[R]],
        rows: Any,
        *,
        name: str | None = None,
        to: "str | os.PathLike[str] | None" = None,
        ignore: str | Iterable[str] = (),
        **options: Any,
    ) -> BatchResult[R]: ...
    async def aio(
        self,
        tool: Callable[..., Any],
        rows: Any,
        *,
        name: str | None = None,
        to: "str | os.PathLike[str] | None" = None,
        ignore: str | Iterable[str] = (),
        **options: Any,
    ) -> BatchResult[Any]:
        """Run the tool, also one of an `AsyncClient`, on every row without blocking the running event loop."""
        entries, job = _planned(tool, rows, options, name=name, to=to, ignore=ignore, is_async=True)
        with _Watch(_tool(tool).name, entries, to) as watch:
            try:
                await job.start()
                while await job.goes_on():
                    watch.look()
            finally:
                await job.stop()
        return BatchResult(entries)

    def __repr__(self) -> str:
        return "<mediakit.batch: Run one tool over many rows.>"


batch = Batch()


def _planned(
    tool: Callable[..., Any],
    source: Any,
    options: Mapping[str, Any],
    *,
    name: str | None,
    to: "str | os.PathLike[str] | None",
    ignore: str | Iterable[str],
    is_async: bool,
) -> tuple[list[Entry[Any]], Job[Any]]:
    """Check every row, and give them with the job that makes them."""
    called, client = _tool(tool), _client(tool)
    if isinstance(client, AsyncToolClient) and not is_async:
        raise InvalidInput("tool: that of an AsyncClient is awaited; write await mediakit.batch.aio(...).")
    rows = read(source, called.parameters[0].name)
    used = columns_of(name)
    ignored = [ignore] if isinstance(ignore, str) else list(ignore)
    columns = Columns(called, rows, options, ignored=ignored, used=used)
    entries: list[Entry[Any]] = [
        Entry(row, own, columns.values(row)) for row, own in zip(rows, names(rows, name, options), strict=True)
    ]
    _check(called, entries)
    job = Job(entries, _call(called, client), folder=_folder(to), workers=_workers(client))
    return entries, job


def _check(tool: Tool[..., Any], entries: Sequence[Entry[Any]]) -> None:
    """Check the values of every row; requests are made again when they run, for a thousand photos fill the memory."""
    for entry in entries:
        try:
            tool.build(**entry.values)
        except MediakitError as error:
            entry.error = error
    failed = [entry.error for entry in entries if entry.error]
    if failed and len(failed) == len(entries):
        raise failed[0]


def _tool(tool: Callable[..., Any]) -> Tool[..., Any]:
    if isinstance(tool, ClientTool | AsyncClientTool):
        return tool.tool
    if not isinstance(tool, Tool):
        raise InvalidInput("tool: must be a tool, such as mediakit.qr, without parentheses.")
    return tool


def _client(tool: Callable[..., Any]) -> ToolClient | AsyncToolClient | None:
    return tool.client if isinstance(tool, ClientTool | AsyncClientTool) else None


def _call(
    tool: Tool[..., Any], client: ToolClient | AsyncToolClient | None
) -> Callable[[Mapping[str, Any]], Awaitable[Any]]:
    if isinstance(client, AsyncToolClient):
        return lambda values: client.call(tool, **values)
    if isinstance(client, ToolClient):
        return lambda values: asyncio.to_thread(lambda: client.call(tool, **values))
    return lambda values: tool.aio(**values)


def _workers(client: ToolClient | AsyncToolClient | None) -> int:
    """Give the number of calls that keep every render slot and every processor busy."""
    return REMOTE_CALLS if client else max(BrowserSettings().render_slots, os.cpu_count() or 1) + 1


def _folder(to: "str | os.PathLike[str] | None") -> Path | None:
    if to is None:
        return None
    folder = Path(to)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"to: {folder} cannot be a folder for the files: {error.strerror}.") from None
    return folder


class _Watch:
    """Shows how far the entries are, and at last what became of them."""

    def __init__(self, label: str, entries: Sequence[Entry[Any]], to: "str | os.PathLike[str] | None") -> None:
        self._entries = entries
        self._place = f", saved in {os.fspath(to)}" if to is not None else ""
        self._progress: Progress = progress(label, len(entries))

    def __enter__(self) -> Self:
        self.look()
        return self

    def look(self) -> None:
        """Show the state."""
        made, failed = self._counts()
        total = len(self._entries)
        self._progress.show(made + failed, f"{made + failed} of {total}" + (f", {failed} failed" if failed else ""))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        made, failed = self._counts()
        words = tally(made, failed) if kind is None else f"stopped after {made} of {len(self._entries)}"
        self._progress.end(words + self._place)

    def _counts(self) -> tuple[int, int]:
        made = sum(entry.result is not None for entry in self._entries)
        return made, sum(entry.error is not None for entry in self._entries)
