"""`batch(tool, rows)`: validate all rows, then call the tool for each."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar, overload

from mediakit.batches.columns import Columns
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
"""Concurrent calls to a server."""


class Batch:
    """Call a tool for each of many rows: `mediakit.batch(mediakit.qr, frame)`, or `await mediakit.batch.aio(...)`.

    All rows are validated before the first call. An invalid or failed row does not stop the others; its error is in
    `.errors`. An interrupt cancels running calls and keeps the files that are saved.

    Args:
        tool: The tool, such as `mediakit.qr` or `client.qr`.
        rows: A DataFrame (pandas, Polars, PyArrow, Dask), a list of dictionaries, a list or Series of values for the
            first field of the tool, or a dictionary of named rows. With `template`, columns can also be its keys.
            A missing value uses the default of a field; for a template key it is an empty text.
        name: Pattern for the names of results, such as `{city}/{recipient}`, with columns and `{row}`, the number of
            the row from 1. By default, a result has the name of its row in a dictionary, the name of the row's file,
            or the number of the row. Names are made safe as file names, and duplicates are numbered.
        to: Directory in which files are saved as soon as they are ready; existing files are replaced.
        ignore: Columns to omit. Columns in `name` need not be listed.
        options: Fields and template keys for all rows; the value of a row takes precedence.

    Raises:
        InvalidInput: The rows have an unsupported type, a column is unknown, or every row is invalid.
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
        """Call the tool for every row and wait for all results."""
        entries, job = _plan(tool, rows, options, name=name, to=to, ignore=ignore, is_async=False)
        with _ProgressDisplay(_tool(tool).name, entries, to) as display:
            try:
                runtime.run(job.start())
                while runtime.run(job.is_running()):
                    display.update()
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
        """Call the tool for every row without blocking the running event loop; supports tools of `AsyncClient`."""
        entries, job = _plan(tool, rows, options, name=name, to=to, ignore=ignore, is_async=True)
        with _ProgressDisplay(_tool(tool).name, entries, to) as display:
            try:
                await job.start()
                while await job.is_running():
                    display.update()
            finally:
                await job.stop()
        return BatchResult(entries)

    def __repr__(self) -> str:
        return "<mediakit.batch: Call a tool for each of many rows.>"


batch = Batch()


def _plan(
    tool: Callable[..., Any],
    source: Any,
    options: Mapping[str, Any],
    *,
    name: str | None,
    to: "str | os.PathLike[str] | None",
    ignore: str | Iterable[str],
    is_async: bool,
) -> tuple[list[Entry[Any]], Job[Any]]:
    """Validate all rows and return their entries with the job that runs them."""
    called, client = _tool(tool), _client(tool)
    if isinstance(client, AsyncToolClient) and not is_async:
        raise InvalidInput("tool: a tool of an AsyncClient must be awaited; use await mediakit.batch.aio(...).")
    rows = read(source, called.parameters[0].name)
    used = columns_of(name)
    ignored = [ignore] if isinstance(ignore, str) else list(ignore)
    columns = Columns(called, rows, options, ignored=ignored, used=used)
    entries: list[Entry[Any]] = [
        Entry(row, row_name, columns.values(row))
        for row, row_name in zip(rows, names(rows, name, options), strict=True)
    ]
    _validate(called, entries)
    job = Job(entries, _call(called, client), directory=_directory(to), workers=_workers(client))
    return entries, job


def _validate(tool: Tool[..., Any], entries: Sequence[Entry[Any]]) -> None:
    """Validate the values of every row.

    The requests are not kept but built again for each call, because those of a thousand photos would fill the memory.
    """
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
    """Return a number of concurrent calls that keeps every render slot and every processor busy."""
    return REMOTE_CALLS if client else max(BrowserSettings().render_slots, os.cpu_count() or 1) + 1


def _directory(to: "str | os.PathLike[str] | None") -> Path | None:
    if to is None:
        return None
    directory = Path(to)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"to: cannot create the directory {directory}: {error.strerror}.") from None
    return directory


class _ProgressDisplay:
    """Shows the progress of the entries and, at the end, a summary."""

    def __init__(self, label: str, entries: Sequence[Entry[Any]], to: "str | os.PathLike[str] | None") -> None:
        self._entries = entries
        self._saved_in = f", saved in {os.fspath(to)}" if to is not None else ""
        self._progress: Progress = progress(label, len(entries))

    def __enter__(self) -> Self:
        self.update()
        return self

    def update(self) -> None:
        """Show the current progress."""
        created, failed = self._counts()
        total = len(self._entries)
        self._progress.show(
            created + failed, f"{created + failed} of {total}" + (f", {failed} failed" if failed else "")
        )

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        created, failed = self._counts()
        text = tally(created, failed) if kind is None else f"stopped after {created} of {len(self._entries)}"
        self._progress.end(text + self._saved_in)

    def _counts(self) -> tuple[int, int]:
        created = sum(entry.result is not None for entry in self._entries)
        return created, sum(entry.error is not None for entry in self._entries)
