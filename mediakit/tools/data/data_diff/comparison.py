"""The request of `data_diff`, and the comparison, which is made in a worker."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Annotated, Any, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.tables.columns.texts import check_names
from mediakit.engines.tables.model import MAX_COLUMNS, Column, Document, Table
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.request import Rows, Sheet, TableFile, TableOptions, TableText, Types
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.cells import DiffOptions, Format, Mode, Outcome, Side
from mediakit.tools.data.data_diff.report import write
from mediakit.tools.data.data_diff.rows import MAX_KEY_COLUMNS
from mediakit.tools.data.data_diff.table_diff import describe, diff_tables
from mediakit.tools.data.data_diff.tree_diff import diff_trees, is_array_of_rows

MAX_NAME_LENGTH = 1000
"""Characters of the name of a column."""

MAX_LISTED = 100_000
"""The largest `max_changes`."""

_RENAME_RULE = 'must be an object of names, such as {"qty": "quantity"}.'


def _rename(value: Any) -> Mapping[str, str]:
    """Return new names by the old ones, which a query string carries as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError(_RENAME_RULE) from None
    is_names = isinstance(value, Mapping) and all(
        isinstance(name, str) and 0 < len(name) <= MAX_NAME_LENGTH for pair in value.items() for name in pair
    )
    if not is_names or len(value) > MAX_COLUMNS:
        raise ValueError(_RENAME_RULE)
    return dict(value)


Renamed = Annotated[
    Mapping[str, str],
    PlainValidator(_rename),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}, "x-kind": "text"}),
]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]


@request
class DataDiffRequest(TableOptions):
    """Two tables or documents, and how they are compared."""

    file: Annotated[TableFile, Synonyms("file1, before, old, first, left")] | None = None
    """The old table or document: CSV, TSV, JSON, JSON Lines, Excel, ODS, Parquet, YAML, TOML or Markdown; in Python
    also a data frame, a list of dicts or a dict of lists."""
    file2: Annotated[TableFile, Synonyms("after, new, second, right, other")] | None = None
    """The new one, of the same or another kind."""
    _: KW_ONLY
    key: (
        Annotated[Sequence[Name], Field(max_length=MAX_KEY_COLUMNS), Synonyms("on, id, keys, primary_key, index")]
        | None
    ) = None
    """Columns that identify a row, at most 10. Unset: the smallest set of columns that is unique in both tables;
    without one, rows are matched by their content."""
    ignore: Annotated[Sequence[Name], Field(max_length=MAX_COLUMNS), Synonyms("exclude, ignore_columns")] = ()
    """Columns, or JSON paths such as `$.meta.*`, that are not compared."""
    tolerance: Annotated[float, Field(ge=0), Synonyms("atol, absolute_tolerance")] = 0
    """Largest difference of two numbers that count as equal."""
    relative_tolerance: Annotated[float, Field(ge=0, le=1), Synonyms("rtol")] = 0
    """The same as a share of the larger number; 0.01 is one percent."""
    ignore_case: bool = False
    """Ignore capitals in texts."""
    ignore_space: bool = False
    """Ignore space around texts, and how much space is inside of them."""
    ignore_order: bool = True
    """Ignore the order of rows and columns. Arrays in a tree are always compared in their order."""
    strict_keys: bool = False
    """Refuse tables in which two rows have one key."""
    mode: Mode = "auto"
    """Compare rows of tables, or any JSON, YAML and TOML as a tree; auto compares tables if both inputs are tables."""
    rename: Renamed | None = None
    """New name by old name of the columns that were renamed. Unset: columns of equal content are compared as one."""
    format: Annotated[Format, Synonyms("to, output, output_format", {"xlsx": "excel"})] = "json"
    """Format of the differences: json is the response alone, patch is a JSON patch (RFC 6902)."""
    max_changes: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 1000
    """Number of rows to list at most in each of added, removed and changed; a patch is always complete."""
    text: TableText | None = None
    """The old table or document as text, in place of a file; at most 5,000,000 characters."""
    text2: TableText | None = None
    """The new one as text."""
    rows: Rows | None = None
    """Rows in place of the old file: an array of objects or of arrays."""
    rows2: Rows | None = None
    """Rows in place of the new file."""
    types2: Types | None = None
    """Types of the columns of the new table, if they are others than `types`."""
    sheet2: Sheet | None = None
    """Sheet of the new workbook, if it is another one than `sheet`."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """The two inputs, and how they are read."""
        first, second = self._sources()
        return self._side(first, ""), self._side(second, "2")

    @property
    def options(self) -> DiffOptions:
        """The options of the comparison."""
        return DiffOptions(**{each.name: getattr(self, each.name) for each in fields(DiffOptions)})

    def _side(self, source: Source, suffix: str) -> Side:
        read = replace(self.read_options(f"{source.field}{suffix}"), allows_missing_types=True)
        if suffix and self.sheet2 is not None:
            read = replace(read, sheet=str(self.sheet2))
        if suffix and self.types2 is not None:
            read = replace(read, types=self.types2)
        return Side(source, read)

    def _sources(self) -> tuple[Source, Source]:
        return (
            self.table_source(self.file, self.text, self.rows),
            self.table_source(self.file2, self.text2, self.rows2, "2"),
        )

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        self._sources()
        for name in ("key", "rename"):
            if getattr(self, name) and self.mode == "tree":
                raise ValueError(f"{name}: requires mode table, got tree.")
        if self.strict_keys and self.mode == "tree":
            raise ValueError("strict_keys: requires mode table, got tree.")
        return self


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
    outcome = _compare_documents(first, second, sides, request.options)
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


def _compare_documents(first: Document, second: Document, sides: tuple[Side, Side], options: DiffOptions) -> Outcome:
    if _is_tree(first, second, options):
        return diff_trees(_value(first), _value(second), options)
    one, two = _table(first, sides[0]), _table(second, sides[1])
    for side in sides:
        if not isinstance(side.read.types, str):
            check_names(side.read.types, [*one.names, *two.names])
    one, two = _without_empty_texts(one, second), _without_empty_texts(two, first)
    one, two = _with_other_units(one, two), _with_other_units(two, one)
    return describe(diff_tables(one, two, options), options)


def _is_tree(first: Document, second: Document, options: DiffOptions) -> bool:
    """Return whether the documents are compared as trees: by `mode`, or because one of two values is not a table.

    A patch of two values is one of their trees, so that it applies to them as they are.
    """
    if options.mode != "auto":
        return options.mode == "tree"
    if not (first.is_value and second.is_value):
        return False
    if options.format == "patch" and not (options.key or options.rename):
        return True
    return not (is_array_of_rows(first.value) and is_array_of_rows(second.value))


def _value(document: Document) -> Any:
    return document.value if document.is_value else list(document.table.records())


def _table(document: Document, side: Side) -> Table:
    return as_tables(document, side.read).table


def _with_other_units(table: Table, other: Table) -> Table:
    """Return a table whose numbers are texts with their unit where the other table has another unit, or none."""
    units = {column.name: column.unit for column in other.columns}
    return Table(
        [
            Column(each.name, "text", [None if value is None else f"{value} {each.unit}" for value in each.values])
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
