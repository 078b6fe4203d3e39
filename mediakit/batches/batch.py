"""`batch(tool, rows)`: validate all rows, then call the tool for each."""

import os
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar, overload

from mediakit.batches.plan import make_plan, tool_of
from mediakit.batches.result import BatchResult, finished
from mediakit.batches.runs import run, run_async
from mediakit.core.public_names import PublicNames
from mediakit.core.runtime import runtime
from mediakit.core.signatures import readable
from mediakit.core.tool import AsyncClientTool
from mediakit.engines.tables.row_files import load
from mediakit.errors import InvalidInput
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)


class Batch(PublicNames):
    """Call a tool for each of many rows: `mediakit.batch(mediakit.qr, frame)`, or `await mediakit.batch.aio(...)`.

    Validators take a whole column in one call, which is one credit: `mediakit.validate_email(frame["email"])`. A batch
    of them is only useful if other fields, such as the country, differ by row.

    All rows are validated before the first call. An invalid or failed row does not stop the others; its error is in
    `.errors`. An interrupt cancels running calls and keeps the files that are saved; `mediakit.last_batch` is the
    partial result, and its `.retry()` runs the rest.

    Args:
        tool: The tool, such as `mediakit.qr` or `client.qr`.
        rows: A DataFrame (pandas, Polars, PyArrow, Dask), the path of a table file (CSV, TSV, XLSX, ODS, Parquet or
            JSON), a list of dictionaries, a list or Series of values for the first field of the tool, or a dictionary
            of named rows. With `template`, columns can also be its keys. A missing value uses the default of a field;
            for a template key it is an empty text. The main keys of a template, such as the recipient of a certificate,
            must be columns or options, and rows without a text for them fail, unless `defaults` is set. For `pdf_form`,
            columns can also be fields of the form; a missing value leaves its field as it is.
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

    @readable
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
        tool_of(tool)
        if isinstance(tool, AsyncClientTool):
            raise InvalidInput("tool: a tool of an AsyncClient must be awaited; use await mediakit.batch.aio(...).")
        source = runtime.run(load(rows))
        plan = make_plan(tool, source, options, name=name, to=to, ignore=ignore)
        try:
            run(plan)
        finally:
            result = finished(plan)
        return result

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
    @readable
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
        tool_of(tool)
        source = await runtime.wait(load(rows))
        plan = make_plan(tool, source, options, name=name, to=to, ignore=ignore)
        try:
            await run_async(plan)
        finally:
            result = finished(plan)
        return result

    def __repr__(self) -> str:
        return "<mediakit.batch: Call a tool for each of many rows.>"


batch = Batch()
