"""Tables that Python callers pass by name: `data_query(sql, sales=frame)` and `files={"sales": frame}`."""

import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from mediakit.core.inputs import FileBytes, FileSource, is_table, load_file, local_file
from mediakit.core.request import field_names, invalid
from mediakit.engines.tables.python_tables import FILE_MEMBERS, adapt_table, rows_of_result, rows_of_table
from mediakit.tools.data.data_query.request import DataQueryRequest

_KINDS = (list, tuple, Mapping, bytes, bytearray, memoryview, os.PathLike, FileSource)


def adapt_arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with its tables as files and rows.

    An argument that is not a field is a table of that name. With such tables the first positional argument may be the
    query.

    Raises:
        InvalidInput: A file cannot be read.
    """
    fields = field_names(DataQueryRequest)
    named = {name: value for name, value in values.items() if name not in fields and _may_be_table(value)}
    arguments = {name: value for name, value in values.items() if name not in named}
    for field in ("files", "tables"):
        given = arguments.get(field)
        if isinstance(given, Mapping) and not _is_file(given):
            del arguments[field]
            named = {**given, **named}
    if named and "sql" not in arguments and isinstance(arguments.get("file"), str):
        arguments["sql"] = arguments.pop("file")
    return _with_tables(adapt_table(arguments), named)


def _may_be_table(value: Any) -> bool:
    """Return whether a value can be a table, so that a misspelled option is not taken for one."""
    if isinstance(value, str):
        return len(value) > 1 and _exists(value)
    return isinstance(value, _KINDS) or is_table(value) or callable(getattr(value, "read", None))


def _exists(path: str) -> bool:
    try:
        return isinstance(local_file(path), PurePath)
    except ValueError:
        return False


def _is_file(value: Mapping[str, Any]) -> bool:
    return value.keys() <= FILE_MEMBERS and isinstance(value.get("file"), str | bytes)


def _with_tables(arguments: dict[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    files: list[Any] = []
    for name, each in named.items():
        result = rows_of_result(each)
        value = each if result is None else result
        if _has_rows(value):
            tables[name] = value
        elif found := rows_of_table(value):
            rows, types = found
            tables[name] = {"rows": rows, "types": types} if types else rows
        else:
            files.append(_file(name, value))
    is_first = not any(field in arguments for field in ("file", "text", "rows"))
    if files and tables and is_first and not rows_of_table(next(iter(named.values()))):
        arguments["file"] = files.pop(0)  # the first table of the call stays the first one
    given = arguments.get("files")
    others = list(given) if isinstance(given, list | tuple) else [] if given is None else [given]
    if files:
        arguments["files"] = [*others, *files]
    return {**arguments, "tables": tables} if tables else arguments


def _has_rows(value: Any) -> bool:
    """Return whether a value is a table as the field `tables` holds it, with the types of its columns."""
    return isinstance(value, Mapping) and value.keys() == {"rows", "types"} and isinstance(value["types"], Mapping)


def _file(name: str, value: Any) -> FileBytes:
    """Return a file with the name of its table; its extension stays, because it tells formats of text apart."""
    try:
        content = load_file(local_file(value), allow_empty=True)
    except ValueError as error:
        raise invalid([{"field": name, "message": str(error)}]) from None
    return FileBytes.named(content, f"{name}{PurePath(content.name).suffix or '.csv' * ('.' in name)}")
