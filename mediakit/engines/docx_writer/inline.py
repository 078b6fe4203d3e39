"""Writes inline elements of HTML as the content of a paragraph."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.addresses import clean_address
from mediakit.engines.docx_writer.formats import QUOTATION_MARKS, format_of
from mediakit.engines.docx_writer.images import ImageError, fit
from mediakit.engines.docx_writer.maths import write_maths
from mediakit.engines.docx_writer.runs import check_box, span_runs
from mediakit.engines.docx_writer.spans import Format, InlineContent, Link, by_link
from mediakit.engines.docx_writer.story import Story
from mediakit.engines.docx_writer.wordml import EMU_PER_TWIP, make
from mediakit.engines.docx_writer.xml_tree import Element

_MAX_TOOLTIP = 250
_MAX_SIZE_PIXELS = 20_000


class InlineWriter:
    """Writes the inline content of one paragraph."""

    def __init__(self, story: Story, width: int) -> None:
        self.story = story
        self.width = width
        """Width of the paragraph, in twips. Images are not wider."""
        self.content = InlineContent()

    def write_children(self, element: HtmlElement, outer: Format) -> None:
        """Write the text and the child elements of an element."""
        self.content.add_text(element.text or "", outer)
        for child in element:
            self.write(child, outer)
            self.content.add_text(child.tail or "", outer)

    def write(self, element: HtmlElement, outer: Format) -> None:
        """Write one element, without the text that follows it."""
        for mark in self.story.bookmarks_of(element):
            self.content.add_marker(mark)
        special = _SPECIAL.get(str(element.tag))
        if special:
            special(self, element, outer)
            return
        before, after = QUOTATION_MARKS.get(str(element.tag), ("", ""))
        inner = format_of(element, outer)
        if before:
            self.content.add_text(before, inner)
        self.write_children(element, inner)
        if after:
            self.content.add_text(after, inner)

    def finish(self) -> list[Element]:
        """Return the content as children of a paragraph."""
        found: list[Element] = []
        for link, spans in by_link(self.content.finish()):
            runs = [run for span in spans for run in span_runs(span)]
            found += [self._hyperlink(link, runs)] if link else runs
        return found

    def _hyperlink(self, link: Link, runs: list[Element]) -> Element:
        attributes = {"w:history": "1"}
        if link.bookmark:
            attributes["w:anchor"] = link.bookmark
        else:
            attributes["r:id"] = self.story.relationships.add("hyperlink", link.address, external=True)
        if link.tooltip:
            attributes["w:tooltip"] = link.tooltip
        return make("w:hyperlink", attributes, *runs)


def _write_link(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    notes = writer.story.notes
    href = (element.get("href") or "").strip()
    if notes and href.startswith("#") and notes.has(href[1:]):
        for each in notes.refer(href[1:], writer.story):
            writer.content.add_element(each)
        return
    link = _link(writer, element, href)
    writer.write_children(element, replace(outer, link=link) if link else outer)


def _link(writer: InlineWriter, element: HtmlElement, href: str) -> Link | None:
    tooltip = " ".join((element.get("title") or "").split())[:_MAX_TOOLTIP]
    if not href:
        return None
    if href.startswith("#"):
        name = writer.story.document.bookmark_target(href[1:])
        return Link(bookmark=name, tooltip=tooltip) if name else None
    address = clean_address(href)
    if address is None:
        writer.story.document.warn("links", "has an address that Word cannot open; its text is kept")
        return None
    return Link(address=address, tooltip=tooltip)


def _write_footnote_mark(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    """Write `sup`. The mark of a footnote is superscript by its own style."""
    links = element.findall(".//a")
    notes = writer.story.notes
    if notes and links and all(notes.has((link.get("href") or "").removeprefix("#")) for link in links):
        for link in links:
            _write_link(writer, link, outer)
        return
    writer.write_children(element, format_of(element, outer))


def _write_image(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    alt = " ".join((element.get("alt") or "").split())
    source = (element.get("src") or "").strip()
    images = writer.story.document.images
    try:
        image = images.load(source)
    except ImageError as error:
        writer.story.document.warn("images", f"{_shown(source)}: {error}")
        writer.content.add_text(f"[{alt}]" if alt else "", replace(outer, italic=True))
        return
    room = (writer.width * EMU_PER_TWIP, writer.story.document.height * EMU_PER_TWIP * 9 // 10)
    size = fit(image, (_pixels(element, "width"), _pixels(element, "height")), room)
    drawing = images.draw(image, writer.story.part, size, alt, " ".join((element.get("title") or "").split()))
    writer.content.add_element(drawing, outer)


def _shown(source: str) -> str:
    scheme = source.partition(":")[0].lower()
    return "an embedded image" if scheme == "data" else source[:100] or "an image without an address"


def _pixels(element: HtmlElement, name: str) -> int | None:
    value = (element.get(name) or "").strip().removesuffix("px")
    return min(int(value), _MAX_SIZE_PIXELS) if value.isascii() and value.isdigit() and int(value) else None


def _write_break(writer: InlineWriter, _element: HtmlElement, _outer: Format) -> None:
    writer.content.add_break()


def _write_check_box(writer: InlineWriter, element: HtmlElement, _outer: Format) -> None:
    if (element.get("type") or "").lower() == "checkbox":
        box = check_box(writer.story.document.next_id(), checked=element.get("checked") is not None)
        writer.content.add_element(box)


def _write_formula(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    formula = write_maths(element)
    if formula is None:
        writer.write_children(element, outer)
        return
    is_block = element.get("display") == "block"
    writer.content.add_element(make("m:oMathPara", None, formula) if is_block else formula)


def _write_nothing(_writer: InlineWriter, _element: HtmlElement, _outer: Format) -> None:
    pass


def _write_word_break(writer: InlineWriter, _element: HtmlElement, outer: Format) -> None:
    writer.content.add_verbatim("\u200b", outer)


_SPECIAL: Mapping[str, Callable[[InlineWriter, HtmlElement, Format], None]] = {
    "a": _write_link,
    "br": _write_break,
    "head": _write_nothing,
    "img": _write_image,
    "input": _write_check_box,
    "math": _write_formula,
    "script": _write_nothing,
    "style": _write_nothing,
    "sup": _write_footnote_mark,
    "svg": _write_nothing,
    "wbr": _write_word_break,
}
