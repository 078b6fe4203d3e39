"""The request of `data_sample`, and its result."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from functools import cached_property
from typing import Annotated, Any, Literal, Self, cast

import pybase64
from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema, model_validator

from mediakit.core.inputs import FileBytes, is_table, load_file, local_file
from mediakit.core.messages import counted, quote
from mediakit.core.request import invalid, request
from mediakit.core.suggestions import Synonyms
from mediakit.display import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.tables.model import COLUMN_TYPES, Column, Table
from mediakit.engines.tables.python_tables import frame, is_json_file, rows_of_result, rows_of_table
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import MAX_TEXT_CHARACTERS
from mediakit.engines.tables.writers.values import shown_rows
from mediakit.results.data import MadeData
from mediakit.results.files import FileResult
from mediakit.results.item import field
from mediakit.results.result import Bundle, ListResult
from mediakit.tools.data.data_sample.fields import MAX_FIELDS, check_fields, described_fields
from mediakit.tools.data.data_sample.generation import MAX_ROWS as MAX_LIKE_ROWS
from mediakit.tools.data.data_sample.kinds import KINDS, Template
from mediakit.tools.data.data_sample.plan import locale_of

MAX_ROWS = 1000
MAX_PYTHON_ROWS = 100_000
MAX_SEED = 2**31

Format = Literal["json", "jsonl", "csv", "xlsx", "sql", "parquet"]

_LIKE_RULE = "must be an array of objects or arrays, the text of a table, or a file"


class PythonRows(int):
    """A number of rows that a caller in Python passed, which may be larger."""


def adapt_arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with what only Python can pass as a request takes it.

    Raises:
        InvalidInput: A file cannot be read.
    """
    arguments = dict(values)
    rows = arguments.get("rows")
    if isinstance(rows, int) and not isinstance(rows, bool):
        arguments["rows"] = PythonRows(rows)
    if is_table(arguments.get("fields")) and arguments.get("like") is None:
        arguments["like"] = arguments.pop("fields")
    like = arguments.get("like")
    if like is not None and not (isinstance(like, Mapping) and _is_typed(like)):  # in the code of a call
        arguments["like"] = _adapt_like(like)
    return arguments


def _adapt_like(like: Any) -> Any:
    """Return a table as JSON can hold it: rows, text, or a file as base64."""
    if (rows := rows_of_result(like)) is not None:
        like = rows
    if is_table(like) and hasattr(like, "head"):
        like = like.head(MAX_LIKE_ROWS)
    if isinstance(like, list) and len(like) > MAX_LIKE_ROWS:
        like = like[:MAX_LIKE_ROWS]
    if found := rows_of_table(like):
        table, types = found
        return {"rows": table, "types": types} if table and types else table
    is_text = isinstance(like, str) and ("\n" in like or like.lstrip().startswith(("[", "{")))
    if is_text or isinstance(like, Mapping):
        return like
    try:
        content = load_file(local_file(like))
    except ValueError as error:
        raise invalid([{"field": "like", "message": str(error)}]) from None
    return {"name": content.name, "file": pybase64.b64encode(content).decode()}


def _check_rows(value: Any) -> int:
    most = MAX_PYTHON_ROWS if isinstance(value, PythonRows) else MAX_ROWS
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"must be an integer, got {quote(value)}.")  # noqa: TRY004  # pydantic turns it into a message
    if not 1 <= value <= most:
        raise ValueError(f"must be between 1 and {most}, got {int(value)}.")
    return int(value)


def _check_lang(value: str) -> str:
    locale_of(value)
    return value


def _check_like(value: Any) -> Any:
    if isinstance(value, str):
        if not 0 < len(value) <= MAX_TEXT_CHARACTERS:
            raise ValueError(f"must have 1 to {MAX_TEXT_CHARACTERS:,} characters, got {len(value):,}.")
        return value
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping) and not is_json_file(value):
        if _is_typed(value) and not (
            isinstance(value["rows"], list) and all(kind in COLUMN_TYPES for kind in value["types"].values())
        ):
            raise ValueError(f"{_LIKE_RULE}.")
        return dict(value)
    return load_file(value)


def _is_typed(value: Mapping[str, Any]) -> bool:
    return value.keys() == {"rows", "types"} and isinstance(value["types"], Mapping)


_FIELD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Name of the field, in an array of fields."},
        "kind": {"type": "string", "enum": list(KINDS)},
        "null_pct": {"type": "number", "minimum": 0, "maximum": 100, "description": "Share of nulls in percent."},
        "unique": {"type": "boolean", "description": "Whether no value is there twice."},
    },
    "description": "A kind with its options.",
}
_ANY_FIELD = {"anyOf": [{"type": "string"}, _FIELD_SCHEMA]}
_FIELDS_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "object", "minProperties": 1, "maxProperties": MAX_FIELDS, "additionalProperties": _ANY_FIELD},
        {"type": "array", "minItems": 1, "maxItems": MAX_FIELDS, "items": _ANY_FIELD},
        {"type": "string", "minLength": 1},
    ],
    "x-kind": "object",
    "examples": [{"name": "name", "age": {"kind": "integer", "min": 18, "max": 90}}],
}

