"""The table of contents: a field that Word can update, with its entries filled in."""

from collections.abc import Sequence

from mediakit.engines.docx_writer.bookmarks import Bookmarks
from mediakit.engines.docx_writer.paragraphs import set_property
from mediakit.engines.docx_writer.runs import text_run
from mediakit.engines.docx_writer.spans import PLAIN
from mediakit.engines.docx_writer.wordml import make, text_element, w
from mediakit.engines.docx_writer.xml_tree import Element
from mediakit.engines.rich_text.markdown import Heading
from mediakit.engines.rich_text.page import contents_headings

_SPACE_AFTER = 360
"""Space between the table of contents and the text, in twips."""


def build_contents(title: str, headings: Sequence[Heading], bookmarks: Bookmarks, identifier: int) -> Element | None:
    """Return the table of contents, or None if there are no headings to list.

    The entries have no page numbers, which only Word knows: it adds them when the reader updates the field.
    """
    listed = [heading for heading in contents_headings(headings) if heading.text]
    if not listed:
        return None
    levels = sorted({heading.level for heading in listed})
    entries = [_entry(heading, levels.index(heading.level) + 1, bookmarks) for heading in listed]
    _open_field(entries[0], f'TOC \\o "{levels[0]}-{levels[-1]}" \\h \\z \\u')
    entries[-1].children.append(w("r", w("fldChar", fldCharType="end")))
    set_property(entries[-1], w("spacing", after=_SPACE_AFTER))
    heading_line = w("p", w("pPr", w("pStyle", val="TOCHeading")), text_run(title, PLAIN))
    gallery = w("docPartObj", w("docPartGallery", val="Table of Contents"), w("docPartUnique"))
    return w("sdt", w("sdtPr", w("id", val=identifier), gallery), w("sdtContent", heading_line, *entries))


def _entry(heading: Heading, level: int, bookmarks: Bookmarks) -> Element:
    text = f"{heading.number}\t{heading.text}" if heading.number else heading.text
    link = make("w:hyperlink", {"w:anchor": bookmarks.name_of(heading.anchor), "w:history": "1"}, text_run(text, PLAIN))
    tabs = [w("tabs", w("tab", val="left", pos=240 * (level - 1) + 300 + 160 * level))] if heading.number else []
    return w("p", w("pPr", w("pStyle", val=f"TOC{level}"), *tabs), link)


def _open_field(entry: Element, instruction: str) -> None:
    runs = [
        w("r", w("fldChar", fldCharType="begin")),
        w("r", text_element("w:instrText", f" {instruction} ")),
        w("r", w("fldChar", fldCharType="separate")),
    ]
    for offset, run in enumerate(runs, 1):
        entry.children.insert(offset, run)
