"""The names that a tag can use: the data, and the variables of the loops around it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mediakit.engines.word_templates.language.expressions import Path


@dataclass(frozen=True)
class Missing:
    """A value that the data does not have."""

    path: str
    """Its path from the data, such as `items.3.price`."""


@dataclass(frozen=True)
class Bound:
    """A value and its path from the data."""

    value: Any
    path: str


class Scope:
    """The variables of a loop, and the scope around it."""

    def __init__(self, names: Mapping[str, Bound], outer: "Scope | None" = None) -> None:
        self.names = names
        self.outer = outer

    def inner(self, names: Mapping[str, Bound]) -> "Scope":
        """Return a scope with more names, which hide those of this one."""
        return Scope(names, self)

    def find(self, path: Path) -> Bound | Missing:
        """Return the value of a path, or that it is missing.

        A key of the data may have dots: `client.city` is also the column of this name in a table.
        """
        scope = self
        while path.names[0] not in scope.names and scope.outer is not None:
            scope = scope.outer
        found = scope.names.get(path.names[0]) or Missing(".".join(path.names))
        for name in path.names[1:]:
            if isinstance(found, Bound):
                found = _member(found, name)
        if isinstance(found, Missing) and scope.outer is None:
            return scope.names.get(".".join(path.names)) or found
        return found


def _member(owner: Bound, name: str) -> Bound | Missing:
    path, value = f"{owner.path}.{name}", owner.value
    if isinstance(value, dict) and name in value:
        return Bound(value[name], path)
    if isinstance(value, list) and name.isascii() and name.isdigit() and int(name) < len(value):
        return Bound(value[int(name)], path)
    return Missing(path)


def scope_of(data: Mapping[str, Any]) -> Scope:
    """Return the scope of the whole document."""
    return Scope({name: Bound(value, name) for name, value in data.items()})


def loop_names(variable: str, items: list[Any], index: int, path: str) -> dict[str, Bound]:
    """Return the names inside a loop: its variable and `loop`."""
    loop = {
        "index": index + 1,
        "index0": index,
        "first": index == 0,
        "last": index == len(items) - 1,
        "length": len(items),
    }
    return {variable: Bound(items[index], f"{path}.{index}"), "loop": Bound(loop, "loop")}