Fields = Annotated[
    Any, PlainValidator(lambda value: described_fields(check_fields(value))), WithJsonSchema(_FIELDS_SCHEMA)
]
"""Kinds by the name of the field, in order."""

Rows = Annotated[
    int, PlainValidator(_check_rows), WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MAX_ROWS})
]

Like = Annotated[
    Any,
    PlainValidator(_check_like),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "object"}, {"type": "array"}]}},
                {"type": "string", "minLength": 1, "maxLength": MAX_TEXT_CHARACTERS},
                {"type": "object"},
            ],
            "x-kind": "table",
        }
    ),
]


@request
class DataSampleRequest:
    """The fields of a table, or what it is like, and its number of rows."""

    fields: Annotated[Fields | None, Synonyms("columns, schema")] = None
    """Kinds by the name of the field: `{"name": "name", "age": {"kind": "integer", "min": 18}}`; also an array of
    objects with `name` and `kind`, or a text such as `id, name, born: date`. `null_pct` and `unique` go with every
    kind."""
    rows: Annotated[Rows, Synonyms("count, n, number, size")] = 10
    """Number of rows; in Python up to 100,000."""
    _: KW_ONLY
    template: Template | None = None
    """A ready list of fields, instead of `fields`."""
    like: Like | None = None
    """A table, instead of `fields`, whose columns' types, ranges, categories and share of nulls are copied: rows, or
    the text of a table; in Python also a data frame, a file or a list of dicts."""
    lang: Annotated[
        str, Field(min_length=2, max_length=10), AfterValidator(_check_lang), Synonyms("locale, language")
    ] = "en"
    """Language of names, places and products: en, es, or a locale such as es_MX, de_DE or ja_JP."""
    seed: Annotated[int, Field(ge=0, le=MAX_SEED), Synonyms("random_state, random_seed")] | None = None
    """Makes the rows repeatable. Unset: one is chosen, and returned in `meta`."""
    format: Annotated[Format, Synonyms("to, output, output_format", {"xlsx": "excel", "jsonl": "ndjson"})] = "json"
    """Format of the result: rows as json, or a file."""

    @cached_property
    def locale(self) -> str:
        """The locale of the language."""
        return locale_of(self.lang)

    def like_source(self) -> tuple[Source, Mapping[str, Any]]:
        """Return the table of `like`, and the types of its columns."""
        if isinstance(self.like, FileBytes):
            return Source("file", self.like, self.like.name), {}
        if isinstance(self.like, str):
            return Source("text", self.like), {}
        if isinstance(self.like, dict) and _is_typed(self.like):
            return Source("rows", self.like["rows"]), self.like["types"]
        return Source("rows", self.like), {}

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in ("fields", "template", "like") if getattr(self, name) is not None]
        if len(given) != 1:
            found = ", ".join(given) or "none"
            raise ValueError(f"fields: exactly one of fields, template and like is required, got {found}.")
        return self


EXAMPLE = {"id": 1, "name": "Samantha Boyd", "email": "samantha.boyd@example.org"}


class SampleResult(ListResult[dict[str, Any]], MadeData):
    """Made-up rows. Iterate over it, or use `len()`, for the rows; other formats than json are a file, too."""

    _items = "rows"

    rows: Annotated[list[dict[str, Any]], Field(examples=[[EXAMPLE]])] = field(metadata={"json": True})
    """The rows by the name of the field. Dates and times are ISO 8601."""
    made: FileResult | None = None
    """The file, if one was made."""

    @property
    def columns(self) -> list[dict[str, str]]:
        """Name, type and kind of each column."""
        return cast("list[dict[str, str]]", self.meta["columns"])

    @property
    def seed(self) -> int:
        """The seed, with which the same rows are made again."""
        return cast("int", self.meta["seed"])

    def _rows(self) -> list[dict[str, Any]]:
        return self.rows

    def _frame(self) -> Any:
        return frame(self._table(len(self)))

    def _facts(self) -> str:
        return f"{counted(len(self), 'row')} × {counted(len(self.columns), 'column')}"

    def _table(self, count: int) -> Table:
        return Table(
            [
                Column(one["name"], cast("Any", one["type"]), [row[one["name"]] for row in self.rows[:count]])
                for one in self.columns
            ]
        )

    def _bundle(self) -> Bundle:
        head = self._table(MAX_SHOWN_ROWS).columns
        columns = [ShownColumn(one.name, one.type, one.type in ("integer", "number")) for one in head]
        caption = " · ".join(filter(None, (self.filename, self._facts(), f"seed {self.seed}")))
        return {"text/html": table_html(columns, shown_rows(head), caption, len(self))}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self._facts(), f"seed {self.seed}", self.filename)))
        return f"<{type(self).__name__} {facts}>"
