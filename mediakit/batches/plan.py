"""The plan of a batch: its rows, validated, with the values of every call."""

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from mediakit.batches.column_calls import warn_of_column
from mediakit.batches.columns import Columns
from mediakit.batches.job import Entry, Job
from mediakit.batches.main_keys import check_main_keys
from mediakit.batches.names import columns_of, names
from mediakit.batches.rows import Row, read
from mediakit.core.tool import AsyncClientTool, AsyncToolClient, ClientTool, Tool, ToolClient
from mediakit.engines.html_source import HtmlSource
from mediakit.errors import CallInProgress, InvalidInput, MediakitError, ServerBusy, ServerUnreachable
from mediakit.results.result import Result
from mediakit.settings import BrowserSettings

R = TypeVar("R", bound=Result)

UNCERTAIN = (ServerUnreachable, ServerBusy, CallInProgress)
"""Errors of calls that the server may have charged."""

REMOTE_CALLS = 4
"""Concurrent calls to a server."""


@dataclass(frozen=True)
class Plan(Generic[R]):
    """The entries of a batch and how to call the tool for them."""

    tool: Tool[..., R]
    client: ToolClient | AsyncToolClient | None
    options: Mapping[str, Any]
    ignored: tuple[str, ...]
    used: frozenset[str]
    """Columns in the names of the results."""
    directory: Path | None
    """Directory in which each file is saved as soon as it is ready."""
    entries: tuple[Entry[R], ...] = ()

    @property
    def requires_await(self) -> bool:
        """Whether only an event loop of the caller can run the calls."""
        return isinstance(self.client, AsyncToolClient)

    def job(self) -> Job[R]:
        """Return a job that calls the tool for the pending entries."""
        return Job(self.entries, self._call, directory=self.directory, workers=_workers(self.client))

    def retried(self, changes: Mapping[str, Any]) -> "Plan[R]":
        """Return a plan in which failed and pending entries are validated again, with changed values.

        Raises:
            InvalidInput: A change is neither a field nor a template key.
        """
        rows = [
            entry.row if entry.result or not changes else entry.row.replaced(changes, self._aliases)
            for entry in self.entries
        ]
        columns = Columns(self.tool, self.options, ignored=self.ignored, used=self.used)
        columns.check(rows)
        entries = tuple(
            entry if entry.result else _again(entry, row, columns.values(row))
            for entry, row in zip(self.entries, rows, strict=True)
        )
        _validate(self.tool, [entry for entry in entries if entry.is_pending], is_retry=True)
        return Plan(self.tool, self.client, self.options, self.ignored, self.used, self.directory, entries)

    def _aliases(self, name: str) -> Sequence[str]:
        """Return every name of the field with this name or alias."""
        return next((each for each in map(_names, self.tool.parameters) if name in each), (name,))

    async def _call(self, entry: Entry[R]) -> R:
        if self.client is None:
            return await self.tool.aio(**entry.values)
        client = self.client.with_idempotency_key(entry.idempotency_key)
        if isinstance(client, AsyncToolClient):
            return await client.call(self.tool, **entry.values)
        return await asyncio.to_thread(lambda: client.call(self.tool, **entry.values))


def _again(entry: Entry[R], row: Row, values: Mapping[str, Any]) -> Entry[R]:
    """Return an entry that calls the tool again.

    It keeps the idempotency key if the row is unchanged and its call may have been charged without a response.
    """
    again = Entry[R](row, entry.name, values)
    if row is entry.row and (entry.is_pending or isinstance(entry.error, UNCERTAIN)):
        again.idempotency_key = entry.idempotency_key
    return again


def make_plan(
    tool: Callable[..., Any],
    source: Any,
    options: Mapping[str, Any],
    *,
    name: str | None = None,
    to: "str | os.PathLike[str] | None" = None,
    ignore: str | Iterable[str] = (),
) -> Plan[Any]:
    """Return the plan of a batch after the validation of all rows.

    Raises:
        InvalidInput: An argument is invalid, a column is unknown, or every row is invalid.
    """
    called = tool_of(tool)
    rows = read(source, called.parameters[0].name)
    ignored, used = (ignore,) if isinstance(ignore, str) else tuple(ignore), columns_of(name)
    columns = Columns(called, options, ignored=ignored, used=used)
    columns.check(rows)
    entries = tuple(
        Entry[Any](row, row_name, columns.values(row))
        for row, row_name in zip(rows, names(rows, name, options), strict=True)
    )
    _validate(called, entries)
    warn_of_column(called, [entry.values for entry in entries])
    return Plan(called, _client(tool), options, ignored, used, _directory(to), entries)


def plan_entries(tool: Tool[..., Any], entries: Sequence[Entry[Any]]) -> Plan[Any]:
    """Return the plan of entries whose values are fields of the tool, after their validation.

    Raises:
        InvalidInput: Every entry is invalid.
    """
    _validate(tool, entries)
    return Plan(tool, None, {}, (), frozenset(), None, tuple(entries))


def tool_of(tool: Callable[..., Any]) -> Tool[..., Any]:
    """Return the tool of a function or of a method of a client.

    Raises:
        InvalidInput: The object is not a tool.
    """
    if isinstance(tool, ClientTool | AsyncClientTool):
        return tool.tool
    if not isinstance(tool, Tool):
        raise InvalidInput("tool: must be a tool, such as mediakit.qr, without parentheses.")
    return tool


def _validate(tool: Tool[..., Any], entries: Sequence[Entry[Any]], *, is_retry: bool = False) -> None:
    """Validate the values of every row.

    The requests are not kept but built again for each call, because those of a thousand photos would fill the memory.
    """
    for entry in entries:
        try:
            if entry.error is None:
                tool.build(**entry.values)
        except MediakitError as error:
            entry.error = error
    if issubclass(tool.request, HtmlSource):
        check_main_keys(entries, is_retry=is_retry)
    failed = [entry.error for entry in entries if entry.error]
    if failed and len(failed) == len(entries) and not is_retry:
        raise failed[0]


def _names(parameter: Any) -> Sequence[str]:
    return (parameter.name, *parameter.aliases)


def _client(tool: Callable[..., Any]) -> ToolClient | AsyncToolClient | None:
    return tool.client if isinstance(tool, ClientTool | AsyncClientTool) else None


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
