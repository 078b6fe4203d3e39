"""The fields of a form, with their names, options and widgets."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.forms import FieldKind
from mediakit.engines.pdf.objects import RAW, Visited, ancestry, dictionaries, dictionary, inherited, items
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.errors import InvalidInput

_ESCAPE = re.compile(rb"#([0-9a-fA-F]{2})")


def name_text(name: object) -> str:
    """Return the text of a name, without its slash."""
    if not isinstance(name, Name):
        return ""
    content = _ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), name.unparse()[1:])
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def keys_of(holder: pikepdf.Object) -> list[Name]:
    """Return the keys of a dictionary as names, also those that are not UTF-8."""
    keys: list[str] = list(holder.keys())
    return [_name(key[1:].encode(*RAW)) for key in keys]


def as_name(text: str) -> Name:
    """Return the name with this text."""
    return _name(text.encode())


def _name(content: bytes) -> Name:
    made: Any = pikepdf.Object.parse(b"/" + b"".join(b"#%02x" % byte for byte in content))
    return made  # type: ignore[no-any-return]  # it is a name


MAX_DEPTH = 50
"""Levels of fields that are read."""

READ_ONLY, REQUIRED = 1 << 0, 1 << 1
MULTILINE, SECRET, FILE_SELECT, COMB = 1 << 12, 1 << 13, 1 << 20, 1 << 24
RADIO, PUSH_BUTTON, RADIOS_IN_UNISON = 1 << 15, 1 << 16, 1 << 25
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
        return inherited(self.nodes[0], key)

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
        with suppress(pikepdf.PdfError, UnicodeDecodeError):
            return [_lines(str(String(value.read_bytes())))]
        return [""]
    return []


def text_of(value: object) -> str | None:
    """Return the first text of a value; None if it has none."""
    return next(iter(texts_of(value)), None)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


MAX_NODES = 100_000
"""Fields, groups of fields and widgets that a form can have."""


class Form:
    """The fields of a PDF by full name, in the order of the file."""

    def __init__(self, source: Source) -> None:
        """Read the fields.

        Raises:
            InvalidInput: The form has too many fields.
        """
        self.source = source
        self.root = dictionary(source.root.get(Name.AcroForm))
        self.fields: dict[str, FormField] = {}
        self._visited = Visited()
        self._placed: set[PageKey] = set()
        self._pages: dict[PageKey, pikepdf.Page] = {}
        for item in dictionaries(self.root.get(Name.Fields)):
            self._read(item, "", None)
        self._read_pages()
        self.fields = {name: field for name, field in self.fields.items() if field.type}

    def page_of(self, widget: pikepdf.Object) -> pikepdf.Page | None:
        """Return the page that shows a widget."""
        return self._pages.get(widget.objgen)

    def add_missing(self) -> None:
        """Add fields that only pages have to the form."""
        if Name.AcroForm not in self.source.root:
            self.source.root.AcroForm = self.source.pdf.make_indirect(Dictionary())
        self.root = self.source.root.AcroForm
        tops: dict[PageKey, pikepdf.Object] = {}
        for node in (node for each in self.fields.values() for node in each.nodes):
            *_, top = ancestry(node)
            if top and not isinstance(top.get(Name.Parent), Dictionary):  # else it is empty or in a loop
                tops[top.objgen] = top
        present = dictionaries(self.root.get(Name.Fields))
        known = {top.objgen for top in present}
        missing = [top for key, top in tops.items() if key not in known and top.is_indirect]
        if missing or Name.Fields not in self.root:
            self.root.Fields = Array([*present, *missing])

    def _read(self, node: pikepdf.Object, prefix: str, owner: FormField | None, depth: int = 0) -> None:
        if depth > MAX_DEPTH or not self._visited.add(node):
            return
        if self._visited.count > MAX_NODES:
            message = f"{self.source.label}: the form must have at most {MAX_NODES:,} fields and widgets."
            raise InvalidInput(message)
        name = node.get(Name.T)
        full = ".".join(filter(None, (prefix, str(name) if isinstance(name, String) else "")))
        kids = dictionaries(node.get(Name.Kids))
        if owner is None and not any(Name.T in kid for kid in kids):
            owner = self.fields.setdefault(full, FormField(full))
            owner.nodes.append(node)
        for kid in kids:
            self._read(kid, full, None if Name.T in kid else owner, depth + 1)
        if owner is not None and not kids and (Name.Rect in node or node.get(Name.Subtype) == Name.Widget):
            owner.widgets.append(node)
            self._placed.add(node.objgen)

    def _read_pages(self) -> None:
        for page in self.source.pdf.pages:
            for index, item in enumerate(items(page.obj.get(Name.Annots))):
                if not isinstance(item, Dictionary) or item.get(Name.Subtype) != Name.Widget:
                    continue
                widget = item if item.is_indirect else self.source.pdf.make_indirect(item)
                page.obj.Annots[index] = widget
                self._pages.setdefault(widget.objgen, page)
                if widget.objgen in self._placed:
                    continue
                self._placed.add(widget.objgen)  # the tree of fields does not reach it
                parent = widget.get(Name.Parent)
                node = parent if isinstance(parent, Dictionary) and Name.T not in widget else widget
                names = [str(name) for each in ancestry(node) if isinstance(name := each.get(Name.T), String)]
                full = ".".join(reversed(names))
                field = self.fields.setdefault(full, FormField(full))
                field.widgets.append(widget)
                if not any(node.objgen == known.objgen for known in field.nodes):
                    field.nodes.append(node)


OFF = "Off"
DEFAULT_STATE = "Yes"
"""The state of a check box whose file has no appearance that names one."""

MAX_OPTIONS = 10_000


@dataclass(frozen=True)
class Option:
    """Something that can be chosen."""

    value: str
    """The export value."""
    label: str
    """The text that is shown."""
    states: tuple[str, ...] = ()
    """Names of the appearances of buttons that belong to it."""


def options_of(field: FormField) -> list[Option]:
    """Return what can be chosen in a field; an empty list for texts."""
    given = items(field.get(Name.Opt))
    if field.type in ("choice", "list"):
        pairs = [texts_of(item)[:2] or [""] for item in given[:MAX_OPTIONS]]
        return [Option(texts[0], texts[-1]) for texts in pairs]
    if field.type not in ("checkbox", "radio"):
        return []
    exports = [text_of(item) for item in given]
    states_by_value: dict[str, list[str]] = {}
    for index in range(len(field.widgets)):
        state = own_state(field, index)
        place = index  # there is an export value for each widget; damaged files address them by state
        if len(exports) != len(field.widgets):
            place = int(state) if state.isascii() and state.isdigit() else len(exports)
        export = exports[place] if place < len(exports) else None
        states = states_by_value.setdefault(export or state, [])
        if state not in states:
            states.append(state)
    return [Option(value, value, tuple(states)) for value, states in states_by_value.items()]


def on_state(widget: pikepdf.Object) -> str:
    """Return the name of the appearance that a button has when it is on."""
    looks = dictionary(widget.get(Name.AP))
    for state in (state for key in (Name.N, Name.D) for state in keys_of(dictionary(looks.get(key)))):
        if name_text(state) != OFF:
            return name_text(state)
    current = widget.get(Name.AS)
    return "" if current == Name.Off else name_text(current)


def shown_state(widget: pikepdf.Object) -> str:
    """Return the name of the appearance that a button has now."""
    state = widget.get(Name.AS)
    return name_text(state) or OFF


def state_name(widget: pikepdf.Object, state: str) -> Name:
    """Return the name of a state as the widget's appearances spell it."""
    known = keys_of(dictionary(dictionary(widget.get(Name.AP)).get(Name.N)))
    return next((name for name in known if name_text(name) == state), as_name(state))


def own_state(field: FormField, index: int) -> str:
    """Return the name of the state that turns on the widget with this index; made up if it has no appearances."""
    if state := on_state(field.widgets[index]):
        return state
    is_one_of_many = len(field.widgets) > 1 and isinstance(field.get(Name.Opt), Array)
    return str(index) if field.type == "radio" or is_one_of_many else DEFAULT_STATE
