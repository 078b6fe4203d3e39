"""The plan of a batch: its rows, validated, with the values of every call."""

import asyncio
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from mediakit.batches.calls import local_calls
from mediakit.batches.columns import Columns, ColumnsError
from mediakit.batches.names import Keys, Names, columns_of, names
from mediakit.batches.runners import ExecutorRunner, ProcessRunner, Runner, TaskRunner, checked_executor, is_cpu_bound
from mediakit.batches.sources.rows import Row, RowSource
from mediakit.batches.targets.target import Target
from mediakit.batches.work import NO_ROWS, UNCERTAIN, Entry, Work, check_values, with_changes
from mediakit.core.messages import quote
from mediakit.core.tool import AsyncClientTool, AsyncToolClient, ClientTool, Tool, ToolClient
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.html_source import HtmlSource
from mediakit.engines.validation.service import ValuesRequest
from mediakit.engines.validation.values import MAX_VALUES
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.result import Result
from mediakit.tools.catalogue import load_tool

R = TypeVar("R", bound=Result)

REMOTE_CALLS = 4
"""Concurrent calls to a server."""

LISTED_ROWS = 2000
"""Rows of a batch with a target that are kept in memory with their values; longer batches are streamed."""


@dataclass(frozen=True)
class Options:
    """How rows are mapped to calls, and where the calls run."""

    tool: Tool[..., Any]
    client: ToolClient | AsyncToolClient | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Fields and template keys for all rows."""
    ignored: tuple[str, ...] = ()
    name: str | None = None
    """Pattern of the names of results."""
    target: Target | None = None
    """Where files are saved; None to keep the results in memory."""
    executor: Any = None
    """An executor or a Dask client; None for this machine."""
    force: bool = False
    """Whether files of an earlier run are made again."""
    names_are_given: bool = False
    """Whether the caller named the entries, so that a retry keeps the names."""

    def columns(self, known: Sequence[str] | None = None) -> Columns:
        """Return the mapping of columns, of which those of all rows may be known before the rows are read."""
        used = columns_of(self.name)
        return Columns(self.tool, self.fields, ignored=self.ignored, used=used, columns=known or ())


@dataclass(frozen=True)
class Plan(Generic[R]):
    """The rows of a batch and how to call the tool for them."""

    tool: Tool[..., R]
    options: Options
    work: Work[R]

    @property
    def target(self) -> Target | None:
        """Where files are saved."""
        return self.options.target

    @property
    def entries(self) -> Sequence[Entry[R]]:
        """The entries that are in memory: all of them, or the failed ones of a streamed batch."""
        return self.work.entries

    def retried(self, changes: Mapping[str, Any]) -> "Plan[R]":
        """Return a plan in which failed and pending entries are validated again, with changed values."""
        source, target = self.work.source, self.target
        if source and target:
            if not source.repeatable:
                raise InvalidInput(
                    "retry: the rows were read from a generator or a cursor, which can be read only once. Run the same "
                    "call with new rows; only rows that failed, changed or are missing are made."
                )
            changed = with_changes(source, target.manifest, changes, self._aliases) if changes else source
            return _streamed(replace(self.options, force=False), target, changed)
        rows = [
            entry.row if entry.is_created or not changes else entry.row.replaced(changes, self._aliases)
            for entry in self.entries
        ]
        columns = self.options.columns()
        columns.check(rows)
        make = Names(self.options.name, self.options.fields, len(rows))
        pairs = list(zip(self.entries, rows, strict=True))
        # Rows that have not changed keep their names.
        kept = [entry.name if row is entry.row or self.options.names_are_given else "" for entry, row in pairs]
        for name in filter(None, kept):
            make.reserve(name)
        made = [name or make.add(row) for name, row in zip(kept, rows, strict=True)]
        entries: list[Entry[R]] = []
        for (entry, row), name in zip(pairs, made, strict=True):
            entries.append(entry if entry.is_created else Entry(row, name, columns.values(row)))
            if row is entry.row and (entry.is_pending or isinstance(entry.error, UNCERTAIN)):  # may have been charged
                entries[-1].idempotency_key = entry.idempotency_key
        _validate(self.tool, [entry for entry in entries if entry.is_pending], is_retry=True)
        return _listed(self.options, entries)

    def _aliases(self, name: str) -> Sequence[str]:
        """Return every name of the field with this name or alias."""
        return next((names for each in self.tool.parameters if name in (names := (each.name, *each.aliases))), (name,))

    def runner(self) -> Runner:
        """Return what calls the tool for the pending entries."""
        store = self.target.store if self.target else None
        executor, client, total = self.options.executor, self.options.client, self.work.total
        if executor is not None:
            used, workers, seconds = checked_executor(executor)
            return ExecutorRunner(used, self.tool, store=store, workers=workers, total=total, seconds=seconds)
        if client is None and is_cpu_bound(self.tool):
            return ProcessRunner(self.tool, store=store, total=total)
        call = partial(self._call_server, client) if client else lambda entry: self.tool.aio(**entry.values)
        return TaskRunner(call, store=store, concurrency=REMOTE_CALLS if client else local_calls())

    async def _call_server(self, client: ToolClient | AsyncToolClient, entry: Entry[R]) -> R:
        entry.idempotency_key = entry.idempotency_key or self._idempotency_key(entry)
        client = client.with_idempotency_key(entry.idempotency_key, keep_result=False)
        if isinstance(client, AsyncToolClient):
            return await client.call(self.tool, **entry.values)
        return await asyncio.to_thread(lambda: client.call(self.tool, **entry.values))

    def _idempotency_key(self, entry: Entry[R]) -> str:
        """Return the key of a call: the same if an interrupted batch with a target runs again, otherwise a new one."""
        if self.target is None or self.options.force:
            return str(uuid.uuid4())
        failed = self.target.manifest.find_failed(entry.name)
        if failed and failed.key == entry.key and not failed.is_uncertain:
            return str(uuid.uuid4())  # a server may repeat the response of a call that failed
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.target.location}\n{entry.name}\n{entry.key}"))


def make_plan(source: RowSource, options: Options) -> Plan[Any]:
    """Return the plan of a batch after the validation of all rows, or of the first if the rows are a stream.

    Raises:
        InvalidInput: An argument is invalid, a column is unknown, or every row is invalid.
    """
    if options.executor is not None and options.client is not None:
        raise InvalidInput("executor: the calls of a client run on its server; omit executor.")
    if options.executor is not None:
        checked_executor(options.executor)
    if options.target and source.total == 0:
        raise InvalidInput(NO_ROWS)
    if options.target and (source.total is None or source.total > LISTED_ROWS):
        return _streamed(options, options.target, source)
    rows = [row for chunk in source.chunks() for row in chunk]
    columns = options.columns(source.columns)
    columns.check(rows)
    entries = [
        Entry[Any](row, name, columns.values(row))
        for row, name in zip(rows, names(rows, options.name, options.fields), strict=True)
    ]
    _validate(options.tool, entries)
    warn_of_column(options.tool, [entry.values for entry in entries])
    return _listed(options, entries)


def _listed(options: Options, entries: Sequence[Entry[Any]]) -> Plan[Any]:
    """Return the plan of entries that are in memory."""
    work = Work[Any](options.target, Keys(options.tool), entries=entries, force=options.force)
    return Plan(options.tool, options, work)


def _streamed(options: Options, target: Target, source: RowSource) -> Plan[Any]:
    """Return the plan of rows that are read as they are needed; rows in memory are all validated first."""
    errors: dict[int, MediakitError] = {}
    if source.fits_memory and source.repeatable:
        count = 0
        for entries in _read(options, source, {}, is_strict=True):
            check_values(options.tool, entries)
            errors |= {entry.row.number: entry.error for entry in entries if entry.error}
            count += len(entries)
        if errors and len(errors) == count:
            raise next(iter(errors.values()))
    read = partial(_read, options, source, errors)
    return Plan(options.tool, options, Work(target, Keys(options.tool), source=source, read=read, force=options.force))


def _read(
    options: Options, source: RowSource, errors: Mapping[int, MediakitError], *, is_strict: bool = False
) -> Iterator[list[Entry[Any]]]:
    """Yield the entries of each chunk of rows; those of rows that are known to be invalid have their errors.

    A problem with the columns of a later row is the error of its row, or is raised if `is_strict`.
    """
    columns, make = options.columns(source.columns), Names(options.name, options.fields, source.total)
    is_empty = is_first = True
    for rows in source.chunks():
        columns.check(rows)
        if is_first or is_strict:
            entries = [Entry[Any](row, make.add(row), columns.values(row)) for row in rows]
        else:
            entries = [_later_entry(row, make, columns) for row in rows]
        for entry in entries:
            entry.error = entry.error or errors.get(entry.row.number)
        if not errors:
            _check_main_keys(options.tool, entries, is_retry=not is_first)
        yield entries
        is_empty, is_first = is_empty and not entries, False
    if is_empty:
        raise InvalidInput(NO_ROWS)


def _later_entry(row: Row, make: Names, columns: Columns) -> Entry[Any]:
    """Return the entry of a row; an unknown column, or a missing one of the name, is an error of the row."""
    try:
        name, error = make.add(row), None
    except InvalidInput as problem:
        name, error = make.add_number(row), problem
    try:
        return Entry[Any](row, name, columns.values(row), error=error)
    except InvalidInput as problem:
        return Entry[Any](row, name, {}, error=problem)


def plan_entries(tool: Tool[..., Any], entries: Sequence[Entry[Any]]) -> Plan[Any]:
    """Return the plan of entries whose values are fields of the tool, after their validation."""
    _validate(tool, entries)
    return _listed(Options(tool, names_are_given=True), entries)


def tool_of(tool: Callable[..., Any] | str) -> tuple[Tool[..., Any], ToolClient | AsyncToolClient | None]:
    """Return the tool of a name, of a function or of a method of a client, and this client.

    Raises:
        InvalidInput: The object is not a tool.
        NotFound: No tool has this name.
    """
    if isinstance(tool, str):
        return load_tool(tool), None
    if isinstance(tool, ClientTool | AsyncClientTool):
        return tool.tool, tool.client
    if not isinstance(tool, Tool):
        raise InvalidInput('tool: must be a tool, such as mediakit.qr, without parentheses, or its name, such as "qr".')
    return tool, None


def _validate(tool: Tool[..., Any], entries: Sequence[Entry[Any]], *, is_retry: bool = False) -> None:
    check_values(tool, entries)
    _check_main_keys(tool, entries, is_retry=is_retry)
    failed = [entry.error for entry in entries if entry.error]
    if failed and len(failed) == len(entries) and not is_retry:
        raise failed[0]


def _check_main_keys(tool: Tool[..., Any], entries: Sequence[Entry[Any]], *, is_retry: bool) -> None:
    """Set the error of every entry whose template has a main key without a text.

    `defaults` set to `example` or `error` leaves omitted keys to the tool, and `blank` allows empty texts as well. In a
    retry, the entries are a selection, so that a key that no entry has is not an error of all rows.
    """
    names = dict.fromkeys(entry.values.get("template") for entry in entries)
    for name in names if issubclass(tool.request, HtmlSource) else ():
        if isinstance(name, str) and name in TEMPLATES:
            keys = [key.name for key in TEMPLATES[name].keys if key.main]
            filled = [entry for entry in entries if entry.values.get("template") == name]
            if not is_retry:
                _check_columns(name, keys, filled)
            for entry in filled:
                entry.error = entry.error or _problem(name, keys, entry.values)


def _check_columns(template: str, keys: Sequence[str], entries: Sequence[Entry[Any]]) -> None:
    """Raise an error for a main key that is neither a column nor an option."""
    given = {key for entry in entries for key in _texts(entry.values)}
    omitted = [key for key in keys if key not in given]
    if not omitted or any(entry.values.get("defaults") for entry in entries):
        return
    columns = dict.fromkeys(column for entry in entries for column in entry.row.columns)
    raise ColumnsError(
        f"{template} requires {' and '.join(map(quote, omitted))}, but no column or option has this name. The columns "
        f"are {', '.join(map(quote, columns)) or 'empty'}.",
        f'Rename a column, pass {omitted[0]}=... for all rows, or pass defaults="example" to print example texts.',
        missing=omitted,
    )


def _problem(template: str, keys: Sequence[str], values: Mapping[str, Any]) -> InvalidInput | None:
    """Return the error of a row with an empty main key."""
    defaults, texts = values.get("defaults"), _texts(values)
    for key in keys if defaults != "blank" else ():
        text = texts.get(key, None if defaults else "")
        if isinstance(text, str) and not text.strip():
            return InvalidInput(f"{key}: must not be empty, because {template} requires it in every row.")
    return None


def _texts(values: Mapping[str, Any]) -> Mapping[str, Any]:
    data = values.get("data")
    return data if isinstance(data, Mapping) else {}


def warn_of_column(tool: Tool[..., Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Warn if a validator is called for each row although it takes the values of all rows in one call."""
    if len(rows) < 2 or not issubclass(tool.request, ValuesRequest):
        return
    field = tool.request.value_field
    others = [{name: value for name, value in row.items() if name != field} for row in rows]
    if any(field not in row or other != others[0] for row, other in zip(rows, others, strict=True)):
        return
    message = (
        f"batch: {tool.name} takes a column of up to {MAX_VALUES:,} values in one call, for one credit: "
        f'mediakit.{tool.name}(frame["{field}"]).'
    )
    warnings.warn(message, UserWarning, stacklevel=4)
