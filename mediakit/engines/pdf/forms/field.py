"""A form field: its type, flags and inherited attributes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.forms.field_info import FieldKind
from mediakit.engines.pdf.forms.names import name_text

MAX_DEPTH = 50
"""Ancestors of a field that are read."""

READ_ONLY, REQUIRED = 1 << 0, 1 << 1
MULTILINE, SECRET, FILE_SELECT, COMB = 1 << 12, 1 << 13, 1 << 20, 1 << 24
RADIO, PUSH_BUTTON = 1 << 15, 1 << 16
COMBO, EDITABLE, MULTI_SELECT = 1 << 17, 1 << 18, 1 << 21


@dataclass
class FormField:
    """A field with a value, and all places where it is shown."""

    name: str
    """Full name, such as `person.name`."""
    nodes: list[pikepdf.Object] = field(default_factory=list)
    """The dictionaries of the field; several if the file has the same name more than once."""
    widgets: list[pikepdf.Object] = field(default_factory=list)

    def get(self, key: Name) -> pikepdf.Object | None:
        """Return an attribute of the field or of the nearest ancestor that has it."""
        return next((node[key] for node in _ancestry(self.nodes[0]) if key in node), None)

    def of_widget(self, widget: pikepdf.Object, key: Name) -> pikepdf.Object | None:
        """Return an attribute of a widget, or of the field."""
        found: pikepdf.Object | None = widget.get(key)
        return self.get(key) if found is None else found

    @cached_property
    def flags(self) -> int:
        """The field flags."""
        flags: object = self.get(Name.Ff)
        return flags if isinstance(flags, int) else 0

    def has(self, flag: int) -> bool:
        """Return whether a flag is set."""
        return bool(self.flags & flag)

    @cached_property
    def type(self) -> FieldKind | None:
        """The type; None for a field without one."""
        match self.get(Name.FT):
            case Name.Tx:
                return "text"
            case Name.Sig:
                return "signature"
            case Name.Ch:
                return "choice" if self.has(COMBO) else "list"
            case Name.Btn:
                return "button" if self.has(PUSH_BUTTON) else "radio" if self.has(RADIO) else "checkbox"
        return None

    @property
    def is_multiline(self) -> bool:
        """Whether a text has several lines."""
        return self.type == "text" and self.has(MULTILINE)

    @property
    def max_length(self) -> int | None:
        """Characters that a text may have; None for any number."""
        length: object = self.get(Name.MaxLen) if self.type == "text" else None
        return length if isinstance(length, int) and length > 0 else None

    @property
    def is_comb(self) -> bool:
        """Whether each character of a text is in a cell of its own."""
        excluded = MULTILINE | SECRET | FILE_SELECT
        return self.max_length is not None and self.has(COMB) and not self.flags & excluded

    @property
    def is_secret(self) -> bool:
        """Whether a text is a password, which is shown as asterisks."""
        return self.type == "text" and self.has(SECRET)

    def has_script(self, *events: str) -> bool:
        """Return whether the field or a widget runs a script, for example to calculate (`/C`) or to format (`/F`)."""
        actions = [node.get(Name.AA) for node in (*self.nodes, *self.widgets)]
        return any(isinstance(action, Dictionary) and event in action for action in actions for event in events)


def texts_of(value: object) -> list[str]:
    """Return the texts of a value: a string, a name, a text stream, or an array of them."""
    if isinstance(value, Array):
        return [text for item in list(value)[:10_000] for text in texts_of(item)]
    if isinstance(value, String):
        return [_lines(str(value))]
    if isinstance(value, Name):
        return [name_text(value)]
    if isinstance(value, Stream):
        return [_lines(_stream_text(value))]
    return []


def text_of(value: object) -> str | None:
    """Return the first text of a value; None if it has none."""
    return next(iter(texts_of(value)), None)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _stream_text(stream: pikepdf.Object) -> str:
    try:
        return str(String(stream.read_bytes()))
    except (pikepdf.PdfError, UnicodeDecodeError):
        return ""


def _ancestry(node: pikepdf.Object) -> Iterator[pikepdf.Object]:
    for _ in range(MAX_DEPTH):
        yield node
        parent = node.get(Name.Parent)
        if not isinstance(parent, Dictionary):
            return
        node = parent
