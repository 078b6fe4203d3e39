"""Writes a Word document from HTML."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mediakit.engines.docx_writer import fixed_parts
from mediakit.engines.docx_writer.blocks import BlockWriter
from mediakit.engines.docx_writer.contents import build_contents
from mediakit.engines.docx_writer.flow import Flow
from mediakit.engines.docx_writer.footnotes import FOOTNOTES_PART, FootnoteWriter, note_element, separator_notes
from mediakit.engines.docx_writer.headings import HeadingNumbers
from mediakit.engines.docx_writer.options import DocxOptions
from mediakit.engines.docx_writer.package import Package
from mediakit.engines.docx_writer.paragraphs import set_property, style_of
from mediakit.engines.docx_writer.runs import text_run
from mediakit.engines.docx_writer.spacing import spaced
from mediakit.engines.docx_writer.spans import PLAIN
from mediakit.engines.docx_writer.state import State, linked_anchors
from mediakit.engines.docx_writer.story import DOCUMENT_PART, Story
from mediakit.engines.docx_writer.styles import build_styles
from mediakit.engines.docx_writer.wordml import TWIPS_PER_MM, add_property, make, properties, serialize, w
from mediakit.engines.docx_writer.xml_tree import Element
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.engines.rich_text.markdown import Heading
from mediakit.engines.rich_text.page import contents_label

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata"
_FOOTER_PART = "word/footer1.xml"
_FOOTER_DISTANCE = 708
"""Distance of the footer from the edge of the page, in twips."""


@dataclass(frozen=True)
class WrittenDocx:
    """A document, and sentences that say what could not be kept."""

    content: bytes
    warnings: Sequence[str]


def write_docx(html: str, headings: Sequence[Heading], options: DocxOptions) -> WrittenDocx:
    """Return the Word document of clean HTML.

    Args:
        html: The content, without numbers of headings. Each heading in `headings` has its anchor as `id`.
        headings: The headings outside of quotes and lists, for numbers and the table of contents.
        options: Properties, look and page.
    """
    root = parse_html(html)
    body = body_of(root)
    listed = headings if options.numbered else [replace(heading, number="") for heading in headings]
    anchors = linked_anchors(body) | ({heading.anchor for heading in headings} if options.toc else set())
    state = State(options, frozenset(anchors))
    numbers = HeadingNumbers(listed, state.numbering)
    notes = FootnoteWriter(root, state)
    flow = Flow(width=state.width, rtl=options.rtl, is_document_rtl=options.rtl)
    blocks = BlockWriter(Story(state, DOCUMENT_PART, notes), numbers).write_children(body, flow)
    _add_front(blocks, listed, state)
    footnotes = _write_footnotes(notes, state, numbers, flow)
    _add_parts(state, numbers, spaced(blocks), footnotes)
    return WrittenDocx(state.package.to_bytes(), state.warnings)


def _add_front(blocks: list[Element], headings: Sequence[Heading], state: State) -> None:
    """Insert the title, if the text does not begin with it, the author and the date, and the table of contents."""
    options = state.options
    front: list[Element] = []
    place = 1 if headings and headings[0].is_title else 0
    if options.printed_title:
        front.append(w("p", w("pPr", w("pStyle", val="Title")), text_run(options.printed_title, PLAIN)))
    byline = " · ".join(text for text in (options.author, options.date) if text)
    if byline:
        front.append(w("p", w("pPr", w("pStyle", val="Subtitle")), text_run(byline, PLAIN)))
    label = contents_label(options.lang)
    contents = build_contents(label, headings, state.bookmarks, state.next_id()) if options.toc else None
    if contents is not None:
        front.append(contents)
    blocks[place:place] = front
    if blocks and (style_of(blocks[0]) or "").startswith("Heading"):
        set_property(blocks[0], w("spacing", before=0))


def _write_footnotes(notes: FootnoteWriter, state: State, numbers: HeadingNumbers, flow: Flow) -> Element:
    """Return the part of the footnotes. A footnote can have marks of more footnotes."""
    story = Story(state, FOOTNOTES_PART, notes)
    writer = BlockWriter(story, numbers)
    place = replace(flow, style="FootnoteText")
    root = w("footnotes", *separator_notes())
    number = 1
    while number <= len(notes.numbers):
        blocks = spaced(writer.write_children(notes.item(number), place))
        root.children.append(note_element(story, number, blocks, place))
        number += 1
    return root


def _add_parts(state: State, numbers: HeadingNumbers, blocks: list[Element], footnotes: Element) -> None:
    options, package = state.options, state.package
    package.related("").add("officeDocument", DOCUMENT_PART)
    package.related("").add(f"{_PACKAGE}/core-properties", "docProps/core.xml")
    package.related("").add("extended-properties", "docProps/app.xml")
    section = _section(state, package)
    document = make("w:document", {"mc:Ignorable": "w14"}, w("body", *blocks, section))
    package.add_xml(DOCUMENT_PART, f"{_WORD}.document.main+xml", serialize(document))
    styles = build_styles(options)
    _link_heading_numbers(styles, numbers)
    parts = {
        "styles": styles,
        "numbering": state.numbering.to_xml(),
        "footnotes": footnotes,
        "settings": fixed_parts.build_settings(options),
        "fontTable": fixed_parts.build_fonts(),
    }
    for name, root in parts.items():
        package.add_xml(f"word/{name}.xml", f"{_WORD}.{name}+xml", serialize(root))
        package.related(DOCUMENT_PART).add(name, f"{name}.xml")
    core = "application/vnd.openxmlformats-package.core-properties+xml"
    package.add_xml("docProps/core.xml", core, fixed_parts.core_properties(options))
    app = "application/vnd.openxmlformats-officedocument.extended-properties+xml"
    package.add_xml("docProps/app.xml", app, fixed_parts.app_properties())


def _section(state: State, package: Package) -> Element:
    page = state.options.page
    margins = page.margins
    found: list[Element] = []
    if state.options.page_numbers:
        package.add_xml(_FOOTER_PART, f"{_WORD}.footer+xml", serialize(fixed_parts.build_footer(state.options)))
        relationship = package.related(DOCUMENT_PART).add("footer", _FOOTER_PART.removeprefix("word/"))
        found.append(make("w:footerReference", {"w:type": "default", "r:id": relationship}))
    size = {"w": _twips(page.width), "h": _twips(page.height)}
    found.append(w("pgSz", **size, **({"orient": "landscape"} if page.landscape else {})))
    sides = {name: _twips(getattr(margins, name)) for name in ("top", "right", "bottom", "left")}
    edge = min(_FOOTER_DISTANCE, sides["bottom"] // 2)
    found.append(w("pgMar", **sides, header=min(_FOOTER_DISTANCE, sides["top"] // 2), footer=edge, gutter=0))
    if state.options.rtl:
        found.append(w("bidi"))
    return properties("w:sectPr", found)


def _twips(millimeters: float) -> int:
    return round(millimeters * TWIPS_PER_MM)


def _link_heading_numbers(styles: Element, numbers: HeadingNumbers) -> None:
    """Connect the styles of headings to their numbering, so that Word numbers new headings."""
    if numbers.numbering is None:
        return
    for style in styles.iter("w:style"):
        level = next(
            (each for each in range(numbers.top, 7) if style.attributes["w:styleId"] == f"Heading{each}"), None
        )
        container = style.get("w:pPr")
        if level is not None and container is not None:
            number = w("numPr", w("ilvl", val=int(level) - 1), w("numId", val=numbers.numbering))
            add_property(container, number)
