"""The request of `data_profile`."""

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Annotated, Any, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.tables.model import MAX_ROWS
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import Rows, TableFile, TableOptions, TableText

MAX_SCHEMA_CHARACTERS = 200_000
DEFAULT_MAX_ROWS = 100_000


def _schema(value: Any) -> dict[str, Any]:
    """Return a JSON Schema; a query string and a form carry it as JSON text."""
    if isinstance(value, str):
        _check_size(value)
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError("must be a JSON Schema, an object of JSON; the text is not JSON.") from None
    if not isinstance(value, Mapping):
        raise ValueError(  # noqa: TRY004  # pydantic turns ValueError into a message
            'must be an object, such as {"properties": {"age": {"minimum": 0}}}.'
        )
    try:
        text = json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        raise ValueError("must be an object that JSON can hold.") from None
    _check_size(text)
    plain: dict[str, Any] = json.loads(text)
    return plain


def _check_size(text: str) -> None:
    if len(text) > MAX_SCHEMA_CHARACTERS:
        raise ValueError(f"must have at most {MAX_SCHEMA_CHARACTERS:,} characters of JSON, got {len(text):,}.")


Schema = Annotated[
    dict[str, Any],
    PlainValidator(_schema),
    WithJsonSchema({"type": "object", "additionalProperties": True}),
]


@request
class DataProfileRequest(TableOptions):
    """A table, and what to look at."""

    file: TableFile | None = None
    """CSV, TSV, JSON, JSON Lines, Excel (XLSX, XLSM, XLSB, XLS), ODS, Parquet, YAML, TOML or Markdown; in Python also a
    data frame, a list of dicts or a dict of lists."""
    _: KW_ONLY
    text: TableText | None = None
    """The same as text, in place of a file; at most 5,000,000 characters."""
    rows: Rows | None = None
    """Rows in place of a file: an array of objects or of arrays."""
    schema: Annotated[Schema | None, Synonyms("json_schema, rules")] = None
    """JSON Schema (draft 2020-12) that each row must fit; with `"type": "array"` it is for the array of all rows. Dates
    are text there. At most 200,000 characters. References to other documents are refused."""
    max_rows: Annotated[int, Field(ge=1, le=MAX_ROWS), Synonyms("limit, nrows")] = DEFAULT_MAX_ROWS
    """Number of rows to look at; of a longer table, an even sample of so many rows."""
    top: Annotated[int, Field(ge=0, le=20)] = 5
    """Number of most frequent values to list by column."""
    sample: Annotated[int, Field(ge=0, le=20)] = 5
    """Number of first rows to return."""

    @property
    def source(self) -> Source:
        """The table."""
        return self.table_source(self.file, self.text, self.rows)

    @property
    def reading(self) -> ReadOptions:
        """How the table is read."""
        return replace(self.read_options(self.source.field), keep_cells=True)

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        self.table_source(self.file, self.text, self.rows)
        return self


@dataclass(frozen=True)
class Profiled:
    """What a worker returns: the fields of the response and its meta."""

    fields: dict[str, Any]
    meta: dict[str, Any]
