"""Fills Word templates. These values cross the border of the worker process: they import neither lxml nor Jinja."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from mediakit.engines.templates.data import FieldKind
from mediakit.results.item import Item


class TemplateField(Item):
    """A value that a template asks for."""

    name: str
    """Path in the data; members of the items of a list have its name: `items.price`."""
    kind: FieldKind
    where: Annotated[str, Field(alias="in")] = field(metadata={"member": "in"})
    """Parts that use it, such as `body, header 1`."""


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
