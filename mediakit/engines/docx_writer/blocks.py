"""Writes block elements of HTML as paragraphs and tables."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.code_blocks import code_runs
from mediakit.engines.docx_writer.flow import ALIGNMENTS, Flow
from mediakit.engines.docx_writer.formats import BREAKING, format_of, has_blocks
from mediakit.engines.docx_writer.headings import HeadingNumbers
from mediakit.engines.docx_writer.inline import InlineWriter
from mediakit.engines.docx_writer.lists import write_list
from mediakit.engines.docx_writer.looks import ALERT_COLORS
from mediakit.engines.docx_writer.paragraphs import paragraph, style_of
from mediakit.engines.docx_writer.spacing import set_spacing
from mediakit.engines.docx_writer.story import Story
from mediakit.engines.docx_writer.style_elements import QUOTE_INDENT
from mediakit.engines.docx_writer.tables import write_table
from mediakit.engines.docx_writer.wordml import w
from mediakit.engines.docx_writer.xml_tree import Element

_DEFINITION_INDENT = 360


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
            if self._is_block(child):
                found += self._close(inline, flow)
                found += self.write(child, flow)
                inline = InlineWriter(self.story, flow.text_width)
            else:
                inline.write(child, flow.format)
            inline.content.add_text(child.tail or "", flow.format)
        return found + self._close(inline, flow)

    def write(self, element: HtmlElement, flow: Flow) -> list[Element]:
        """Write one block element."""
        place = _placed(element, flow)
        writer = _WRITERS.get(str(element.tag))
        if str(element.tag) not in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.story.hold_bookmarks(element)
        return writer(self, element, place) if writer else self.write_children(element, _formatted(element, place))

    def _is_block(self, element: HtmlElement) -> bool:
        if element.tag in BREAKING:
            return True
        return element.tag != "math" and len(element) > 0 and has_blocks(element)

    def _close(self, inline: InlineWriter, flow: Flow) -> list[Element]:
        content = inline.finish()
        if not content or inline.content.is_empty:
            return []
        return split_display_maths(content, lambda part: paragraph(self.story, flow, part))


def split_display_maths(content: list[Element], wrap: Callable[[list[Element]], Element]) -> list[Element]:
    """Return paragraphs of inline content. A formula on its own line has a paragraph of its own."""
    found: list[Element] = []
    part: list[Element] = []
    for each in content:
        if each.tag == "m:oMathPara":
            found += [wrap(part)] if part else []
            found.append(wrap([each]))
            part = []
        else:
            part.append(each)
    return [*found, wrap(part)] if part else found


def _placed(element: HtmlElement, flow: Flow) -> Flow:
    """Return the place of a block with the direction and the alignment that the block sets."""
    direction, align = (element.get("dir") or "").lower(), ALIGNMENTS.get((element.get("align") or "").lower())
    if direction in ("rtl", "ltr"):
        flow = replace(flow, rtl=direction == "rtl")
    if element.tag == "center":
        align = "center"
    return replace(flow, align=align) if align and element.tag != "table" else flow


def _formatted(element: HtmlElement, flow: Flow) -> Flow:
    changed = format_of(element, flow.format)
    return replace(flow, format=changed) if changed != flow.format else flow


def _write_heading(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    level = int(str(element.tag)[1])
    anchor = element.get("id") or ""
    inline = InlineWriter(writer.story, flow.text_width)
    inline.write_children(element, flow.format)
    content = inline.finish()
    marks = list(writer.story.bookmarks_of(element))
    if marks:
        content = [marks[0], *content, marks[1]]
    if not content:
        return []
    place = replace(flow, style=f"Heading{level}")
    extra = writer.numbers.properties_of(anchor, level, is_nested=flow.indent > 0)
    return [paragraph(writer.story, place, content, *extra)]


def _write_quote(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    return writer.write_children(element, replace(flow, style="Quote", indent=flow.indent + QUOTE_INDENT))


def _write_container(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    kind = _alert_kind(element)
    if kind:
        style = f"Alert{kind.title()}"
        return writer.write_children(element, replace(flow, style=style, indent=flow.indent + QUOTE_INDENT))
    notes = writer.story.notes
    if "footnotes" in (element.get("class") or "").split() and notes and notes.holds(element):
        return []
    return writer.write_children(element, flow)


def _alert_kind(element: HtmlElement) -> str | None:
    classes = (element.get("class") or "").split()
    if not {"alert", "markdown-alert"} & set(classes):
        return None
    kinds = (name.rpartition("alert-")[2] for name in classes if "alert-" in name)
    return next((kind for kind in kinds if kind in ALERT_COLORS), None)


def _write_paragraph(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    if flow.style and flow.style.startswith("Alert") and "title" in (element.get("class") or ""):
        flow = replace(flow, style=f"{flow.style}Title")
    return writer.write_children(element, flow)


def _write_code(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    indent = [w("ind", left=flow.indent + 140, right=140)] if flow.indent else []
    place = replace(flow, style="SourceCode", align=None, rtl=False, is_document_rtl=False)
    return [paragraph(writer.story, place, code_runs(element), *indent)]


def _write_line(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    if "footnotes" in (element.get("class") or ""):
        return []
    return [paragraph(writer.story, replace(flow, style="HorizontalLine"), [])]


def _write_definitions(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    found: list[Element] = []
    for child in element:
        if child.tag == "dt":
            found += writer.write(child, replace(flow, style="DefinitionTerm"))
        elif child.tag == "dd":
            place = replace(flow, style="Definition", indent=flow.indent + _DEFINITION_INDENT)
            found += writer.write(child, place)
        else:
            found += writer.write(child, flow)
    if found and style_of(found[-1]) == "Definition":
        set_spacing(found[-1], "after", 160)
    return found


def _write_caption(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    return writer.write_children(element, _formatted(element, flow))


_WRITERS: Mapping[str, Callable[[BlockWriter, HtmlElement, Flow], list[Element]]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _write_heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), write_list),
    "blockquote": _write_quote,
    "div": _write_container,
    "section": _write_container,
    "p": _write_paragraph,
    "pre": _write_code,
    "hr": _write_line,
    "dl": _write_definitions,
    "table": write_table,
    "caption": _write_caption,
    "figcaption": _write_caption,
}
