"""The fields of every request that validates values."""

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.tables.request import TableFile
from mediakit.engines.validation.cleaning import MAX_VALUE_CHARACTERS, MAX_VALUES, lines_of
from mediakit.engines.validation.python_values import ColumnValues, ValueText

MAX_TEXT_CHARACTERS = MAX_VALUES * (MAX_VALUE_CHARACTERS + 2)
"""Characters of the largest text: a value per line."""

MAX_COLUMN_NAME = 1000


def _item(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text.")  # noqa: TRY004  # pydantic turns ValueError into a message
    _check_unicode(value)
    if len(value) > MAX_VALUE_CHARACTERS:
        raise ValueError(f"must have at most {MAX_VALUE_CHARACTERS} characters, got {len(value)}.")
    return value


def _check_unicode(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("must be valid Unicode text, without lone surrogates.") from None


def _text(value: Any) -> str:
    """Return a text with one value, or with a value per line."""
    if not isinstance(value, str):
        raise ValueError(f"must be text, got {quote(value)}.")  # noqa: TRY004
    _check_unicode(value)
    lines = lines_of(value)
    if len(lines) > MAX_VALUES:
        raise ValueError(f"must have at most {MAX_VALUES} lines, got {len(lines)}.")
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_VALUE_CHARACTERS:
            where = f"line {number} " if len(lines) > 1 else ""
            raise ValueError(f"{where}must have at most {MAX_VALUE_CHARACTERS} characters, got {len(line)}.")
    return value if type(value) in (str, ValueText) else str(value)


def _column(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not 0 < len(value) <= MAX_COLUMN_NAME:
        raise ValueError(f"must be the name of a column or its number, got {quote(value)}.")
    _check_unicode(value)
    return value


class _ListOfValues:
    """Validates a list of texts, and keeps what a column of Python has beside them."""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        item = core_schema.no_info_plain_validator_function(_item)
        listed = core_schema.list_schema(item, min_length=1, max_length=MAX_VALUES, strict=True)
        return core_schema.no_info_wrap_validator_function(_keep_column, listed)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        item = {"type": "string", "maxLength": MAX_VALUE_CHARACTERS}
        return {"type": "array", "items": item, "minItems": 1, "maxItems": MAX_VALUES}


def _keep_column(value: Any, validate: Callable[[Any], list[str]]) -> list[str]:
    values = validate(value)
    return value if isinstance(value, ColumnValues) else values


ValueField = Annotated[
    Any,
    PlainValidator(_text),
    WithJsonSchema({"type": "string", "maxLength": MAX_TEXT_CHARACTERS}),
]
"""One value, of at most 1000 characters, or one per line. In Python also a column: a Series, a list, an array."""

Values = Annotated[Any, _ListOfValues()]
"""Values of at most 1000 characters. In Python also a column."""

ColumnName = Annotated[
    str | int,
    PlainValidator(_column),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_COLUMN_NAME}),
]
"""Name or number of a column."""


@request
class ValuesRequest:
    """The values to check. A request that inherits it has one more field, for one value, as its first."""

    value_field: ClassVar[str]
    """The name of the field for one value."""

    _: KW_ONLY
    values: Annotated[Values | None, Synonyms("list, items")] = None
    """Values in place of one: 1 to 1000 texts of at most 1000 characters."""
    file: TableFile | None = None
    """A table in place of values: CSV, JSON, Excel, ODS, Parquet, YAML or Markdown; at most 1000 rows. In Python also a
    data frame."""
    column: Annotated[ColumnName | None, Synonyms("field")] = None
    """Name or number, from 1, of the column of `file` to check; may be omitted if there is only one."""

    @model_validator(mode="after")
    def _check_sources(self) -> Self:
        names = (self.value_field, "values", "file")
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) != 1:
            found = ", ".join(given) or "none"
            raise ValueError(f"{names[0]}: exactly one of {names[0]}, values and file is required, got {found}.")
        if self.column is not None and self.file is None:
            raise ValueError("column: requires file.")
        return self
