"""The text of OpenDocument: paragraphs and what is in them, headings, lists, tables, frames, forms and notes."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from urllib.parse import unquote

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.tools.documents.document_to_markdown.document import Omitted
from mediakit.tools.documents.document_to_markdown.readers.office import (
    CHECKED,
    MAX_HEADING_LEVEL,
    UNCHECKED,
    Element,
    Role,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    BlockBuilder,
    Item,
    Marks,
    Piece,
    check_box,
    has_content,
    new_element,
    prepend_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import part_xml
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading, image_element
from mediakit.tools.documents.document_to_markdown.readers.opendocument.styles import (
    CHART,
    DC,
    DRAW,
    FIELD,
    FORM,
    MATHML,
    OFFICE,
    STYLE_NAME,
    SVG,
    TABLE,
    TEXT,
    UNORDERED,
    XLINK,
    XML_ID,
    ListLevel,
    ListNumbers,
    OpenStyles,
    TextFormat,
    count,
    label,
)
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

_CONTROLS = tuple(
    f"{FORM}{name}"
    for name in (
        *("checkbox", "radio", "text", "textarea", "formatted-text", "number", "date", "time", "combobox"),
        *("listbox", "fixed-text", "button"),
    )
)
"""Controls of forms whose value is shown; that of passwords is not."""


class OpenReading(Reading):
    """The state of reading one text or presentation."""

    def __init__(
        self, container: Container, root: Element, styles: OpenStyles, options: Request, linked: Iterable[str]
    ) -> None:
        super().__init__(options, linked)
        self.container, self.styles = container, styles
        self.numbers = ListNumbers()
        self._root = root

    @cached_property
    def _controls(self) -> dict[str, Element]:
        """The controls of forms by identifier."""
        controls = self._root.iter(*_CONTROLS)
        return {each.get(name) or "": each for each in controls for name in (XML_ID, f"{FORM}id")}

    def control_text(self, element: Element) -> str:
        """Return what a control of a form shows: a box with its label, or its value (OpenDocument 1.3, 13.5)."""
        control = self._controls.get(element.get(f"{DRAW}control") or "")
        if control is None:
            return ""
        label = control.get(f"{FORM}label") or ""
        if control.tag in (f"{FORM}checkbox", f"{FORM}radio"):
            state = control.get(f"{FORM}current-state") or control.get(f"{FORM}state")
            is_on = state == "checked" or (control.get(f"{FORM}current-selected") == "true")
            return f"{CHECKED if is_on else UNCHECKED} {label}".strip()
        options = control.iterchildren(f"{FORM}option")
        chosen = [each.get(f"{FORM}label") or "" for each in options if each.get(f"{FORM}current-selected") == "true"]
        return ", ".join(chosen) or control.get(f"{FORM}current-value") or control.get(f"{FORM}value") or label

    def frame_image(self, frame: Element) -> HtmlElement | None:
        """Return the image of a frame: the first one whose file is known (OpenDocument 1.3, 10.4). None without one."""
        alt = " ".join((frame.findtext(f"{SVG}desc") or frame.findtext(f"{SVG}title") or "").split())
        for image in frame.iterchildren(f"{DRAW}image"):
            address = image.get(f"{XLINK}href") or ""
            if address.lower().startswith(("http:", "https:")):
                self.warnings.warn(Omitted.LINKED_IMAGES)
                return image_element(address, alt)
            if name := self.image_name(self.container, posixpath.normpath(unquote(address)), alt):
                return image_element(name, alt)
        self.warnings.warn(Omitted.MISSING_IMAGES)
        return None


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


def _copy(source: Element, target: HtmlElement) -> None:
    """Copy a formula without the source of OpenOffice's own formula language."""
    target.text = source.text
    for child in source:
        if isinstance(child.tag, str) and child.tag != f"{MATHML}annotation":
            copied = new_element(child.tag.rpartition("}")[2])
            target.append(copied)
            _copy(child, copied)


MAX_COLUMNS = 100
MAX_CELLS = 200_000
MAX_SPACES = 1000

_WRAPPERS = tuple(
    f"{TEXT}{name}" for name in ("section", "bibliography", "index-body", "numbered-paragraph", "index-title")
)
"""Elements that only wrap blocks. Indexes other than bibliographies repeat the headings and are not read."""

_NO_ITEM = (f"{TEXT}list", f"{TEXT}soft-page-break")
"""What may be alone in an item of a list that is only the place of deeper items."""

_IGNORED = frozenset(
    f"{TEXT}{name}"
    for name in (
        *("tracked-changes", "alphabetical-index-mark", "alphabetical-index-mark-start", "toc-mark", "user-index-mark"),
        *("hidden-text", "hidden-paragraph", "script", "note-citation", "ruby-text"),
    )
)
"""Elements of paragraphs whose text is not shown."""

