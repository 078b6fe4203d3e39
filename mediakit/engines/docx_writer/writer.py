"""Writes a Word document from HTML, with the styles of a theme."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docx.enum.section import WD_ORIENT
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import XmlPart
from docx.oxml.text.paragraph import CT_P
from docx.shared import Mm, Twips

from mediakit.engines.archives.writer import NewEntry, write_zip
from mediakit.engines.docx_writer import DocxOptions
from mediakit.engines.docx_writer.blocks import BlockWriter, Flow, spaced
from mediakit.engines.docx_writer.elements import (
    Element,
    has_number,
    make,
    qn,
    set_property,
    set_spacing,
    style_of,
    text_element,
    valid_text,
    w,
)
from mediakit.engines.docx_writer.inline import field_runs, text_run
from mediakit.engines.docx_writer.state import Bookmarks, Footnotes, HeadingNumbers, State, Story, linked_anchors
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.engines.rich_text.markdown import Heading
from mediakit.engines.rich_text.page import contents_headings, contents_label

if TYPE_CHECKING:
    from docx.document import Document


FOLDER = Path(__file__).parent / "themes"

_REGIONS: Mapping[str, str] = {
    "ar": "ar-SA", "bg": "bg-BG", "bn": "bn-BD", "ca": "ca-ES", "cs": "cs-CZ", "da": "da-DK", "de": "de-DE",
    "el": "el-GR", "en": "en-US", "es": "es-ES", "et": "et-EE", "eu": "eu-ES", "fa": "fa-IR", "fi": "fi-FI",
    "fr": "fr-FR", "gl": "gl-ES", "he": "he-IL", "hi": "hi-IN", "hr": "hr-HR", "hu": "hu-HU", "id": "id-ID",
    "is": "is-IS", "it": "it-IT", "ja": "ja-JP", "ko": "ko-KR", "lt": "lt-LT", "lv": "lv-LV", "ms": "ms-MY",
    "nb": "nb-NO", "nl": "nl-NL", "no": "nb-NO", "pl": "pl-PL", "pt": "pt-PT", "ro": "ro-RO", "ru": "ru-RU",
    "sk": "sk-SK", "sl": "sl-SI", "sr": "sr-Latn-RS", "sv": "sv-SE", "th": "th-TH", "tr": "tr-TR", "uk": "uk-UA",
    "ur": "ur-PK", "vi": "vi-VN", "zh": "zh-CN",
}  # fmt: skip
"""The region that Word expects for a language without one. Its spelling checker needs it."""

_ASIAN_FONTS: Mapping[str, str] = {"ja": "Yu Gothic", "ko": "Malgun Gothic", "zh": "Microsoft YaHei"}
"""Fonts for East Asian text by language; for other languages, Word selects one."""
_TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo", "zh-hant")


def open_theme(options: DocxOptions) -> "Document":
    """Return an empty document with the styles of a theme, in the language and the direction of the options."""
    import docx

    document = docx.Document(str(FOLDER / f"{options.theme}.docx"))
    styles: Any = document.styles.element
    tag = _REGIONS.get(options.lang.lower(), options.lang)
    is_traditional = options.lang.lower().startswith(_TRADITIONAL)
    font = "Microsoft JhengHei" if is_traditional else _ASIAN_FONTS.get(options.lang.lower().split("-")[0])
    # Word stores the language of runs apart for East Asian and right-to-left text.
    languages = {"val": "en-US" if options.rtl else tag}
    languages |= {"eastAsia": tag} if font else {}
    languages |= {"bidi": tag} if options.rtl else {}
    defaults = styles.find(f"{qn('w:docDefaults')}/{qn('w:rPrDefault')}/{qn('w:rPr')}")
    defaults.append(w("lang", **languages))
    if font:
        defaults.find(qn("w:rFonts")).set(qn("w:eastAsia"), font)
    settings: Any = document.settings.element
    settings.find(qn("w:decimalSymbol")).addprevious(w("themeFontLang", **languages))
    if options.rtl:
        normal: Any = document.styles["Normal"].element
        normal.get_or_add_pPr().append(w("bidi"))
        for bar in list(styles.iter(qn("w:left"))):  # borders of paragraphs have physical sides
            if bar.getparent().tag == qn("w:pBdr") and len(bar.getparent()) == 1:
                bar.tag = qn("w:right")
    return document


_MAX_PROPERTY_CHARACTERS = 255
"""Characters of a property that Word and python-docx accept."""

_FOOTER_DISTANCE = 708
"""Largest distance of the header and the footer from the edge of the page, in twips."""

_AFTER_CONTENTS = 360
"""Space between the table of contents and the text, in twips."""


@dataclass(frozen=True)
class WrittenDocx:
    """A document, and sentences that say what could not be kept."""

    content: bytes
    warnings: Sequence[str]


def write_docx(html: str, headings: Sequence[Heading], options: DocxOptions) -> WrittenDocx:
    """Return the Word document of clean HTML, without numbers of headings.

    Each of the headings, which are those outside of quotes and lists, has its anchor as `id` in the HTML.
    """
    root = parse_html(html)
    body = body_of(root)
    listed = headings if options.numbered else [replace(heading, number="") for heading in headings]
    anchors = linked_anchors(body) | ({heading.anchor for heading in headings} if options.toc else set())
    document = open_theme(options)
    state = State(options, document, frozenset(anchors), Footnotes(root))
    numbers = HeadingNumbers(listed, state.numbering, document)
    flow = Flow(width=state.content_size[0], rtl=options.rtl, is_document_rtl=options.rtl)
    blocks = BlockWriter(Story(state, document.part, is_body=True), numbers).write_children(body, flow)
    _add_front(blocks, listed, state)
    end = document.element.body[-1]
    for block in spaced(blocks):
        end.addprevious(block)
    _write_footnotes(state, numbers, flow)
    _set_page(document, options)
    properties = document.core_properties
    properties.language = options.lang
    for name, text in (("title", valid_text(options.title)), ("author", valid_text(options.author))):
        if len(text) > _MAX_PROPERTY_CHARACTERS:
            state.warn("properties", f"{name} was shortened to {_MAX_PROPERTY_CHARACTERS} characters")
        if text:
            setattr(properties, name, text[:_MAX_PROPERTY_CHARACTERS])
    return WrittenDocx(to_bytes(document), state.warnings)


def to_bytes(document: "Document") -> bytes:
    """Return the file of a document. Equal documents have equal bytes, which python-docx marks with the time."""
    saved = io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as source:
        return write_zip([NewEntry(name, source.read(name)) for name in source.namelist()], level=6).content


def _add_front(blocks: list[Element], headings: Sequence[Heading], state: State) -> None:
    """Insert the title, if the text does not begin with it, the author and the date, and the table of contents."""
    options = state.options
    byline = " · ".join(text for text in (options.author, options.date) if text)
    front = [
        w("p", w("pPr", w("pStyle", val=style)), text_run(text))
        for style, text in (("Title", options.printed_title), ("Subtitle", byline))
        if text
    ]
    listed = [heading for heading in contents_headings(headings) if heading.text] if options.toc else []
    if listed:
        front.append(_contents(contents_label(options.lang), listed, state.bookmarks, state.next_id()))
    place = 1 if headings and headings[0].is_title else 0
    blocks[place:place] = front
    if blocks and style_of(blocks[0]).startswith("Heading"):
        set_spacing(blocks[0], "before", 0)


def _contents(title: str, headings: Sequence[Heading], bookmarks: Bookmarks, identifier: int) -> Element:
    """Return the table of contents: a field that Word can update, with its entries filled in.

    The entries have no page numbers, which only Word knows: it adds them when the reader updates the field.
    """
    levels = sorted({heading.level for heading in headings})
    begin, instruction, separate, _, end = field_runs(f'TOC \\o "{levels[0]}-{levels[-1]}" \\h \\z \\u', "")
    entries = []
    for heading in headings:
        level = levels.index(heading.level) + 1
        properties = w("pPr", w("pStyle", val=f"TOC{level}"))
        if heading.number:
            properties.append(w("tabs", w("tab", val="left", pos=240 * (level - 1) + 300 + 160 * level)))
        text = f"{heading.number}\t{heading.text}" if heading.number else heading.text
        target = {"w:anchor": bookmarks.name_of(heading.anchor), "w:history": "1"}
        entries.append(w("p", properties, make("w:hyperlink", target, text_run(text))))
    entries[0][1:1] = [begin, instruction, separate]
    entries[-1].append(end)
    set_spacing(entries[-1], "after", _AFTER_CONTENTS)
    heading_line = w("p", w("pPr", w("pStyle", val="TOCHeading")), text_run(title))
    gallery = w("docPartObj", w("docPartGallery", val="Table of Contents"), w("docPartUnique"))
    return w("sdt", w("sdtPr", w("id", val=identifier), gallery), w("sdtContent", heading_line, *entries))


def _write_footnotes(state: State, numbers: HeadingNumbers, flow: Flow) -> None:
    """Add the part of the footnotes, which python-docx does not have. A footnote can have marks of more footnotes."""
    root = w("footnotes")
    for identifier, kind in ((-1, "separator"), (0, "continuationSeparator")):
        spacing = w("pPr", w("spacing", before=0, after=0, line=240, lineRule="auto"))
        root.append(w("footnote", w("p", spacing, w("r", w(kind))), type=kind, id=identifier))
    package = state.document.part.package
    part = XmlPart(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, root, package)
    state.document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    writer = BlockWriter(Story(state, part, is_body=False), numbers)
    place = replace(flow, style="FootnoteText")
    for number, item in state.notes.items():
        blocks = spaced(writer.write_children(item, place))
        if not blocks or not isinstance(blocks[0], CT_P) or has_number(blocks[0]):
            blocks.insert(0, writer.paragraph(place))
        mark = w("r", w("rPr", w("rStyle", val="FootnoteReference")), w("footnoteRef"))
        blocks[0][0].addnext(mark)  # after the properties
        mark.addnext(w("r", text_element("w:t", " ")))
        root.append(w("footnote", *blocks, id=number))


def _set_page(document: "Document", options: DocxOptions) -> None:
    """Set the size and the margins of the page, and the page number in the footer."""
    section, page, margins = document.sections[0], options.page, options.page.margins
    section.page_width, section.page_height = Mm(page.width), Mm(page.height)
    if page.landscape:
        section.orientation = WD_ORIENT.LANDSCAPE
    section.top_margin, section.bottom_margin = Mm(margins.top), Mm(margins.bottom)
    section.left_margin, section.right_margin = Mm(margins.left), Mm(margins.right)
    section.header_distance = min(Twips(_FOOTER_DISTANCE), Mm(margins.top / 2))
    section.footer_distance = min(Twips(_FOOTER_DISTANCE), Mm(margins.bottom / 2))
    properties = document.element.body[-1]
    if options.rtl:
        properties.append(w("bidi"))
    if options.page_numbers:
        footer = section.footer.paragraphs[0]._p  # noqa: SLF001 - how python-docx names the element
        footer.extend(field_runs("PAGE", "1"))
        if options.rtl:
            set_property(footer, w("bidi"))
