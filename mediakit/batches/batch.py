"""`batch(tool, rows)`: validate all rows, then call the tool for each; and a sample of the rows before a run."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any

from typing_extensions import TypeVar

from mediakit.batches.columns import EVERY_OTHER, known_names
from mediakit.batches.names import Names, columns_of, renamed_pattern
from mediakit.batches.plan import Options, make_plan, tool_of
from mediakit.batches.result import BatchResult, finished
from mediakit.batches.run import run, run_async
from mediakit.batches.sources import open_rows
from mediakit.batches.sources.rows import RowSource
from mediakit.batches.targets import open_target
from mediakit.batches.work import Entry, check_values
from mediakit.core.introspection import PublicNames, readable
from mediakit.core.runtime import runtime
from mediakit.core.tool import AsyncClientTool, Tool
from mediakit.errors import InvalidInput
from mediakit.results.result import Result

R = TypeVar("R", bound=Result, default=Any)


class Batch(PublicNames):
    """Call a tool for each of many rows: `mediakit.batch(mediakit.qr, frame)`, or `await mediakit.batch.aio(...)`.

    Validators take a whole column in one call, which is one credit: `mediakit.validate_email(frame["email"])`. A batch
    of them is only useful if other fields, such as the country, differ by row.

    Rows that are in memory are all validated before the first call. An invalid or failed row does not stop the others;
    its error is in `.errors`. An interrupt cancels running calls and keeps the files that are saved;
    `mediakit.last_batch` is the partial result, and its `.retry()` runs the rest.

    With `to`, files are saved as soon as they are ready, with a report of all rows (`report.csv`, `report.jsonl`). If
    the same call runs again, only rows that failed, changed or are missing are made.

    Args:
        tool: The tool, such as `mediakit.qr` or `client.qr`, or its name, such as `"qr"`.
        rows: A DataFrame (pandas, Polars, PyArrow, Dask, also lazy), the path of a table file (CSV, TSV, XLSX, ODS,
            Parquet, JSON or JSON Lines), a folder or a pattern such as `photos/*.jpg` whose files are the rows, a
            result such as that of `data_query`, a SQLAlchemy result, any iterable of dictionaries or of values for the
            first field of the tool, or a dictionary of named rows. With `template`, columns can also be its keys. A
            missing value uses the default of a field; for a template key it is an empty text. The main keys of a
            template, such as the recipient of a certificate, must be columns or options, and rows without a text for
            them fail, unless `defaults` is set. For `pdf_form`, columns can also be fields of the form; a missing value
            leaves its field as it is.
        name: Pattern for the names of results, such as `{city}/{recipient}`, with columns and `{row}`, the number of
            the row from 1. By default, a result has the name of its row in a dictionary, the name of the row's file,
            or the number of the row. Names are made safe as file names, and duplicates are numbered.
        to: Where files are saved: a directory, a `.zip` archive, one `.pdf` with a bookmark for each row, a contact
            sheet (`.png`, `.jpg` or `.webp`), or such a path as an fsspec URL (`s3://bucket/certificates`). Existing
            files are replaced.
        columns: New names of columns, such as `{"Name": "recipient"}`. `name` can contain both names.
        ignore: Columns to omit, or `"rest"` for all columns that are neither fields nor template keys. Columns in
            `name` need not be listed.
        force: Whether all rows are made again, although files of an earlier run exist in `to`.
        executor: Where the calls run: an executor of `concurrent.futures` or a `dask.distributed.Client`. Its workers
            write the files in `to` themselves.
        options: Fields and template keys for all rows; the value of a row takes precedence.

    Raises:
        InvalidInput: The rows have an unsupported type, a column is unknown, every row is invalid, or `to` cannot be
            written.
        NotFound: No tool has this name.
    """

    __name__ = "batch"

    @readable
    def __call__(
        self,
        tool: Callable[..., R] | str,
        rows: Any,
        *,
        name: str | None = None,
        to: "str | os.PathLike[str] | None" = None,
        columns: Mapping[str, str] | None = None,
        ignore: str | Iterable[str] = (),
        force: bool = False,
        executor: Any = None,
        **options: Any,
    ) -> BatchResult[R]:
        """Call the tool for every row and wait for all results."""
        if isinstance(tool, AsyncClientTool):
            raise InvalidInput("tool: a tool of an AsyncClient must be awaited; use await mediakit.batch.aio(...).")
        how = _options(tool, options, columns, name=name, to=to, ignore=ignore, force=force, executor=executor)
        with _planning():
            source = runtime.run(_rows(rows, how, columns))
        with closing(source):
            with _planning():
                plan = make_plan(source, how)
            try:
                run(plan)
            finally:
                result = finished(plan)
        return result

    @readable
    async def aio(
        self,
        tool: Callable[..., Awaitable[R]] | Callable[..., R] | str,
        rows: Any,
        *,
        name: str | None = None,
        to: "str | os.PathLike[str] | None" = None,
        columns: Mapping[str, str] | None = None,
        ignore: str | Iterable[str] = (),
        force: bool = False,
        executor: Any = None,
        **options: Any,
    ) -> BatchResult[R]:
        """Call the tool for every row without blocking the running event loop; supports tools of `AsyncClient`."""
        how = _options(tool, options, columns, name=name, to=to, ignore=ignore, force=force, executor=executor)
        with _planning():
            source = await runtime.wait(_rows(rows, how, columns))
        with closing(source):
            with _planning():
                plan = make_plan(source, how)
            try:
                await run_async(plan)
            finally:
                result = finished(plan)
        return result

    def __repr__(self) -> str:
        return "<mediakit.batch: Call a tool for each of many rows.>"


@contextmanager
def _planning() -> Iterator[None]:
    """Say in an interrupt that no call has begun, so that `last_batch` is still that of an earlier batch."""
    try:
        yield
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        error.add_note("The rows of the batch were still being read and checked; no row was made.")
        raise


def _rows(rows: Any, how: Options, columns: Mapping[str, str] | None) -> Coroutine[Any, Any, RowSource]:
    known = [*known_names(how.tool, how.fields), *columns_of(how.name), *how.ignored]
    return open_rows(rows, how.tool.parameters[0].name, columns=columns, known=known)


def _options(
    tool: Callable[..., Any] | str,
    fields: Mapping[str, Any],
    columns: Mapping[str, str] | None,
    *,
    name: str | None,
    to: "str | os.PathLike[str] | None",
    ignore: str | Iterable[str],
    force: bool,
    executor: Any,
) -> Options:
    called, client = tool_of(tool)
    ignored = (EVERY_OTHER,) if ignore == "rest" else (ignore,) if isinstance(ignore, str) else tuple(ignore)
    pattern = None if name is None else renamed_pattern(name, columns or {})
    target = None if to is None else open_target(to)
    return Options(called, client, fields, ignored, pattern, target, executor, force)


batch = Batch()


def sample(
    tool: Tool[..., Any],
    rows: Any,
    fields: Mapping[str, Any],
    *,
    count: int,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
    ignore: Iterable[str] = (),
) -> tuple[int | None, dict[str, str], list[Entry[Any]]]:
    """Validate the first rows of a batch, at most `count`, without a call. The other arguments are those of `batch`.

    Returns:
        The number of rows, or None if it is not known without reading them; what each column is used for; and the rows.
    """
    how = _options(tool, fields, columns, name=name, to=None, ignore=ignore, force=False, executor=None)
    with closing(runtime.run(_rows(rows, how, columns))) as source:
        first = list(islice((row for chunk in source.chunks() for row in chunk), count))
        mapping = how.columns(source.columns)
        mapping.check(first)
        names = Names(how.name, fields, source.total)
        entries = [Entry[Any](row, names.add(row), mapping.values(row)) for row in first]
        check_values(tool, entries)
        total = source.total
    renamed = {new: old for old, new in (columns or {}).items()}
    listed = dict.fromkeys(column for row in first for column in row.columns)
    uses = {renamed.get(column, column): mapping.use(column) for column in listed}
    return total, uses, entries
