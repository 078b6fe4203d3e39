"""What the tab needs from its form."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mediakit.batches.sources.rows import Row
from mediakit.core.tool import Tool

Mapped = Mapping[str, str]
"""The key of each column that is used."""


@dataclass(frozen=True)
class Host:
    """A form whose fields are filled in from the rows of a table."""

    tool: Callable[[], Tool[..., Any]]
    """Returns the tool of the form."""
    keys: Callable[[], Mapping[str, Sequence[str]]]
    """Returns the keys that a column can fill in, with their aliases."""
    main_keys: Callable[[], Sequence[str]]
    """Returns the keys that every row needs."""
    has_value: Callable[[str], bool]
    """Returns whether the form itself has a value for a key."""
    call: Callable[[Mapping[str, Any], str], tuple[Tool[..., Any], dict[str, Any]]]
    """Returns the tool and its values for the values of a row by key, and the output of the batch."""
    misfits: Callable[[Mapping[str, Any]], int]
    """Returns how many texts of a row do not fit."""
    file_stem: Callable[[], str]
    """Returns the name of the file with all results."""
    on_row: Callable[[], None]
    """Shows the preview of the current row."""


def values_by_key(row: Row, columns: Sequence[str], mapped: Mapped) -> dict[str, Any]:
    """Return the values of a row by key; None for a missing value."""
    return {mapped[column]: row.values.get(column) for column in columns if column in mapped}
