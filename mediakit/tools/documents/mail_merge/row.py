"""A row: its values, with those that are the same in every row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mediakit.core.messages import quote
from mediakit.core.parameters import as_text
from mediakit.errors import InvalidInput

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
            if (found := _find(values, name)) is not MISSING:
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


def _find(values: Mapping[str, Any], name: str) -> Any:
    if name in values:
        return values[name]
    found: Any = values
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return MISSING
        found = found[part]
    return found
