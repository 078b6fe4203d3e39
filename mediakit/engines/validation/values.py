"""The values to check: from a text, a list, a column of Python, or a table."""

import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from mediakit.core.inputs import FileSource, is_missing, is_table
from mediakit.core.messages import quote
from mediakit.core.suggestions import similar
from mediakit.engines.tables.python_tables import is_python_table, rows_of_result
from mediakit.errors import InvalidInput

MAX_VALUES = 1000
MAX_VALUE_CHARACTERS = 1000

FNC1 = "\x1d"
"""The separator of GS1 element strings. Python counts it as white space, but in a code it has a meaning."""

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"""Characters without an image and without width, and marks of the direction of text."""

_AROUND = rf"[\s\x00-\x1f\x7f-\x9f{_INVISIBLE}]"
_START = re.compile(rf"(?:(?!{FNC1}){_AROUND})+")
_END = re.compile(rf"(?:(?!{FNC1}){_AROUND})*\Z")
_INSIDE = re.compile(f"[{_INVISIBLE}]+")
LINE_BREAK = re.compile(r"\r\n|\n|\r")


def trimmed(value: str) -> str:
    """Return a value without the white space and the invisible characters around it."""
    start = _START.match(value)
    value = value[start.end() :] if start else value
    end = len(value)
    while end and _END.match(value, end - 1):
        end -= 1
    return value[:end]


def cleaned(value: str) -> str:
    """Return a trimmed value, without the invisible characters inside it as well."""
    return trimmed(_INSIDE.sub("", value))


_SEPARATORS = re.compile(r"[\s\-‐-―−⁃]+")


def with_ascii(value: str) -> str:
    """Return a value with full-width letters and signs, and digits of any script, as those of ASCII."""
    if value.isascii():
        return value
    return "".join(str(unicodedata.decimal(char, char)) for char in unicodedata.normalize("NFKC", value))


def compact(value: str) -> str:
    """Return a number or code in upper case and ASCII, without spaces, hyphens and dashes."""
    text = _SEPARATORS.sub("", with_ascii(value))
    return text.upper() if text.isascii() else text  # the capital of ß is SS


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; one if it has no line break but around it, as in the last line of a file."""
    if not LINE_BREAK.search(trimmed(text)):
        return [text]
    return LINE_BREAK.split(text.strip("\r\n"))


LEADING_ZEROS = "Leading zeros may be lost: the values are numbers; pass them as text."
"""The warning for numbers in place of text."""


class ValueText(str):
    """A value that was a number in Python."""

    __slots__ = ()


class ColumnValues(list[Any]):
    """The values of a column in Python, with what the result needs of it."""

    index: Any = None
    """The index of a Series of pandas; None for other columns."""
    has_numbers: bool = False
    """Whether numbers were made text."""


def adapt_values(field: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a function that turns a column in the arguments of a call, as in its first field, into `values`."""

    def adapt(values: Mapping[str, Any]) -> dict[str, Any]:
        arguments = dict(values)
        first = arguments.get(field)
        if (isinstance(first, FileSource | os.PathLike) or hasattr(first, "read")) and arguments.get("file") is None:
            arguments["file"] = arguments.pop(field)
        if field in arguments:
            _adapt_first(arguments, field)
        if (rows := rows_of_result(arguments.get("file"))) is not None:
            arguments["file"] = rows
        file = arguments.get("file")
        has_content = isinstance(file, Mapping) and isinstance(file.get("file"), str | bytes)  # with other members, too
        if is_python_table(file) and not has_content:
            arguments["values"] = _column_of(arguments.pop("file"), arguments.pop("column", None))
        given = arguments.get("values")
        has_rows = isinstance(given, list | tuple) and given and all(isinstance(row, Mapping) for row in given)
        if isinstance(given, Mapping) or (is_table(given) and hasattr(given, "columns")) or has_rows:
            arguments["values"] = _column_of(given, arguments.pop("column", None))
        elif given is not None:
            arguments["values"] = column_values(given)
        return arguments

    return adapt


