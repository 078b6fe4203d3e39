"""Reads the table of a form, to show its columns and first rows."""

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY
from typing import Any

from mediakit.core.inputs import local_file
from mediakit.core.request import build, request
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import ReadOptions, Table
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.request import Rows, TableFile, TableOptions, TableText
from mediakit.errors import MediakitError

READING = tuple(TableOptions.__dataclass_fields__)
"""Fields that say how a table is read."""

SOURCES = ("file", "text", "rows")


@request
class TableRequest(TableOptions):
    """One table, and how it is read."""

    file: TableFile | None = None
    """The table as a file."""
    _: KW_ONLY
    text: TableText | None = None
    """The table as text."""
    rows: Rows | None = None
    """The table as rows."""


def reading_fields(names: Collection[str], suffix: str = "") -> dict[str, str]:
    """Return the fields of a tool that its table depends on, by their names in a request of one table.

    Args:
        names: The fields of the tool.
        suffix: What the fields of another table end with, such as `2`.
    """
    of_table = {name: f"{name}{suffix}" for name in SOURCES if f"{name}{suffix}" in names}
    return of_table | {name: name for name in READING if name in names}


async def load_table(values: Mapping[str, Any], most: int) -> Table | None:
    """Return the first rows of a table; None if there is none, or it cannot be read.

    Args:
        values: Values of `TableRequest`; None for those that are not set.
        most: The number of rows at most.
    """
    given = {name: value for name, value in values.items() if value is not None}
    if given.keys().isdisjoint(SOURCES):
        return None
    try:
        if "file" in given:
            given["file"] = local_file(given["file"])
        wanted = build(TableRequest, given)
        source = wanted.table_source(wanted.file, wanted.text, wanted.rows)
        options = wanted.read_options(source.field, max_rows=most)
        return await run_guarded(first_rows, source, options, field=source.field, guard=TABLE)
    except (MediakitError, ValueError):  # the preview shows the error of the tool
        return None


def first_rows(source: Source, options: ReadOptions) -> Table:
    """Return the table of a source; call it in a worker.

    Raises:
        InvalidInput: The source cannot be read.
    """
    return as_tables(read_source(source, options), options).table
