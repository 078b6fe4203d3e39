"""The inline content of a paragraph of OpenDocument: spans, links, notes and bookmarks; images, formulas, objects."""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import unquote

from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.engines.xml import parse_xml
from mediakit.tools.documents.document_to_markdown.document import (
    LINKED_IMAGES,
    MISSING_IMAGES,
    ReadOptions,
    WarningCounter,
)
from mediakit.tools.documents.document_to_markdown.readers.office import (
    CHECKED,
    UNCHECKED,
    Element,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    Anchors,
    Marks,
    NoteList,
    Piece,
    new_element,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList
from mediakit.tools.documents.document_to_markdown.readers.opendocument.styles import (
    DRAW,
    FIELD,
    FORM,
    MATHML,
    OFFICE,
    STYLE_NAME,
    SVG,
    TEXT,
    XLINK,
    XML_ID,
    ListNumbers,
    OpenStyles,
    TextFormat,
    count,
)

MAX_SPACES = 1000

_IGNORED = frozenset(
    f"{TEXT}{name}"
    for name in (
        "tracked-changes",
        "alphabetical-index-mark",
        "alphabetical-index-mark-start",
        "toc-mark",
        "user-index-mark",
        "hidden-text",
        "hidden-paragraph",
        "script",
        "note-citation",
        "ruby-text",
    )
)

_BOX_CONTROLS = (f"{FORM}checkbox", f"{FORM}radio")
_CONTROLS = (
    *_BOX_CONTROLS,
    *(f"{FORM}{name}" for name in ("text", "textarea", "formatted-text", "number", "date", "time", "combobox")),
    *(f"{FORM}{name}" for name in ("listbox", "fixed-text", "button")),
)


@dataclass
class OpenContext:
    """What the readers of a document share."""

    container: Container
    styles: OpenStyles
    options: ReadOptions
    anchors: Anchors
    notes: NoteList = field(default_factory=NoteList)
    images: ImageList = field(default_factory=ImageList)
    numbers: ListNumbers = field(default_factory=ListNumbers)
    warnings: WarningCounter = field(default_factory=WarningCounter)
    _controls: dict[str, Element] = field(default_factory=dict)
    """The controls of forms by identifier."""

    def part(self, name: str) -> Element | None:
        """Return the root of an XML part. None if there is no such part."""
        return parse_xml(self.container.read(name), name) if name in self.container else None

    def control_text(self, element: Element) -> str:
        """Return what a control of a form shows: a box with its label, or its value (OpenDocument 1.3, 13.5)."""
        if not self._controls:
            root = element.getroottree().getroot()
            self._controls = {
                each.get(name) or "": each for each in root.iter(*_CONTROLS) for name in (XML_ID, f"{FORM}id")
            }
        control = self._controls.get(element.get(f"{DRAW}control") or "")
        if control is None:
            return ""
        label = control.get(f"{FORM}label") or ""
        if control.tag in _BOX_CONTROLS:
            state = control.get(f"{FORM}current-state") or control.get(f"{FORM}state")
            is_on = state == "checked" or (control.get(f"{FORM}current-selected") == "true")
            return f"{CHECKED if is_on else UNCHECKED} {label}".strip()
        options = control.iterchildren(f"{FORM}option")
        chosen = [each.get(f"{FORM}label") or "" for each in options if each.get(f"{FORM}current-selected") == "true"]
        return ", ".join(chosen) or control.get(f"{FORM}current-value") or control.get(f"{FORM}value") or label


def form_state(mark: Element) -> str:
    """Return what a form field of Word that LibreOffice saved shows: a box, or the choice of a list."""
    values: dict[str, list[str]] = {}
    for parameter in mark.iterchildren(f"{FIELD}param"):
        values.setdefault(parameter.get(f"{FIELD}name") or "", []).append(parameter.get(f"{FIELD}value") or "")
    kind = (mark.get(f"{FIELD}type") or "").rpartition(".")[2]
    if kind == "FORMCHECKBOX":
        return CHECKED if values.get("Checkbox_Checked") == ["true"] else UNCHECKED
    entries = values.get("Dropdown_ListEntry", []) if kind == "FORMDROPDOWN" else []
    selected = count(values.get("Dropdown_Selected", ["0"])[0], 0)
    return entries[selected] if selected < len(entries) else ""


@dataclass
class Inline:
    """The inline content of a paragraph."""

    pieces: list[Piece] = field(default_factory=list)
    boxes: list[Element | HtmlElement] = field(default_factory=list)
    """Text boxes, tables and charts in frames, which are written after the paragraph."""


class Frames(Protocol):
    """Reads what is inside paragraphs beside text."""

    def frame(self, element: Element, inline: Inline, marks: Marks) -> None:
        """Read a frame or a shape."""

    def note(self, element: Element) -> HtmlElement | None:
        """Return the reference to a footnote or an endnote. None if notes are not read."""

    def comment(self, element: Element) -> HtmlElement | None:
        """Return the reference to a comment. None if comments are not read."""


class InlineReader:
    """Reads paragraphs."""

    def __init__(self, context: OpenContext, frames: Frames) -> None:
        self._context = context
        self._frames = frames
        self._inline = Inline()
        self._font = ""
        """The symbol font of the current text; empty for other fonts."""
        self._handlers: dict[object, Callable[[Element, Marks], None]] = {
            f"{TEXT}span": self._span,
            f"{TEXT}a": self._link,
            f"{TEXT}s": lambda element, marks: self._add(" " * count(element.get(f"{TEXT}c"), 1, MAX_SPACES), marks),
            f"{TEXT}tab": lambda _, marks: self._add("\t", marks),
            f"{TEXT}line-break": lambda _, marks: self._add(new_element("br"), marks),
            f"{TEXT}note": lambda element, _: self._reference(self._frames.note(element)),
            f"{OFFICE}annotation": lambda element, _: self._reference(self._frames.comment(element)),
            f"{FIELD}fieldmark": lambda element, marks: self._text(form_state(element), marks),
            f"{TEXT}bookmark": self._bookmark,
            f"{TEXT}bookmark-start": self._bookmark,
            f"{TEXT}reference-mark": self._bookmark,
            f"{TEXT}reference-mark-start": self._bookmark,
            f"{TEXT}bookmark-ref": self._cross_reference,
            f"{TEXT}reference-ref": self._cross_reference,
        }

    def read(self, paragraph: Element, text_format: TextFormat) -> Inline:
        """Return the inline content of a paragraph.

        Args:
            paragraph: The paragraph.
            text_format: The format of the whole paragraph.
        """
        outer, self._inline = self._inline, Inline()
        outer_font, self._font = self._font, text_format.font or ""
        self._children(paragraph, text_format.marks)
        found, self._inline, self._font = self._inline, outer, outer_font
        return found

    def _children(self, parent: Element, marks: Marks) -> None:
        self._text(parent.text, marks)
        for child in parent:
            if isinstance(child.tag, str):
                self._child(child, marks)
            self._text(child.tail, marks)

    def _child(self, child: Element, marks: Marks) -> None:
        handler = self._handlers.get(child.tag)
        if handler:
            handler(child, marks)
        elif str(child.tag).startswith(DRAW):
            inline = self._inline
            self._frames.frame(child, inline, marks)
            self._inline = inline
        elif child.tag not in _IGNORED:
            self._children(child, marks)

    def _text(self, text: str | None, marks: Marks) -> None:
        if text:
            self._add(symbol_text(self._font, text) if self._font else text, marks)

    def _add(self, content: str | HtmlElement, marks: Marks) -> None:
        self._inline.pieces.append((marks, content))

    def _span(self, element: Element, marks: Marks) -> None:
        added = self._context.styles.text_format(element.get(STYLE_NAME) or "")
        if added is None:  # hidden
            return
        outer_font = self._font
        if added.font is not None:
            self._font = added.font
        self._children(element, (*marks, *(mark for mark in added.marks if mark not in marks)))
        self._font = outer_font

    def _link(self, element: Element, marks: Marks) -> None:
        address = element.get(f"{XLINK}href") or ""
        if address.startswith("#"):  # the name of a heading or a bookmark, and the kind of the target: `#name|outline`
            address = address.split("|", maxsplit=1)[0]
        self._children(element, (("a", address), *marks) if address else marks)

    def _cross_reference(self, element: Element, marks: Marks) -> None:
        name = element.get(f"{TEXT}ref-name")
        self._children(element, (("a", f"#{name}"), *marks) if name else marks)

    def _bookmark(self, element: Element, _marks: Marks) -> None:
        self._context.anchors.bookmark(element.get(f"{TEXT}name") or "", self._inline.pieces)

    def _reference(self, reference: HtmlElement | None) -> None:
        if reference is not None:
            self._inline.pieces.append(((), reference))


def image_element(frame: Element, context: OpenContext) -> HtmlElement | None:
    """Return the image of a frame: the first one whose file is known. None without one (OpenDocument 1.3, 10.4)."""
    alt = " ".join((frame.findtext(f"{SVG}desc") or frame.findtext(f"{SVG}title") or "").split())
    images = list(frame.iterchildren(f"{DRAW}image"))
    for image in images:
        source = _image_source(image, context, alt)
        if source:
            element = new_element("img")
            element.set("src", source)
            element.set("alt", alt)
            return element
    if images:
        context.warnings.warn(MISSING_IMAGES)
    return None


def _image_source(image: Element, context: OpenContext, alt: str) -> str | None:
    address = image.get(f"{XLINK}href") or ""
    if address.lower().startswith(("http:", "https:")):
        context.warnings.warn(LINKED_IMAGES)
        return address
    name = posixpath.normpath(unquote(address))
    known = context.images.known(name)
    if known or name not in context.container:
        return known
    return context.images.add(name, context.container.read(name), alt)


def object_root(frame: Element, context: OpenContext) -> Element | None:
    """Return the root of an embedded object, such as a formula or a chart. None if the frame has none."""
    embedded = frame.find(f"{DRAW}object")
    if embedded is None:
        return None
    for child in embedded:
        if child.tag in (f"{MATHML}math", f"{OFFICE}document"):
            return child
    return context.part(posixpath.join(posixpath.normpath(unquote(embedded.get(f"{XLINK}href") or ".")), "content.xml"))


def formula_element(math: Element) -> HtmlElement:
    """Return a formula as an HTML element, without the source of OpenOffice's own formula language."""
    element = new_element("math")
    _copy(math, element)
    if math.get("display") == "block":
        element.set("display", "block")
    return element


def _copy(source: Element, target: HtmlElement) -> None:
    target.text = source.text
    for child in source:
        if not isinstance(child.tag, str) or child.tag == f"{MATHML}annotation":
            continue
        copied = new_element(child.tag.rpartition("}")[2])
        target.append(copied)
        _copy(child, copied)
