"""Converts the tables of Python callers to rows: the index and the levels of column names of pandas are kept."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core.inputs import FileSource, is_table
from mediakit.engines.tables.model import unique_names
from mediakit.engines.tables.python_tables import adapt_table

_FILES = (str, bytes, bytearray, os.PathLike, FileSource)
LEVEL_SEPARATOR = " / "


def read_input_table(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with its table as rows.

    `rows` may also be a file, and `file` a table. An index of pandas is shown if it has a name or is not 0 to n-1.
    Levels of column names become headers above the columns.
    """
    arguments = dict(values)
    source = arguments.get("rows")
    if isinstance(source, _FILES) or (hasattr(source, "read") and not is_table(source)):
        if arguments.get("file") is None:
            arguments["file"] = arguments.pop("rows")
        return adapt_table(arguments)
    if source is None and _is_pandas(arguments.get("file")):
        arguments["rows"] = source = arguments.pop("file")
    if _is_pandas(source):
        _fill_from_pandas(arguments, source)
    return adapt_table(arguments)


def _is_pandas(source: Any) -> bool:
    return is_table(source) and hasattr(source, "reset_index") and hasattr(source, "index")


def _fill_from_pandas(arguments: dict[str, Any], source: Any) -> None:
    frame = source.to_frame() if not hasattr(source, "columns") else source
    levels = [_levels(name) for name in frame.columns]
    index = _index_columns(frame)
    names = unique_names([*(name for name, _ in index), *(LEVEL_SEPARATOR.join(filter(None, each)) for each in levels)])
    table = {name: list(values) for name, (_, values) in zip(names, index, strict=False)}
    for place, name in enumerate(names[len(index) :]):
        table[name] = frame.iloc[:, place].tolist()
    arguments["rows"] = table or source
    defaults = [
        *({"name": name, "label": given} for name, (given, _) in zip(names, index, strict=False)),
        *(_column(name, each) for name, each in zip(names[len(index) :], levels, strict=True)),
    ]
    chosen = arguments.get("columns")
    if chosen is not None:
        arguments["columns"] = _merged(chosen, defaults, levels, len(index))
    elif any(len(default) > 1 and default["label"] != default["name"] for default in defaults):
        group = arguments.get("group_by")
        arguments["columns"] = [default for default in defaults if default["name"] != group]


def _levels(name: Any) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in name) if isinstance(name, tuple) else (str(name),)


def _column(name: str, levels: tuple[str, ...]) -> dict[str, Any]:
    """Return the options of a column whose name has levels."""
    present = [level for level in levels if level]
    if len(levels) == 1 or len(present) < 2:
        return {"name": name, "label": present[-1] if present else ""}
    return {"name": name, "label": present[-1], "spanner": LEVEL_SEPARATOR.join(present[:-1])}


def _index_columns(frame: Any) -> list[tuple[str, Any]]:
    """Return names and values of the levels of an index that is shown."""
    index = frame.index
    names = list(index.names)
    if all(name is None for name in names) and len(names) == 1 and list(index) == list(range(len(frame))):
        return []
    return [
        ("" if name is None else str(name), index.get_level_values(place).tolist()) for place, name in enumerate(names)
    ]


def _merged(
    chosen: Sequence[Any], defaults: Sequence[dict[str, Any]], levels: Sequence[tuple[str, ...]], indexed: int
) -> list[Any]:
    """Return the chosen columns, after those of the index, with the headers of their levels."""
    by_name = {default["name"]: default for default in defaults}
    by_levels = dict(zip(levels, defaults[indexed:], strict=True))
    found: list[Any] = []
    for each in chosen:
        options = dict(each) if isinstance(each, Mapping) else {"name": each}
        name = options.get("name")
        default = by_levels.get(_levels(name)) if isinstance(name, tuple) else by_name.get(str(name))
        found.append({**(default or {}), **options, "name": default["name"] if default else name})
    taken = {options["name"] for options in found}
    return [*(default for default in defaults[:indexed] if default["name"] not in taken), *found]
