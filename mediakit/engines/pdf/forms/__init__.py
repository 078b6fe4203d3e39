"""Form fields as plain data; importing this package does not import pikepdf."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mediakit.results.item import Item

FieldValue = str | bool | list[str] | None
FieldKind = Literal["text", "checkbox", "radio", "choice", "list", "button", "signature"]


class FieldInfo(Item):
    """A form field. Positions are in points (1/72 inch) from the top left of the page as it is seen."""

    name: str
    """Full name, such as `person.name`."""
    type: FieldKind
    value: FieldValue
    """Text, the state of a check box, an export value, or a list of them."""
    default: FieldValue
    """The value after a reset."""
    options: list[str] | None
    """Export values of check boxes, radio buttons, choices and lists."""
    option_labels: list[str] | None
    """The text that is shown for each option."""
    required: bool
    read_only: bool
    multiline: bool
    multiple: bool
    """Whether several options can be chosen."""
    editable: bool
    """Whether a choice also takes text that is not an option."""
    max_length: int | None
    """Characters of a text."""
    label: str | None
    """Name for people, which viewers show as a tooltip."""
    page: int | None
    """The page that shows the field first, from 1."""
    x0: float | None
    """Left edge, in points from the left of the page as it is seen."""
    y0: float | None
    """Upper edge, in points from the top of the page as it is seen."""
    x1: float | None
    y1: float | None


@dataclass(frozen=True)
class FormOptions:
    """What to do with a form."""

    values: Mapping[str, Any] | None = None
    """Values by name; None to fill nothing."""
    flatten: bool = False
    strict: bool = True
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class FormOutcome:
    """The fields, and the file if one was written."""

    fields: list[FieldInfo]
    """The fields with their values; after flattening those that were drawn."""
    pages: int
    content: bytes | None = field(default=None, repr=False)
    filled: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
