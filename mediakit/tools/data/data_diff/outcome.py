"""What a comparison found, as plain data."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from mediakit.engines.tables.writers.numerals import full_number

Operation = dict[str, Any]
"""An operation of a JSON patch (RFC 6902)."""


@dataclass
class Outcome:
    """The fields of the response, the meta, and the patch where one was requested."""

    fields: dict[str, Any]
    meta: dict[str, Any]
    patch: list[Operation] = field(default_factory=list)


def plain(value: Any) -> Any:
    """Return a value as the response has it: a number with more digits than a float keeps is text."""
    return full_number(value) if isinstance(value, Decimal) else value


def summary(**counts: int) -> dict[str, int]:
    """Return the counts of the response; those that are not given are 0."""
    names = ("added", "removed", "changed", "moved", "unchanged", "columns_added", "columns_removed")
    return {name: counts.get(name, 0) for name in (*names, "columns_renamed", "cells_changed")}
