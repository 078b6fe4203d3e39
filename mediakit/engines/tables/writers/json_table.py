"""Tables as JSON and JSON Lines."""

from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Literal

from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.writers.fragments import as_json

Orient = Literal["rows", "columns", "arrays"]


def json_table(table: Table, orient: Orient, indent: int, *, has_names: bool = True, level: int = 0) -> str:
    """Return a table as JSON: an array of objects, an object of arrays, or an array of arrays.

    Args:
        table: The table.
        orient: `rows`, `columns` or `arrays`; the first array holds the names.
        indent: Spaces per level; 0 writes one line.
        has_names: Whether the columns have names; without, `arrays` has none.
        level: The level that the table is at.
    """
    if orient == "columns":
        return _columns(table, indent, level)
    if orient == "rows":
        return _listed("[]", list(_objects(table, indent, level + 1, _separator(indent, level))), indent, level)
    return _listed("[]", list(_arrays(table, has_names=has_names)), indent, level)


def json_lines(table: Table) -> str:
    """Return a table as JSON Lines, one object per row."""
    return "".join(f"{lines}\n" for lines in _objects(table, 0, 0, "\n"))


def _objects(table: Table, indent: int, level: int, separator: str) -> Iterable[str]:
    """Yield objects, several of a large table at once with the separator between them."""
    keys = [encode_basestring(name) for name in table.names]
    parts = _listed("{}", [f"{key}: \0" for key in keys], indent, level).split("\0")
    template = "%s".join(part.replace("%", "%%") for part in parts)
    for chunk in table.chunks():
        packed = _packed_objects(chunk, parts, separator)
        if packed is None:
            yield from map(template.__mod__, zip(*map(as_json, chunk.columns), strict=True))
        else:
            yield packed


def _packed_objects(chunk: Table, parts: list[str], separator: str) -> str | None:
    """Return the objects of a table with packed columns; None for others."""
    if not len(chunk) or all(type(column) is Column for column in chunk.columns):
        return None
    from mediakit.engines.tables.writers.packed_json import json_objects

    end = parts[-1] + separator
    found = json_objects(chunk.columns, parts[:-1], end)
    return None if found is None else found.removesuffix(separator)


def _arrays(table: Table, *, has_names: bool) -> Iterable[str]:
    if has_names and table.columns:
        yield f"[{', '.join(map(encode_basestring, table.names))}]"
    for part in table.chunks():
        for cells in zip(*map(as_json, part.columns), strict=True):
            yield f"[{', '.join(cells)}]"


def _columns(table: Table, indent: int, level: int) -> str:
    items = [f"{encode_basestring(column.name)}: [{', '.join(as_json(column))}]" for column in table.columns]
    return _listed("{}", items, indent, level)


def _separator(indent: int, level: int) -> str:
    """Return what stands between the items of a list."""
    return ",\n" + " " * indent * (level + 1) if indent else ", "


def _listed(brackets: str, items: list[str], indent: int, level: int) -> str:
    if not items:
        return brackets
    if not indent:
        return f"{brackets[0]}{', '.join(items)}{brackets[1]}"
    inner, outer = "\n" + " " * indent * (level + 1), "\n" + " " * indent * level
    return f"{brackets[0]}{inner}{f',{inner}'.join(items)}{outer}{brackets[1]}"
