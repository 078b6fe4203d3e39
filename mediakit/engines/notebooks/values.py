"""Values of a notebook's JSON, which may be of any type: each function returns what the format promises."""

from collections.abc import Iterator, Mapping
from typing import Any

NOTHING: Mapping[str, Any] = {}


def text_of(value: Any) -> str:
    """Return a text; lines in a list are joined. Empty for other types."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return ""


def lines_of(value: Any) -> str:
    """Return a text, whose lines in a list may have no line breaks at their ends, as in nbformat 2."""
    if isinstance(value, list) and not any(isinstance(part, str) and part.endswith("\n") for part in value):
        return "\n".join(part for part in value if isinstance(part, str))
    return text_of(value)


def mapping_of(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one for other types."""
    return value if isinstance(value, dict) else NOTHING


def mappings_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def count_of(value: Any) -> int | None:
    """Return a number from 0; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def word_of(value: Any) -> str:
    """Return a short text of one line; empty for anything else."""
    return " ".join(value.split())[:200] if isinstance(value, str) else ""
