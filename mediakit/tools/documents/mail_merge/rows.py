"""The rows of a call: their values, the names of their documents, and what became of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mediakit.core.media import safe_name, unique_names
from mediakit.core.messages import nearest, quote
from mediakit.core.parameters import as_text
from mediakit.errors import InvalidInput

MAX_STEM = 110
"""Characters of a name without its extension and the number of a repeated name."""

_NUMBER = re.compile(r"n(?::(0?[1-9]))?")
_DIRECTION = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Invisible characters, which could make one name look like another."""
PART = re.compile(r"\{([^{}]*)\}")
"""A column in a pattern of file names."""

MISSING = object()
"""The value of a name that neither the row nor `data` has."""


class RowProblem(Exception):  # noqa: N818  # it is part of the report, and ends a call only on request
    """Why there is no document of a row."""


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    index: int
    """From 0, as in errors."""
    values: Mapping[str, Any]
    common: Mapping[str, Any]
    """Values of the field `data`."""

    @property
    def number(self) -> int:
        """From 1, as in names and in the report."""
        return self.index + 1

    @property
    def merged(self) -> dict[str, Any]:
        """The values of the row, and those of `data` that the row does not have."""
        return {**self.common, **self.values}

    def find(self, name: str) -> Any:
        """Return the value of a column, of `data`, or of the path `a.b` in one of them; `MISSING` if there is none."""
        for values in (self.values, self.common):
            if name in values:
                return values[name]
            found: Any = values
            for part in name.split("."):
                if not isinstance(found, Mapping) or part not in found:
                    break
                found = found[part]
            else:
                return found
        return MISSING

    def text(self, name: str) -> str:
        """Return a value as text; empty for null and for a missing value.

        Raises:
            RowProblem: The value is a list or an object.
        """
        value = self.find(name)
        return "" if value is MISSING else text_of(name, value)

    def require(self, name: str) -> None:
        """Check that a value for a placeholder exists; it may be null.

        Raises:
            InvalidInput: There is none.
        """
        if self.find(name) is MISSING:
            raise self.error(f"has no {quote(name)}.")

    def error(self, sentence: str) -> InvalidInput:
        """Return the error of a call because of this row."""
        return InvalidInput(f"rows[{self.index}]: {sentence}")


def text_of(name: str, value: Any) -> str:
    """Return a value as text.

    Raises:
        RowProblem: The value is a list or an object.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping | list | tuple):
        raise RowProblem(f"{name} must be text, a number, true, false or null, got {quote(value)}.")
    return str(as_text(value))


def file_names(pattern: str, rows: Sequence[Row], extension: str) -> list[str]:
    """Return a name for each row; a repeated one gets a number, as `Ada (2).pdf`.

    Raises:
        InvalidInput: No row has a column of the pattern.
    """
    for column in (name for name in PART.findall(pattern) if not _NUMBER.fullmatch(name)):
        if all(row.find(column) is MISSING for row in rows):
            known = [*dict.fromkeys(name for row in rows for name in row.merged), "n"]
            raise InvalidInput(f"filename: there is no column {quote(column)}; {nearest(column, known)}")
    return unique_names(f"{_stem(pattern, row, extension)}.{extension}" for row in rows)


def _stem(pattern: str, row: Row, extension: str) -> str:
    text = _DIRECTION.sub("", PART.sub(lambda match: _value(match[1], row), pattern))
    if text.lower().endswith(f".{extension}"):
        text = text[: -len(extension) - 1]
    return safe_name(text)[:MAX_STEM].rstrip(" .") if text.strip(" .") else str(row.number)


def _value(name: str, row: Row) -> str:
    if match := _NUMBER.fullmatch(name):
        return f"{row.number:{match[1] or ''}}"
    try:
        return row.text(name)
    except RowProblem:
        return ""


@dataclass(frozen=True)
class Document:
    """The document of a row."""

    content: bytes = field(repr=False)
    pages: int | None = None
    """Pages of a PDF."""
    fitted: Sequence[str] = ()
    """Keys of a template whose text was made smaller or cut."""
    defaults_used: Sequence[str] = ()
    """Keys of a template that have their example text."""
    warnings: Sequence[str] = ()
    missing: str = ""
    """A placeholder of a Word template for which the row has no value."""
    error: str = ""
    """Why there is no document."""

    def report_row(self, number: int, filename: str) -> dict[str, Any]:
        """Return the members of the report, for the number of the row and the name of its document."""
        return {
            "row": number,
            "filename": None if self.error else filename,
            "ok": not self.error,
            "error": self.error or None,
            "pages": self.pages,
            "fitted": list(self.fitted),
            "defaults_used": list(self.defaults_used),
        }


def without_field(message: str) -> str:
    """Return the message of an engine's error without the field of another tool that it begins with."""
    for prefix in ("data: ", "values: ", "values.", "html: "):
        if message.startswith(prefix):
            return message.removeprefix(prefix)
    return message


def shown(names: Sequence[str], most: int = 12) -> str:
    """Return names for an error."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quote(name) for name in names[:most]) + more


@dataclass(frozen=True)
class Joined:
    """One PDF of all."""

    content: bytes = field(repr=False)
    pages: int
    warnings: list[str]
