"""What a template asks for, and what became of a call: plain values, without lxml."""

from dataclasses import dataclass, field
from typing import Literal

MissingPolicy = Literal["error", "blank", "keep"]
"""What a value that the data does not have is: an error, nothing, or its placeholder."""

FieldKind = Literal["value", "list", "condition", "image"]


@dataclass(frozen=True)
class TemplateField:
    """A value that a template asks for."""

    name: str
    """Its path in the data, such as `client.name`; members of the items of a list have its name: `items.price`."""
    kind: FieldKind
    """How the template uses it: it prints it, repeats something for its items, or decides by it."""
    where: str
    """The parts that use it, such as `body, header 1`."""

    def row(self) -> dict[str, str]:
        """Return the members of the HTTP response."""
        return {"name": self.name, "kind": self.kind, "in": self.where}


@dataclass(frozen=True)
class Filled:
    """The fields of a template, and the file if it was filled."""

    fields: list[TemplateField]
    content: bytes | None = field(default=None, repr=False)
    unused: list[str] = field(default_factory=list)
    """Keys of the data that no placeholder asks for."""
    blank: list[str] = field(default_factory=list)
    """Paths of the values that print nothing."""
    warnings: list[str] = field(default_factory=list)
