"""What the results of a batch are called: names from the rows, safe as file names, none twice."""

import re
import string
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.words import worded
from mediakit.core.media import type_of
from mediakit.core.messages import nearest
from mediakit.errors import InvalidInput
from mediakit.results.result import Result

LONGEST = 200
"""Bytes of a name in UTF-8; file systems take 255, and a number and a suffix are to come."""

_UNSAFE = re.compile(r'[<>:"|?*\x00-\x1f\x7f-\x9f/\\]+')
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE | re.ASCII)
"""Names that Windows keeps for devices."""


def columns_of(pattern: str | None) -> frozenset[str]:
    """Name the columns that a pattern such as `{city}/{recipient}` uses.

    Raises:
        InvalidInput: The pattern is none.
    """
    try:
        parts = list(string.Formatter().parse(pattern or ""))
    except ValueError as error:
        raise InvalidInput(f'name: must be a pattern such as "{{recipient}}"; {error}.') from None
    return frozenset(field for _, field, _, _ in parts if field is not None)


def names(rows: Sequence[Row], pattern: str | None, options: Mapping[str, Any]) -> list[str]:
    """Give a name for each row: of the pattern, of the row itself, or its number.

    Raises:
        InvalidInput: The pattern uses a column that a row has not.
    """
    digits = len(str(len(rows)))
    if pattern is None:
        return _apart(_safe(row.name) if row.name else f"{row.number:0{digits}}" for row in rows)
    used = columns_of(pattern)
    return _apart(_path(_formatted(row, pattern, options, used)) or f"{row.number:0{digits}}" for row in rows)


def file_name(name: str, result: Result) -> str:
    """Give a name the suffix of its file, unless it has one that promises a format."""
    has_one = type_of(PurePath(name)) or name.lower().endswith(f".{result.extension}")
    return name if has_one else f"{name}.{result.extension}"


def _formatted(row: Row, pattern: str, options: Mapping[str, Any], used: frozenset[str]) -> str:
    data = options.get("data")
    known = {"row": row.number, **(data if isinstance(data, Mapping) else {}), **options, **row.values}
    known |= {"name": row.name} if row.name is not None and "name" not in known else {}
    for column in used:
        if column not in known and column not in row.columns:
            raise InvalidInput(
                f'name: row {row.number} has no column "{column}"; {nearest(column, [*row.columns, "row"])}'
            )
    values = {column: _inserted(known.get(column, "")) for column in used}
    try:
        return pattern.format_map(values)
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"name: {pattern} does not fit row {row.number}: {error}.") from None


def _inserted(value: Any) -> Any:
    """Give a value as a name takes it: numbers may be formatted, and no text makes a folder."""
    return value if isinstance(value, int) else re.sub(r"[/\\]+", "-", str(worded(value)))


def _path(text: str) -> str:
    """Give a name with its folders; none where the pattern found no text at all."""
    return "/".join(_safe(part) for part in text.split("/") if part.strip(" ."))


def _safe(text: str) -> str:
    """Make a text the name of a file on every system."""
    plain = _UNSAFE.sub("-", " ".join(unicodedata.normalize("NFC", text).split()))
    plain = plain.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore").strip(" .") or "_"
    return f"_{plain}" if _DEVICE.match(plain) else plain


def _apart(wanted: Iterable[str]) -> list[str]:
    """Number names that some file systems could not tell apart, or would take for one another."""
    given: list[str] = []
    taken: set[str] = set()
    for name in wanted:
        own, count = name, 1
        while own.casefold() in taken:
            count += 1
            own = _numbered(name, count)
        taken.add(own.casefold())
        given.append(own)
    return given


def _numbered(name: str, count: int) -> str:
    path = PurePath(name)
    suffix = path.suffix if type_of(path) else ""
    return f"{name.removesuffix(suffix)} ({count}){suffix}"