_BOOKMARKS = tuple(f"{TEXT}{name}{end}" for name in ("bookmark", "reference-mark") for end in ("", "-start"))
_ROW_GROUPS = (f"{TABLE}table-header-rows", f"{TABLE}table-row-group", f"{TABLE}table-rows")
_OMITTED = {
    **dict.fromkeys((f"{DRAW}object", f"{DRAW}object-ole", f"{DRAW}applet"), Omitted.EMBEDDED_FILES),
    f"{DRAW}plugin": Omitted.MEDIA,
    f"{DRAW}floating-frame": Omitted.LINKED_DOCUMENTS,
}
"""What is in a frame and not read, and the warning of it."""


class TextReader:
    """Reads blocks, and the paragraphs among them."""

    def __init__(self, reading: OpenReading) -> None:
        self._reading = reading
        self._list_style = ""
        self._list_numbers: tuple[int, ...] = ()
        """The numbers of the items around the current block, from the outermost list."""
        self._label: str | None = None
        """What the item shows that the next heading is. None: it is not in a list."""
        self._waiting: list[Piece] = []
        """Anchors that the next paragraph begins with."""
        self._pieces: list[Piece] = []
        """The content of the current paragraph."""
        self._boxes: list[Element] = []
        """Text boxes, tables and charts in frames of the paragraph, which are written after it."""
        self._font = ""
        """The symbol font of the current text; empty for other fonts."""
        self._block_readers: Mapping[object, Callable[[Element, BlockBuilder], None]] = {
            f"{TEXT}p": self._paragraph,
            f"{TEXT}h": self._heading,
            f"{TEXT}list": self._list,
            f"{TABLE}table": self._table,
            **dict.fromkeys(_WRAPPERS, self._blocks),
        }
        self._inline_readers: Mapping[object, Callable[[Element, Marks], None]] = {
            f"{TEXT}span": self._span,
            f"{TEXT}a": lambda element, marks: self._link(element, element.get(f"{XLINK}href") or "", marks),
            f"{TEXT}s": lambda each, marks: self._add(" " * count(each.get(f"{TEXT}c"), 1, MAX_SPACES), marks),
            f"{TEXT}tab": lambda _, marks: self._add("\t", marks),
            f"{TEXT}line-break": lambda _, marks: self._add(new_element("br"), marks),
            f"{TEXT}note": self._note,
            f"{OFFICE}annotation": self._comment,
            f"{FIELD}fieldmark": lambda element, marks: self._add(form_state(element), marks),
            **dict.fromkeys(
                _BOOKMARKS, lambda each, _: reading.anchors.bookmark(each.get(f"{TEXT}name") or "", self._pieces)
            ),
            **dict.fromkeys((f"{TEXT}bookmark-ref", f"{TEXT}reference-ref"), self._cross_reference),
            **dict.fromkeys(_IGNORED, lambda *_: None),
        }

    def read(self, parent: Element, root: HtmlElement) -> None:
        """Read the blocks of an element into an HTML element."""
        outer = self._list_style, self._list_numbers, self._label, self._waiting
        self._list_style, self._list_numbers, self._label, self._waiting = "", (), None, []
        self._blocks(parent, BlockBuilder(root, self._reading.anchors))
        self._list_style, self._list_numbers, self._label, self._waiting = outer

    def _blocks(self, parent: Element, builder: BlockBuilder) -> None:
        source = parent.find(f"{TEXT}section-source")
        if source is not None and source.get(f"{XLINK}href") and len(parent) == 1:
            self._reading.warnings.warn(Omitted.LINKED_DOCUMENTS)
        for child in parent:
            self._block(child, builder)

    def _block(self, element: Element, builder: BlockBuilder) -> None:
        if read := self._block_readers.get(element.tag):
            read(element, builder)
        elif str(element.tag).startswith(DRAW):
            self._begin_paragraph()
            self._frame(element, ())
            self._end_paragraph(builder)

    def _begin_paragraph(self, font: str | None = None) -> None:
        self._pieces, self._boxes, self._font = [], [], font or ""

    def _end_paragraph(self, builder: BlockBuilder, role: Role = "", level: int = 0) -> None:
        """Write the paragraph that was read, and the boxes in it."""
        boxes = self._boxes
        shown = [content for _, content in self._pieces if not isinstance(content, str) or content.strip()]
        formulas = [content for content in shown if not isinstance(content, str) and content.tag == "math"]
        for formula in formulas if len(formulas) < len(shown) else ():  # LibreOffice marks all as lines of their own
            formula.attrib.pop("display", None)
        self._waiting = builder.write_paragraph([*self._waiting, *self._pieces], role, level)
        for box in boxes:
            if box.tag == f"{TABLE}table":
                self._table(box, builder, has_header=True)
            else:
                self.read(box, etree.SubElement(builder.append_point(), "div"))

    def _paragraph(self, element: Element, builder: BlockBuilder) -> None:
        name = element.get(STYLE_NAME) or ""
        text_format = self._reading.styles.format_of("paragraph", name)
        if text_format is not None:  # not hidden
            self._begin_paragraph(text_format.font)
            self._children(element, text_format.marks)
            self._end_paragraph(builder, self._reading.styles.role(name))

    def _heading(self, element: Element, builder: BlockBuilder) -> None:
        styles, name = self._reading.styles, element.get(STYLE_NAME) or ""
        level = max(1, count(element.get(f"{TEXT}outline-level")))
        shown, self._label = self._label, None
        if shown is None:
            shown = self._reading.numbers.heading_label(element, level, styles.heading_levels(name))
        self._begin_paragraph((styles.format_of("paragraph", name) or TextFormat()).font)
        self._children(element, ())
        if shown and self._reading.options.heading_numbers and has_content(self._pieces):
            self._pieces.insert(0, ((), shown))
        self._end_paragraph(builder, level=min(MAX_HEADING_LEVEL, level))

    def _list(self, element: Element, builder: BlockBuilder) -> None:
        """Read a list. An item that has only lists is the place of deeper items of the list before it."""
        outer = self._list_style, self._list_numbers
        style = self._list_style = element.get(STYLE_NAME) or outer[0]
        level = len(outer[1]) + 1
        levels = self._reading.styles.lists.get(style, {})
        own = next((levels[each] for each in range(level, 0, -1) if each in levels), UNORDERED)
        number = self._reading.numbers.first(element, style, level, own.start)
        for child in element.iterchildren(f"{TEXT}list-item", f"{TEXT}list-header"):
            number = count(child.get(f"{TEXT}start-value"), number)
            self._list_numbers = (*outer[1], number)
            if child.find(f"{TEXT}h") is not None:  # a heading that a list numbers
                self._label = label(levels, self._list_numbers) if child.tag == f"{TEXT}list-item" else ""
                self._blocks(child, builder)
                self._label = None
            else:
                self._item(child, builder, Item(level - 1, "", number if own.is_ordered else None), own)
            number += any(block.tag not in _NO_ITEM for block in child)
        self._reading.numbers.end(element, style, level, number)
        self._list_style, self._list_numbers = outer

    def _item(self, element: Element, builder: BlockBuilder, item: Item, level: ListLevel) -> None:
        content: BlockBuilder | None = None
        for child in element:
            if child.tag == f"{TEXT}list":
                self._list(child, builder)
            elif child.tag not in _NO_ITEM:
                if content is None:
                    listed = builder.item(item)
                    if level.is_checked is not None:
                        listed.append(check_box(is_checked=level.is_checked))
                    content = BlockBuilder(listed, self._reading.anchors)
                self._block(child, content)

    def _table(self, element: Element, builder: BlockBuilder, *, has_header: bool = False) -> None:
        """Read a table with its repeated rows and cells (OpenDocument 1.3, 9.1).

        With `has_header`, the first row is a header even if the table does not say so.
        """
        target = builder.block("table")
        remaining = MAX_CELLS
        for row, is_header in table_rows(element):
            is_empty = not any(text.strip() for text in row.itertext())
            for _ in range(count(row.get(f"{TABLE}number-rows-repeated"), 1, 1 if is_empty else 1000)):
                remaining -= self._row(row, target, "th" if is_header or (has_header and not len(target)) else "td")
                if remaining < 0:
                    return

    def _row(self, row: Element, target: HtmlElement, tag: str) -> int:
        line = etree.SubElement(target, "tr")
        for cell in row.iterchildren(f"{TABLE}table-cell"):
            repeated = count(cell.get(f"{TABLE}number-columns-repeated"), 1, MAX_COLUMNS)
            for _ in range(min(repeated, MAX_COLUMNS - len(line))):
                element = etree.SubElement(line, tag)
                for name, attribute in (("colspan", "columns"), ("rowspan", "rows")):
                    span = count(cell.get(f"{TABLE}number-{attribute}-spanned"), 1, 1000)
                    if span > 1:
                        element.set(name, str(span))
                if cell.get(f"{OFFICE}value") != "NaN" or "NaN" not in cell.itertext():
                    self.read(cell, element)  # the others are points that a chart does not have
        return len(line)

    def _children(self, parent: Element, marks: Marks) -> None:
        self._add(parent.text or "", marks)
        for child in parent:
            if read := self._inline_readers.get(child.tag):
                read(child, marks)
            elif str(child.tag).startswith(DRAW):
                self._frame(child, marks)
            elif isinstance(child.tag, str):
                self._children(child, marks)
            self._add(child.tail or "", marks)

    def _add(self, content: str | HtmlElement, marks: Marks) -> None:
        if isinstance(content, str) and self._font:
            content = symbol_text(self._font, content)
        if not isinstance(content, str) or content:
            self._pieces.append((marks, content))

    def _span(self, element: Element, marks: Marks) -> None:
        added = self._reading.styles.format_of("text", element.get(STYLE_NAME) or "")
        if added is None:  # hidden
            return
        outer_font = self._font
        if added.font is not None:
            self._font = added.font
        self._children(element, (*marks, *(mark for mark in added.marks if mark not in marks)))
        self._font = outer_font

    def _link(self, element: Element, address: str, marks: Marks) -> None:
        if address.startswith("#"):  # the name of a heading or a bookmark, and the kind of the target: `#name|outline`
            address = address.split("|", maxsplit=1)[0]
        self._children(element, (("a", address), *marks) if address else marks)

    def _cross_reference(self, element: Element, marks: Marks) -> None:
        name = element.get(f"{TEXT}ref-name")
        self._link(element, f"#{name}" if name else "", marks)

    def _note(self, element: Element, _marks: Marks) -> None:
        body = element.find(f"{TEXT}note-body")
        if self._reading.options.notes and body is not None:
            self._refer(f"note {element.get(f'{TEXT}id') or id(element)}", body)

    def _comment(self, element: Element, _marks: Marks) -> None:
        if self._reading.options.comments:
            self._refer(f"comment {element.get(f'{OFFICE}name') or id(element)}", element, "c")

    def _refer(self, key: str, content: Element, prefix: str = "") -> None:
        """Add the reference to a note."""
        reference = self._reading.note(key, partial(self._read_note, content), prefix)
        if reference is not None:
            self._pieces.append(((), reference))

    def _read_note(self, content: Element, item: HtmlElement) -> None:
        self.read(content, item)
        if author := content.findtext(f"{DC}creator"):
            prepend_text(item, f"{author}: ")

    def _frame(self, element: Element, marks: Marks) -> None:
        """Read a frame, a shape or a control of a form."""
        if element.tag == f"{DRAW}a":
            for child in element:
                self._frame(child, marks)
        elif element.tag == f"{DRAW}control":
            self._pieces.append((marks, self._reading.control_text(element)))
        elif not self._object(element.find(f"{DRAW}object")):
            self._shape(element, marks)

    def _shape(self, element: Element, marks: Marks) -> None:
        """Read an image, a text box, a shape with text or a group of them."""
        for child in element.iterchildren(*_OMITTED):
            self._reading.warnings.warn(_OMITTED[str(child.tag)])
        box = element.find(f"{DRAW}text-box")
        if box is not None:
            self._boxes.append(box)
        elif (table := element.find(f"{TABLE}table")) is not None:  # of a slide; an image shows it to other programs
            self._boxes.append(table)
        elif element.find(f"{DRAW}image") is not None:
            image = None if self._reading.options.images == "none" else self._reading.frame_image(element)
            if image is not None:
                self._pieces.append((marks, image))
        elif next(element.iter(f"{TEXT}p"), None) is not None:
            self._boxes.append(element)

    def _object(self, embedded: Element | None) -> bool:
        """Read a formula or a chart, and return whether an embedded object is one."""
        if embedded is None:
            return False
        root = next(embedded.iterchildren(f"{MATHML}math", f"{OFFICE}document"), None)
        if root is None:
            folder = posixpath.normpath(unquote(embedded.get(f"{XLINK}href") or "."))
            root = part_xml(self._reading.container, posixpath.join(folder, "content.xml"))
        if root is not None and root.tag == f"{MATHML}math":
            formula = new_element("math")
            _copy(root, formula)
            if root.get("display") == "block":
                formula.set("display", "block")
            self._pieces.append(((), formula))
            return True
        chart = None if root is None else next(root.iter(f"{CHART}chart"), None)
        table = None if chart is None else chart.find(f"{TABLE}table")
        if chart is None or table is None:
            return False
        self._boxes += [*chart.iterchildren(f"{CHART}title"), table]
        return True


def table_rows(parent: Element, *, is_header: bool = False) -> Iterator[tuple[Element, bool]]:
    """Yield the rows of a table, and whether each is a header."""
    for child in parent:
        if child.tag == f"{TABLE}table-row":
            yield child, is_header
        elif child.tag in _ROW_GROUPS:
            yield from table_rows(child, is_header=is_header or child.tag == _ROW_GROUPS[0])
