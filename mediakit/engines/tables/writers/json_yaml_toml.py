"""Values and tables as JSON, YAML and TOML."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any, Literal

from mediakit.engines.tables.model import Column, Facts, Table
from mediakit.engines.tables.writers.values import as_json, enclosed, full_number

Orient = Literal["rows", "columns", "arrays"]


def json_table(table: Table, orient: Orient, indent: int, *, has_names: bool = True, level: int = 0) -> str:
    """Return a table as JSON: an array of objects, an object of arrays, or an array of arrays, the first of names.

    With `indent` 0 it is one line. It begins at a level of a larger value.
    """
    if orient == "columns":
        items = [f"{encode_basestring(column.name)}: [{', '.join(as_json(column))}]" for column in table.columns]
        return enclosed("{}", items, indent, level)
    if orient == "rows":
        separator = ",\n" + " " * indent * (level + 1) if indent else ", "
        return enclosed("[]", list(_objects(table, indent, level + 1, separator)), indent, level)
    rows = [f"[{', '.join(map(encode_basestring, table.names))}]"] if has_names and table.columns else []
    for part in table.chunks():
        rows += [f"[{', '.join(cells)}]" for cells in zip(*map(as_json, part.columns), strict=True)]
    return enclosed("[]", rows, indent, level)


def json_lines(table: Table) -> str:
    """Return a table as JSON Lines, one object per row."""
    return "".join(f"{lines}\n" for lines in _objects(table, 0, 0, "\n"))


def _objects(table: Table, indent: int, level: int, separator: str) -> Iterable[str]:
    """Yield objects, several of a large table at once with the separator between them."""
    keys = [encode_basestring(name) for name in table.names]
    parts = enclosed("{}", [f"{key}: \0" for key in keys], indent, level).split("\0")
    template = "%s".join(part.replace("%", "%%") for part in parts)
    for chunk in table.chunks():
        packed = None
        if len(chunk) and any(type(column) is not Column for column in chunk.columns):
            from mediakit.engines.tables.packed.column import json_objects

            packed = json_objects(chunk.columns, parts[:-1], parts[-1] + separator)
        if packed is None:
            yield from map(template.__mod__, zip(*map(as_json, chunk.columns), strict=True))
        else:
            yield packed.removesuffix(separator)


_PLAIN = re.compile(
    r"[A-Za-z_\u00a1-\u1fff\u2030-\u205e\u3040-\ud7ff\uf900-\ufdcf][^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff:#,\[\]{}]*"
)
"""Texts that need no quotes, unless they match one of the next patterns or end with a space."""

_WORD = re.compile(r"(?:y|yes|n|no|true|false|on|off|null|none|nan|inf|~|=|<<|_+)", re.IGNORECASE)
_NUMBER_LIKE = re.compile(r"[-+.\d_]*[\d_][\d_.:eE+-]*|0[xob][\da-fA-F_]+|\d{4}-\d.*")
_BREAKING = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def encode_yaml(value: Any, indent: int) -> str:
    """Return a value as a YAML document with so many spaces per level, at least 1."""
    return "".join(f"{line}\n" for line in _lines(value, max(1, indent)))


def _lines(value: Any, indent: int) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            head = f"{_text(str(key))}:"
            if isinstance(item, dict | list | tuple) and item:
                yield head
                yield from map((" " * indent).__add__, _lines(item, indent))
            else:
                yield f"{head} {_scalar(item)}"
    elif isinstance(value, list | tuple) and value:
        pad = max(1, indent - 1)
        for item in value:
            lines = _lines(item, indent)
            yield "-" + " " * pad + next(lines)
            yield from map((" " * (pad + 1)).__add__, lines)
    else:
        yield _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return full_number(value)
    return "{}" if isinstance(value, dict) else "[]"


def _text(text: str) -> str:
    """Return a text without quotes where every reader takes it for the same text."""
    is_plain = _PLAIN.fullmatch(text) and text == text.strip() and not _WORD.fullmatch(text)
    if is_plain and not _NUMBER_LIKE.fullmatch(text):
        return text
    return _BREAKING.sub(lambda match: f"\\u{ord(match[0]):04x}", encode_basestring(text))


ROWS_KEY = "rows"
"""Key of the array where the value is not an object."""


def encode_toml(value: Any, facts: Facts) -> str:
    """Return a value as a TOML document; a warning says what TOML could not hold."""
    import tomli_w

    if not isinstance(value, dict):
        value = {ROWS_KEY: value if isinstance(value, list) else [value]}
        facts.warn(f'TOML begins with an object; the value is under the key "{ROWS_KEY}".')
    return tomli_w.dumps(_without_nulls(value, facts))


def encode_rows(rows: Sequence[dict[str, Any]], facts: Facts) -> str:
    """Return rows as an array of tables."""
    import tomli_w

    parts = []
    for row in rows:
        plain = _without_nulls(row, facts)
        if any(isinstance(item, dict | list) for item in plain.values()):
            return encode_toml({ROWS_KEY: list(rows)}, facts)
        parts.append(f"[[{ROWS_KEY}]]\n{tomli_w.dumps(plain)}")
    return "\n".join(parts)


def _without_nulls(value: Any, facts: Facts) -> Any:
    if isinstance(value, dict):
        if any(item is None for item in value.values()):
            facts.warn("TOML has no null; keys without a value were omitted.")
        return {key: _without_nulls(item, facts) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        if any(item is None for item in value):
            facts.warn("TOML has no null; items without a value were omitted.")
        return [_without_nulls(item, facts) for item in value if item is not None]
    return float(value) if isinstance(value, Decimal) else value
