"""What a form field is, as plain data."""

from dataclasses import dataclass
from typing import Literal

FieldValue = str | bool | list[str] | None
FieldKind = Literal["text", "checkbox", "radio", "choice", "list", "button", "signature"]


@dataclass(frozen=True)
class FieldInfo:
    """A form field. Positions are in points (1/72 inch) from the top left of the page as it is seen."""

    name: str
    """Full name, such as `person.name`."""
    type: FieldKind
    value: FieldValue
    """Text, whether a check box is on, the export value of a choice, or a list of them; None if there is none."""
    default: FieldValue
    """The value that a reset restores."""
    options: list[str] | None
    """Export values of check boxes, radio buttons, choices and lists; None for others."""
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
    """The name for people (`/TU`), which viewers show as a tooltip."""
    page: int | None
    """Number of the page that shows the field first, from 1; None if no page does."""
    x0: float | None
    y0: float | None
    x1: float | None
    y1: float | None
