"""The conversion itself, which runs in a worker process: a source in, the bytes of a file out."""

from typing import Any

from mediakit.display.tables import MAX_SHOWN_ROWS
from mediakit.engines.tables.model import Document, Facts, Table
from mediakit.engines.tables.reading import as_tables, read_source
from mediakit.engines.tables.selection import select
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.engines.tables.writers.fragments import as_text
from mediakit.tools.data.data_convert.request import Converted, DataConvertRequest, Preview, TableRows


def convert(request: DataConvertRequest) -> Converted:
    """Convert a source to a file.

    Raises:
        InvalidInput: The source cannot be read, or the format cannot hold it.
    """
    return _converted(request, request.writing, keeps_values=request.keeps_values)


def read_rows(request: DataConvertRequest) -> TableRows:
    """Return the columns of the table and its rows, whatever format the request names.

    Raises:
        InvalidInput: The source is not one table.
    """
    converted = _converted(request, WriteOptions(to="json", indent=0), keeps_values=False)
    return TableRows(converted.meta["columns"] or [], converted.content)


def _converted(request: DataConvertRequest, writing: WriteOptions, *, keeps_values: bool) -> Converted:
    document = read_source(request.source, request.reading)
    if not (keeps_values and document.is_value):
        as_tables(document, request.reading)
    if (picks := request.picks) is not None:
        document.tables = {name: select(table, picks) for name, table in document.tables.items()}
    written = write(document, writing)
    table = document.table if len(document.tables) == 1 and not document.is_value else None
    return Converted(
        written.content, written.is_archive, _meta(document, table), None if table is None else _preview(table)
    )


def _meta(document: Document, table: Table | None) -> dict[str, Any]:
    facts: Facts = document.facts
    return {
        "rows": _count(document),
        "columns": None if table is None else _columns(table),
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
    return [
        {"name": column.name, "type": column.type} | ({"unit": column.unit} if column.unit else {})
        for column in table.columns
    ]


def _preview(table: Table) -> Preview:
    head = table.head(MAX_SHOWN_ROWS)
    columns = [
        [None if value is None else text for value, text in zip(column.values, as_text(column), strict=True)]
        for column in head.columns
    ]
    return Preview(_columns(table), [list(row) for row in zip(*columns, strict=True)])