def _adapt_first(arguments: dict[str, Any], field: str) -> None:
    """Move a column from the first field to `values`; a missing value becomes an empty text, a number its digits."""
    given = arguments[field]
    if given is None and any(arguments.get(name) is not None for name in ("values", "file")):
        return
    if not _is_scalar(given):
        if arguments.get("values") is not None:
            raise InvalidInput(f"{field}: exactly one of {field}, values and file is allowed, got {field}, values.")
        arguments["values"] = arguments.pop(field)
        return
    text, is_number = _text(given)
    arguments[field] = ValueText(text) if is_number else text


def _is_scalar(value: Any) -> bool:
    if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__iter__"):
        return not (isinstance(value, Mapping) or is_table(value))
    return getattr(value, "shape", None) == ()


def column_values(column: Any) -> ColumnValues:
    """Return the values of a column as texts: missing ones are empty, and numbers are written with their digits."""
    if isinstance(column, ColumnValues):
        return column
    if isinstance(column, str) or not hasattr(column, "__iter__"):
        return column  # type: ignore[no-any-return]  # the request refuses it
    methods = ("tolist", "to_list", "to_pylist")  # NumPy and pandas, Polars, PyArrow
    method = next((getattr(column, name) for name in methods if hasattr(column, name)), None)
    items = list(column) if method is None else method()
    texts = [_text(value) for value in (items if isinstance(items, list) else [items])]
    values = ColumnValues(text for text, _ in texts)
    values.has_numbers = any(is_number for _, is_number in texts)
    if hasattr(column, "reset_index") and hasattr(column, "index"):
        values.index = column.index
    return values


def _text(value: Any) -> tuple[Any, bool]:
    """Return the text of a value, and whether it was a number. What has no text is returned as it is."""
    if is_missing(value):
        return "", False
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if isinstance(value, bool):
        return value, False
    if isinstance(value, float):
        return (str(int(value)) if value.is_integer() else str(value)), True
    if isinstance(value, int | Decimal):
        return str(value), True
    return (str(value), False) if isinstance(value, str | UUID) else (value, False)


def _column_of(table: Any, column: Any) -> ColumnValues:
    """Return a column of a data frame, a dictionary of lists, or a list of dictionaries.

    Raises:
        InvalidInput: There is no such column.
    """
    if is_table(table) and hasattr(table, "columns"):
        names = [str(name) for name in getattr(table, "column_names", table.columns)]
        place = place_of(column, names)
        native = table.iloc[:, place] if hasattr(table, "iloc") else table[names[place]]
        return column_values(native)
    if is_table(table):
        return column_values(table)
    if isinstance(table, Mapping):
        names = [str(name) for name in table]
        return column_values(list(table.values())[place_of(column, names)])
    names = list(dict.fromkeys(str(name) for row in table if isinstance(row, Mapping) for name in row))
    if not names:
        return column_values(table)
    name = names[place_of(column, names)]
    return column_values([row.get(name) if isinstance(row, Mapping) else row for row in table])


def place_of(column: Any, names: Sequence[str]) -> int:
    """Return the place of a column, from 0.

    Args:
        column: Its name or its number from 1; None for the only one.
        names: The names of all columns.

    Raises:
        InvalidInput: There is no such column, or several while none is chosen.
    """
    if column is None:
        if len(names) == 1:
            return 0
        raise InvalidInput(f"column: is required, because the table has {len(names)} columns: {_listed(names)}.")
    name = str(column)
    if name in names:
        return names.index(name)
    if name.isdecimal() and name.isascii() and 1 <= int(name[:9]) <= len(names):
        return int(name) - 1
    match = similar(name, names)
    hint = f"did you mean {quote(match)}?" if match else f"the table has {_listed(names)}."
    raise InvalidInput(f"column: there is no column {quote(name)}; {hint}")


def _listed(names: Sequence[str]) -> str:
    shown = [quote(name) for name in names[:10]]
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(names) > len(shown) else "")
