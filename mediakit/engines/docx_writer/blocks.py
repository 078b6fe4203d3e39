"""Writes block elements of HTML as paragraphs, lists and tables."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from docx.oxml.table import CT_Tbl
from docx.oxml.text.paragraph import CT_P
from lxml.html import HtmlElement

from mediakit.engines.docx_writer.elements import (
    Element,
    drop_property,
    gap,
    has_number,
    qn,
    set_number,
    set_property,
    set_spacing,
    style_of,
    w,
)
from mediakit.engines.docx_writer.inline import (
    PLAIN,
    Format,
    InlineContent,
    InlineWriter,
    format_of,
    is_block,
    text_run,
)
from mediakit.engines.docx_writer.state import LEVELS, STEP, HeadingNumbers, Story
from mediakit.engines.docx_writer.tables import write_table
from mediakit.engines.rich_text.rendering import token_styles

Alignment = Literal["left", "center", "right", "both"]

MAX_COLORED_SPANS = 20_000
"""Code with more tokens is written without colors, so that Word opens it quickly."""

ALERTS = ("note", "tip", "important", "warning", "caution")

_ALIGNMENTS: Mapping[str, Alignment] = {"left": "left", "center": "center", "right": "right", "justify": "both"}
"""Alignments by the values of CSS and of the attribute `align`."""

_OPPOSITE: Mapping[Alignment, Alignment] = {"left": "right", "right": "left"}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_QUOTE_INDENT, _DEFINITION_INDENT, _CODE_INDENT = 320, 360, 140
"""Indentations that the styles have by themselves, in twips."""

_ITEMS = ("ListBullet", "ListNumber", "ListContinue")
_MAX_DIGITS = 9

_AFTER_TABLE = 200
"""Space between a table and the paragraph that follows it, in twips."""

_BETWEEN_CODE = 20
"""Height of the paragraph between two blocks of code, in twips."""


@dataclass(frozen=True)
class Flow:
    """The place of a block."""

    width: int
    """Width of the area that the block is in, in twips."""
    style: str = ""
    """ID of the style of paragraphs; empty for Normal."""
    indent: int = 0
    """Indentation of the block, in twips."""
    list_level: int = -1
    """Level of the innermost list, from 0."""
    format: Format = PLAIN
    align: Alignment | None = None
    rtl: bool = False
    is_document_rtl: bool = False

    @property
    def text_width(self) -> int:
        """Width of a line of the block, in twips."""
        return max(400, self.width - self.indent)

    @property
    def style_indent(self) -> int:
        """Indentation that the style of the block has by itself, in twips."""
        if self.style == "Quote" or self.style.startswith("Alert"):
            return _QUOTE_INDENT
        return _DEFINITION_INDENT if self.style == "Definition" else 0


class BlockWriter:
    """Writes the blocks of one story."""

    def __init__(self, story: Story, numbers: HeadingNumbers) -> None:
        self.story = story
        self.numbers = numbers

    def write_children(self, element: HtmlElement, flow: Flow) -> list[Element]:
        """Write the content of an element. Text and inline elements between blocks become paragraphs."""
        found: list[Element] = []
        inline = InlineWriter(self.story, flow.text_width)
        inline.content.add_text(element.text or "", flow.format)
        for child in element:
            if is_block(child):
                found += self._close(inline, flow)
                found += self.write(child, flow)
                inline = InlineWriter(self.story, flow.text_width)
            else:
                inline.write(child, flow.format)
            inline.content.add_text(child.tail or "", flow.format)
        return found + self._close(inline, flow)

    def write(self, element: HtmlElement, flow: Flow) -> list[Element]:
        """Write one block element, which can set the direction and the alignment of its content."""
        direction = (element.get("dir") or "").lower()
        align = "center" if element.tag == "center" else _ALIGNMENTS.get((element.get("align") or "").lower())
        if direction in ("rtl", "ltr"):
            flow = replace(flow, rtl=direction == "rtl")
        if align and element.tag != "table":
            flow = replace(flow, align=align)
        if element.tag not in _HEADINGS:
            self.story.waiting += self.story.bookmarks_of(element)
        if writer := _WRITERS.get(str(element.tag)):
            return writer(self, element, flow)
        return self.write_children(element, replace(flow, format=format_of(element, flow.format)))

    def paragraph(self, flow: Flow, content: Iterable[Element] = ()) -> Element:
        """Return a paragraph at a place, with the bookmarks that wait for one."""
        found = [w("pStyle", val=flow.style)] if flow.style else []
        if flow.rtl != flow.is_document_rtl:
            found.append(w("bidi", val=int(flow.rtl)))
        if flow.indent != flow.style_indent:
            found.append(w("ind", left=flow.indent))
        if flow.align:  # in text from right to left, Word's "left" is where lines begin
            found.append(w("jc", val=_OPPOSITE.get(flow.align, flow.align) if flow.rtl else flow.align))
        properties = [w("pPr", *found)] if found else []
        bookmarks, self.story.waiting = self.story.waiting, []
        return w("p", *properties, *bookmarks, *content)

    def _close(self, inline: InlineWriter, flow: Flow) -> list[Element]:
        """Return the paragraphs of inline content. A formula on its own line has a paragraph of its own."""
        content = inline.finish()
        if inline.content.is_empty:
            return []
        parts: list[list[Element]] = [[]]
        for each in content:
            if each.tag == qn("m:oMathPara"):
                parts += [[each], []]
            else:
                parts[-1].append(each)
        return [self.paragraph(flow, part) for part in parts if part]


def spaced(elements: Iterable[Element]) -> list[Element]:
    """Return blocks with space after each table. Word would join two tables or two blocks of code without space."""
    found: list[Element] = []
    for element in elements:
        if found and isinstance(found[-1], CT_Tbl):
            if isinstance(element, CT_Tbl):
                found.append(gap(_AFTER_TABLE))
            elif isinstance(element, CT_P) and not style_of(element).startswith("Heading"):
                set_spacing(element, "before", _AFTER_TABLE)
        elif found and style_of(found[-1]) == style_of(element) == "SourceCode":
            found.append(gap(_BETWEEN_CODE))
        found.append(element)
    if found and isinstance(found[-1], CT_Tbl):
        found.append(gap(_AFTER_TABLE))
    return found


def _write_heading(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    level = int(str(element.tag)[1])
    inline = InlineWriter(writer.story, flow.text_width)
    inline.write_children(element, flow.format)
    content = inline.finish()
    if marks := writer.story.bookmarks_of(element):
        content = [marks[0], *content, marks[1]]
    if not content:
        return []
    heading = writer.paragraph(replace(flow, style=f"Heading{level}"), content)
    writer.numbers.set_number(heading, element.get("id") or "", level, is_nested=flow.indent > 0)
    return [heading]


def _write_container(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    classes = set((element.get("class") or "").split())
    if element.tag == "p":
        if flow.style.startswith("Alert") and "title" in (element.get("class") or ""):
            flow = replace(flow, style=f"{flow.style}Title")
    elif element.tag == "blockquote":
        flow = replace(flow, style="Quote", indent=flow.indent + _QUOTE_INDENT)
    elif classes & {"alert", "markdown-alert"}:
        kind = next((kind for kind in ALERTS if any(name.endswith(f"alert-{kind}") for name in classes)), None)
        if kind:
            flow = replace(flow, style=f"Alert{kind.title()}", indent=flow.indent + _QUOTE_INDENT)
    elif "footnotes" in classes and writer.story.state.notes.holds(element):
        return []
    return writer.write_children(element, flow)


def _write_definitions(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    found: list[Element] = []
    term = replace(flow, style="DefinitionTerm")
    definition = replace(flow, style="Definition", indent=flow.indent + _DEFINITION_INDENT)
    places = {"dt": term, "dd": definition}
    for child in element:
        found += writer.write(child, places.get(str(child.tag), flow))
    if found and style_of(found[-1]) == "Definition":
        set_spacing(found[-1], "after", 160)
    return found


def _write_table(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    def write_cell(cell: HtmlElement | None, width: int, align: str, *, is_header: bool) -> list[Element]:
        text_format = replace(flow.format, bold=True) if is_header else flow.format
        place = replace(
            flow, width=width, style="", indent=0, list_level=-1, format=text_format, align=_ALIGNMENTS.get(align)
        )
        content = spaced(writer.write(cell, place)) if cell is not None else []
        if not (content and isinstance(content[-1], CT_P)):
            content.append(writer.paragraph(place))
        return content

    captions = [block for caption in element.iterchildren("caption") for block in writer.write(caption, flow)]
    table = write_table(element, flow.text_width, write_cell, indent=flow.indent, rtl=flow.rtl)
    return captions if table is None else [*captions, table]


# Code: one paragraph with line breaks, in the colors of the highlighter.


def _write_code(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    content = InlineContent()
    is_colored = sum(1 for _ in element.iter("span")) <= MAX_COLORED_SPANS
    colors = {name: color.lstrip("#").upper() for name, color in token_styles().items()} if is_colored else {}
    _collect_code(element, PLAIN, colors, content)
    if content.spans:
        content.spans[-1].text = content.spans[-1].text.removesuffix("\n")
    runs = [text_run(span.text, span.format) for span in content.spans if span.text]
    place = replace(flow, style="SourceCode", indent=0, align=None, rtl=False, is_document_rtl=False)
    code = writer.paragraph(place, runs)
    if flow.indent:
        set_property(code, w("ind", left=flow.indent + _CODE_INDENT, right=_CODE_INDENT))
    return [code]


def _collect_code(element: HtmlElement, outer: Format, colors: Mapping[str, str], content: InlineContent) -> None:
    inner = outer
    for name in (element.get("class") or "").split() if element.tag == "span" else ():
        if name in colors:
            inner = Format(color=colors[name], italic=name in ("c", "ch", "cm", "c1", "cs"))
    _add_code("\n" if element.tag == "br" else element.text, inner, content)
    for child in element:
        _collect_code(child, inner, colors, content)
        _add_code(child.tail, inner, content)


def _add_code(text: str | None, text_format: Format, content: InlineContent) -> None:
    if text:
        content.add_verbatim(text.replace("\r\n", "\n").replace("\r", "\n"), text_format)


# Lists: real numbering with levels and starts, and more blocks in an item.


def _write_list(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    """Write a list. Each item is a paragraph with a number or a bullet, and the item's other blocks."""
    level = min(flow.list_level + 1, LEVELS - 1)
    inner = replace(flow, style="ListContinue", indent=flow.indent + STEP, list_level=level)
    items = list(element.iterchildren("li"))
    is_loose = any(item.find("p") is not None for item in items)
    numbering = writer.story.state.numbering
    kind = element.get("type") or "1"
    start = _number(element.get("start"))
    number: int | None = None
    found: list[Element] = []
    for child in element:
        if child.tag != "li":
            found += writer.write(child, inner)
            continue
        value = _number(child.get("value"))
        if element.tag == "ol" and (number is None or value is not None):
            first = value if value is not None else 1 if start is None else start
            number = numbering.ordered(level, first, kind)
        identifier = number or numbering.unordered("task" if _is_task(child) else "bullet")
        found += _write_item(writer, child, inner, identifier, is_ordered=number is not None)
    last = len(found) - 1
    for index, block in enumerate(found):
        if (is_loose or index == last) and style_of(block) in _ITEMS:
            set_spacing(block, "after", 160 if index == last else 120)
    return found


