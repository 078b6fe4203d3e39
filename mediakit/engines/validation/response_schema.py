"""JSON Schema of the responses of all validators."""

from collections.abc import Mapping
from typing import Any

TEXT: dict[str, Any] = {"type": ["string", "null"]}

COMMON: Mapping[str, Mapping[str, Any]] = {
    "input": {"type": "string", "description": "The value as it was sent."},
    "valid": {"type": "boolean", "examples": [True]},
    "normalized": {**TEXT, "description": "The normal form; null if the value is not valid."},
    "reason": {**TEXT, "description": "Why the value is not valid, in one sentence.", "examples": [None]},
    "code": {**TEXT, "description": "A stable word for the reason.", "examples": [None]},
    "suggestion": {**TEXT, "description": "A value that would be valid.", "examples": [None]},
}
"""The fields of every result."""

SEVERAL: Mapping[str, Mapping[str, Any]] = {
    "count": {"type": "integer", "description": "Number of values.", "examples": [2], "x-optional": True},
    "valid_count": {"type": "integer", "examples": [2], "x-optional": True},
    "invalid_count": {"type": "integer", "examples": [0], "x-optional": True},
    "duplicates": {
        "type": "array",
        "items": {"type": "array", "items": {"type": "integer"}},
        "description": "Places, from 0, of values with the same normal form.",
        "examples": [[]],
        "x-optional": True,
    },
}
"""The fields beside the results of several values."""


def item_schema(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of the result of a value.

    Args:
        details: The schemas of the further fields of the tool, by name.
    """
    properties = {**COMMON, **details}
    return {"type": "object", "required": list(properties), "properties": properties}


def text(description: str, example: str | None = None, *choices: str) -> dict[str, Any]:
    """Return the schema of a text that may be null.

    Args:
        description: What it is.
        example: An example.
        choices: All values that it can have.
    """
    enum = {"enum": [*choices, None]} if choices else {}
    return {**TEXT, **enum, "description": description, "examples": [example]}


def boolean(description: str, *, example: bool | None = None) -> dict[str, Any]:
    """Return the schema of a boolean that may be null."""
    return {"type": ["boolean", "null"], "description": description, "examples": [example]}


def texts(description: str, *example: str) -> dict[str, Any]:
    """Return the schema of a list of texts that may be null."""
    return {
        "type": ["array", "null"],
        "items": {"type": "string"},
        "description": description,
        "examples": [list(example)],
    }
