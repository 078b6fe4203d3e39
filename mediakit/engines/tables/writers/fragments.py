"""The values of a column as the texts that formats write, one function per format and type."""

from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from mediakit.engines.tables.model import Column
from mediakit.engines.tables.writers.json_values import encode
from mediakit.engines.tables.writers.numerals import number


def as_json(column: Column) -> list[str]:
    """Return the values of a column as JSON."""
    if column.type in ("text", "date", "datetime", "time"):
        return ["null" if value is None else encode_basestring(value) for value in column.values]
    if column.type == "integer":
        return ["null" if value is None else str(value) for value in column.values]
    if column.type == "boolean":
        return [_WORDS[value] for value in column.values]
    return [number(value) if isinstance(value, int | float | Decimal) else encode(value, 0) for value in column.values]


def as_text(column: Column) -> list[str]:
    """Return the values of a column as plain text; null is empty."""
    if column.type in ("text", "date", "datetime", "time"):
        return ["" if value is None else value for value in column.values]
    if column.type == "boolean":
        return [_TEXT_WORDS[value] for value in column.values]
    if column.type == "integer":
        return ["" if value is None else str(value) for value in column.values]
    return ["" if value is None else _plain(value) for value in column.values]


def _plain(value: Any) -> str:
    return number(value) if isinstance(value, int | float | Decimal) else encode(value, 0)


_WORDS = {None: "null", True: "true", False: "false"}
_TEXT_WORDS = {None: "", True: "true", False: "false"}
