"""The comparison of two sources, which is made in a worker."""

from dataclasses import dataclass
from typing import Any

from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.columns.texts import check_names
from mediakit.engines.tables.model import Column, Document, Table
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.cells import Outcome
from mediakit.tools.data.data_diff.report import write
from mediakit.tools.data.data_diff.request import DataDiffRequest, Side
from mediakit.tools.data.data_diff.table_diff import describe, diff_tables
from mediakit.tools.data.data_diff.tree_diff import diff_trees, is_array_of_rows


@dataclass(frozen=True)
class Compared:
    """What a worker returns."""

    fields: dict[str, Any]
    meta: dict[str, Any]
    content: bytes | None
    """The file, where the format makes one."""


_WITHOUT_EMPTY_TEXTS = ("csv", "excel", "markdown")
"""Formats in which an empty text and null look the same."""


def compare(request: DataDiffRequest) -> Compared:
    """Compare two sources.

    Raises:
        InvalidInput: A source cannot be read, or an option does not fit them.
    """
    sides = request.sides
    first, second = map(_read, sides)
    outcome = _compare_documents(first, second, sides, request)
    facts = {
        f"{name}{suffix}": getattr(document.facts, name)
        for suffix, document in (("", first), ("2", second))
        for name in ("input_format", "encoding", "sheet")
    }
    read = [(side.name, document) for side, document in zip(sides, (first, second), strict=True)]
    warnings = [f"{name}: {sentence}" for name, document in read for sentence in document.facts.warnings]
    meta = {**outcome.meta, **facts, "warnings": [*warnings, *outcome.meta.get("warnings", ())]}
    return Compared(outcome.fields, meta, write(outcome, meta, request.format))


def _read(side: Side) -> Document:
    """Read a source; rows of Python are a value of any shape until they are compared as a table."""
    if side.source.field == "rows":
        document = read_source(Source("rows", []), side.read)
        document.value, document.is_value = side.source.value, True
        return document
    document = read_source(side.source, side.read)
    if len(document.tables) > 1:
        raise InvalidInput('sheet: "*" is not possible here; one sheet of each workbook is compared.')
    return document


def _compare_documents(
    first: Document, second: Document, sides: tuple[Side, Side], request: DataDiffRequest
) -> Outcome:
    if _is_tree(first, second, request):
        one, two = (each.value if each.is_value else list(each.table.records()) for each in (first, second))
        return diff_trees(one, two, request)
    old, new = (as_tables(each, side.read).table for each, side in zip((first, second), sides, strict=True))
    for side in sides:
        if not isinstance(side.read.types, str):
            check_names(side.read.types, [*old.names, *new.names])
    old, new = _without_empty_texts(old, second), _without_empty_texts(new, first)
    old, new = _with_other_units(old, new), _with_other_units(new, old)
    return describe(diff_tables(old, new, request), request)


def _is_tree(first: Document, second: Document, request: DataDiffRequest) -> bool:
    """Return whether the documents are compared as trees: by `mode`, or because one of two values is not a table.

    A patch of two values is one of their trees, so that it applies to them as they are.
    """
    if request.mode != "auto":
        return request.mode == "tree"
    if not (first.is_value and second.is_value):
        return False
    if request.format == "patch" and not (request.key or request.rename):
        return True
    return not (is_array_of_rows(first.value) and is_array_of_rows(second.value))


def _with_other_units(table: Table, other: Table) -> Table:
    """Return a table whose numbers are texts with their unit where the other table has another unit, or none."""
    units = {column.name: column.unit for column in other.columns}
    return Table(
        [
            Column(
                each.name, "text", [None if value is None else f"{text_of(value)} {each.unit}" for value in each.values]
            )
            if each.unit and each.type != "text" and each.unit != units.get(each.name, each.unit)
            else each
            for each in table.columns
        ]
    )


def _without_empty_texts(table: Table, other: Document) -> Table:
    """Return a table whose empty texts are null, if the other one comes from a format that has only one of both."""
    if other.facts.input_format not in _WITHOUT_EMPTY_TEXTS:
        return table
    return Table(
        [
            Column(column.name, column.type, [None if value == "" else value for value in column.values])
            if type(column) is Column and column.type == "text" and "" in column.values  # packed texts have none
            else column
            for column in table.columns
        ]
    )
