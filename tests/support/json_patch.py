"""A small applier of JSON patches (RFC 6902), written for tests of the patches that tools make."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any


def apply_patch(document: Any, patch: Sequence[Mapping[str, Any]]) -> Any:
    """Return a document after the operations add, remove, replace and move of a patch."""
    holder = [copy.deepcopy(document)]
    for operation in patch:
        _apply(holder, operation)
    return holder[0]


def _apply(holder: list[Any], operation: Mapping[str, Any]) -> None:
    name, path = operation["op"], operation["path"]
    if name == "move":
        _add(holder, path, _remove(holder, operation["from"]))
    elif name == "remove":
        _remove(holder, path)
    elif name == "add":
        _add(holder, path, copy.deepcopy(operation["value"]))
    else:
        assert name == "replace"
        parent, key = _parent(holder, path)
        assert key in parent if isinstance(parent, dict) else key < len(parent)
        parent[key] = copy.deepcopy(operation["value"])


def _add(holder: list[Any], path: str, value: Any) -> None:
    parent, key = _parent(holder, path)
    if isinstance(parent, dict):
        parent[key] = value
    else:
        assert key <= len(parent)
        parent.insert(key, value)


def _remove(holder: list[Any], path: str) -> Any:
    parent, key = _parent(holder, path)
    return parent.pop(key)


def _parent(holder: list[Any], path: str) -> tuple[Any, Any]:
    """Return the container of the place that a pointer leads to, and the key of the place in it."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    parent: Any = holder
    key: Any = 0
    for step in steps:
        parent = parent[key]
        key = int(step) if isinstance(parent, list) else step
    return parent, key
