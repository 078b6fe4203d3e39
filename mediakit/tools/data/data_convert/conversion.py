"""The conversion itself, which runs in a worker process: a source in, the bytes of a file out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mediakit.display.tables import MAX_SHOWN_ROWS
from mediakit.engines.tables.model import Document, Facts, Table
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.selection import Pick, select
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.engines.tables.writers.fragments import as_text


@dataclass(frozen=True)
class Job:
    """What to convert, and how."""

    source: Source
    read: ReadOptions
    write: WriteOptions
    picks: Sequence[Pick] | None
    keeps_values: bool
    """Whether JSON, YAML and TOML go through as values of any shape."""


@dataclass(frozen=True)
class Preview:
    """The first rows of a table as text."""

    columns: list[dict[str, str]]
    rows: list[list[str | None]]


@dataclass(frozen=True)
class Converted:
    """The result of a job."""

    content: bytes
    is_archive: bool
    meta: dict[str, Any]
    preview: Preview | None


def convert(job: Job) -> Converted:
    """Convert a source to a file.

    Raises:
        InvalidInput: The source cannot be read, or the format cannot hold it.
    """
    document = read_source(job.source, job.read)
    if not (job.keeps_values and document.is_value):
        as_tables(document, job.read)
    if job.picks is not None:
        document.tables = {name: select(table, job.picks) for name, table in document.tables.items()}
    written = write(document, job.write)
    table = document.table if len(document.tables) == 1 and not document.is_value else None
    return Converted(written.content, written.is_archive, _meta(document, table), _preview(table) if table else None)


def read_rows(job: Job) -> tuple[list[dict[str, str]], bytes]:
    """Return the columns of the job's table and its rows as JSON, whatever format the job writes.

    Raises:
        InvalidInput: The source is not one table.
    """
    converted = convert(replace(job, write=WriteOptions(to="json", indent=0), keeps_values=False))
    columns = converted.meta["columns"]
    return columns or [], converted.content


def _meta(document: Document, table: Table | None) -> dict[str, Any]:
    facts: Facts = document.facts
    return {
        "rows": _count(document),
        "columns": _columns(table) if table else None,
        "input_format": facts.input_format,
        "encoding": facts.encoding,
        "delimiter": facts.delimiter,
        "decimal": facts.decimal,
        "date_order": facts.date_order,
        "sheet": facts.sheet,
        "sheets": facts.sheets,
        "skipped_lines": facts.skipped_lines,
        "warnings": facts.warnings,
    }


def _count(document: Document) -> int | None:
    if document.is_value:
        return len(document.value) if isinstance(document.value, list) else None
    return sum(map(len, document.tables.values()))


def _columns(table: Table) -> list[dict[str, str]]:
    return [{"name": column.name, "type": column.type} for column in table.columns]


def _preview(table: Table) -> Preview:
    head = table.head(MAX_SHOWN_ROWS)
    columns = [
        [None if value is None else text for value, text in zip(column.values, as_text(column), strict=True)]
        for column in head.columns
    ]
    return Preview(_columns(table), [list(row) for row in zip(*columns, strict=True)])
