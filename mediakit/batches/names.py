"""Names of results, and keys that say whether a call has changed."""

import hashlib
import json
import re
import string
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from mediakit.batches.sources.rows import Row
from mediakit.core.media import UniqueNames, safe_name, type_of
from mediakit.core.messages import nearest
from mediakit.core.parameters import as_text
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.registry import BUNDLED
from mediakit.errors import InvalidInput
from mediakit.installation import __version__
from mediakit.results.result import Result

STREAM_DIGITS = 6
"""Digits of the numbers in names, if the number of rows is not known."""


def columns_of(pattern: str | None) -> frozenset[str]:
    """Return the columns of a pattern such as `{city}/{recipient}`.

    Raises:
        InvalidInput: The pattern is invalid.
    """
    try:
        parts = list(string.Formatter().parse(pattern or ""))
    except ValueError as error:
        raise InvalidInput(f'name: must be a pattern such as "{{recipient}}"; {error}.') from None
    return frozenset(field for _, field, _, _ in parts if field is not None)


def renamed_pattern(pattern: str, columns: Mapping[str, str]) -> str:
    """Return a pattern with the new names of columns in place of those in the source."""
    if not columns_of(pattern) & (columns.keys() - set(columns.values())):
        return pattern
    parts = []
    for text, field, form, conversion in string.Formatter().parse(pattern):
        parts.append(text.replace("{", "{{").replace("}", "}}"))
        if field is not None:
            name = field if field in columns.values() else columns.get(field, field)
            parts.append(f"{{{name}{f'!{conversion}' if conversion else ''}{f':{form}' if form else ''}}}")
    return "".join(parts)


class Names:
    """Makes a name for each row: from the pattern, the name of the row, or its number."""

    def __init__(self, pattern: str | None, options: Mapping[str, Any], total: int | None) -> None:
        self._pattern = pattern
        self._columns = columns_of(pattern)
        self._options = options
        self._digits = len(str(total)) if total is not None else STREAM_DIGITS
        self._unique = UniqueNames()

    def add(self, row: Row) -> str:
        """Return the name of the next row, which no row before it has.

        Raises:
            InvalidInput: The row does not have a column of the pattern.
        """
        name = (safe_name(row.name) if row.name else "") if self._pattern is None else self._formatted(row)
        return self._unique.add(name) if name else self.add_number(row)

    def add_number(self, row: Row) -> str:
        """Return the number of the next row as its name."""
        return self._unique.add(f"{row.number:0{self._digits}}")

    def reserve(self, name: str) -> None:
        """Keep a name for a row that has it already."""
        self._unique.add(name)

    def _formatted(self, row: Row) -> str:
        """Return a safe relative path; empty if the pattern produced no text."""
        data = self._options.get("data")
        known = {"row": row.number, **(data if isinstance(data, Mapping) else {}), **self._options, **row.values}
        known |= {"name": row.name} if row.name is not None and "name" not in known else {}
        values = {}
        for column in self._columns:
            if column not in known and column not in row.columns:
                problem = nearest(column, [*row.columns, "row"])
                raise InvalidInput(f'name: row {row.number} has no column "{column}"; {problem}')
            value = known.get(column, "")  # integers stay numbers, which a pattern can format
            values[column] = value if isinstance(value, int) else re.sub(r"[/\\]+", "-", str(as_text(value)))
        try:
            text = str(self._pattern).format_map(values)
        except (ValueError, TypeError) as error:
            raise InvalidInput(f"name: {self._pattern} does not fit row {row.number}: {error}.") from None
        return "/".join(safe_name(part) for part in text.split("/") if part.strip(" ."))


def names(rows: Sequence[Row], pattern: str | None, options: Mapping[str, Any]) -> list[str]:
    """Return a name for each row."""
    return list(map(Names(pattern, options, len(rows)).add, rows))


def file_name(name: str, result: Result) -> str:
    """Return a name with the suffix of the result, unless it already ends with the suffix of a known format."""
    has_suffix = type_of(PurePath(name)) or name.lower().endswith(f".{result._saved().extension}")
    return name if has_suffix else f"{name}.{result._saved().extension}"


class Keys:
    """Makes the keys of the calls of a tool from their values, the content of their files, and the versions."""

    def __init__(self, tool: Tool[..., Any]) -> None:
        self._prefix = f"{tool.name} {__version__}".encode()
        self._files = frozenset(tool.file_fields)
        self._template = cache(_template_digest)

    def key(self, values: Mapping[str, Any]) -> str:
        """Return the key of a call, 32 hexadecimal digits."""
        digest = hashlib.blake2b(self._prefix, digest_size=16)
        written = {name: _named_file(value) if name in self._files else value for name, value in values.items()}
        digest.update(json.dumps(written, sort_keys=True, default=_written).encode())
        template = values.get("template")
        if isinstance(template, str) and template in TEMPLATES and template not in BUNDLED:
            digest.update(self._template(TEMPLATES[template].folder))
        return digest.hexdigest()


def _named_file(value: Any) -> Any:
    """Return a path for a text that names a file, as calls of tools understand it."""
    if isinstance(value, list | tuple):
        return [_named_file(item) for item in value]
    return Path(value) if isinstance(value, str) else value


def _written(value: Any) -> str:
    """Return a text for a value that JSON does not have; for a file, the checksum of its content."""
    if isinstance(value, Result):
        value = value.file
    if isinstance(value, PurePath):
        try:
            value = Path(value).read_bytes()
        except OSError:
            return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return hashlib.blake2b(value, digest_size=16).hexdigest()
    return f"{type(value).__name__} {value!r}"


def _template_digest(folder: Path) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()