def _write_item(writer: BlockWriter, item: HtmlElement, flow: Flow, number: int, *, is_ordered: bool) -> list[Element]:
    blocks = writer.write(item, flow)
    style = style_of(blocks[0]) if blocks else ""
    takes_number = style == "ListContinue" or style.startswith("Heading")
    if not takes_number or has_number(blocks[0]):
        blocks.insert(0, writer.paragraph(flow))
    first = blocks[0]
    if style_of(first) == "ListContinue":
        set_property(first, w("pStyle", val="ListNumber" if is_ordered else "ListBullet"))
    drop_property(first, qn("w:ind"))
    if flow.indent != STEP * (flow.list_level + 1):
        set_property(first, w("ind", left=flow.indent, hanging=STEP))
    set_number(first, flow.list_level, number)
    box = first.find(qn("w:sdt"))
    if _is_task(item) and not is_ordered:
        set_property(first, w("tabs", w("tab", val="left", pos=flow.indent)))
        if box is not None:  # a tab in place of the space, so that the text is aligned with other items
            following = box.getnext()
            text = following.find(qn("w:t")) if following is not None else None
            if text is not None:
                text.text = (text.text or "").removeprefix(" ")
            box.addnext(w("r", w("tab")))
    return blocks


def _is_task(item: HtmlElement) -> bool:
    box = next(item.iter("input"), None)
    if box is None or (box.get("type") or "").lower() != "checkbox":
        return False
    return next(box.iterancestors("li"), None) is item


def _number(value: str | None) -> int | None:
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


_WRITERS: Mapping[str, Callable[[BlockWriter, HtmlElement, Flow], list[Element]]] = {
    **dict.fromkeys(_HEADINGS, _write_heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), _write_list),
    **dict.fromkeys(("div", "section", "blockquote", "p"), _write_container),
    "pre": _write_code,
    "hr": lambda writer, element, flow: (
        [] if "footnotes" in (element.get("class") or "") else [writer.paragraph(replace(flow, style="HorizontalLine"))]
    ),
    "dl": _write_definitions,
    "table": _write_table,
}
