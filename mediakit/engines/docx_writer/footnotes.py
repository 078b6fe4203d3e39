"""Footnotes: the part with their text, and their marks in the body."""

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.flow import Flow
from mediakit.engines.docx_writer.paragraphs import is_paragraph, paragraph
from mediakit.engines.docx_writer.runs import field_runs, text_run
from mediakit.engines.docx_writer.spans import Format
from mediakit.engines.docx_writer.state import State
from mediakit.engines.docx_writer.story import Story
from mediakit.engines.docx_writer.wordml import text_element, w
from mediakit.engines.docx_writer.xml_tree import Element
from mediakit.engines.markdown.html.footnotes import drop_back_links, find_footnotes

FOOTNOTES_PART = "word/footnotes.xml"
SEPARATORS = {-1: "separator", 0: "continuationSeparator"}
"""IDs of the lines between text and footnotes."""

_MARK = Format(style="FootnoteReference")


class FootnoteWriter:
    """Numbers footnotes in the order of their first mark."""

    def __init__(self, root: HtmlElement, document: State) -> None:
        self.document = document
        lists = find_footnotes(root)
        self._items = {str(item.get("id")): item for items in lists.values() for item in items.values()}
        self._lists = set(lists)
        for item in self._items.values():
            drop_back_links(item)
        self.numbers: dict[str, int] = {}
        """Numbers of the footnotes that have a mark, by the ID of their item."""

    def has(self, anchor: str) -> bool:
        """Return whether an anchor is a footnote."""
        return anchor in self._items

    def holds(self, element: HtmlElement) -> bool:
        """Return whether an element is or contains a list of footnotes."""
        return any(each in self._lists for each in element.iter())

    def refer(self, anchor: str, story: Story) -> list[Element]:
        """Return the mark of a footnote. A footnote has one mark; more marks refer to it by a field."""
        is_first = anchor not in self.numbers
        number = self.numbers.setdefault(anchor, len(self.numbers) + 1)
        name = f"_Footnote{number}"
        if story.part == FOOTNOTES_PART:
            return [text_run(str(number), Format(position="superscript"))]
        if not is_first:
            return field_runs(f"NOTEREF {name} \\h", str(number), _MARK)
        start, end = self.document.bookmarks.mark(name)
        mark = w("r", w("rPr", w("rStyle", val="FootnoteReference")), w("footnoteReference", id=number))
        return [start, mark, end]

    def item(self, number: int) -> HtmlElement:
        """Return the list item with the text of a footnote."""
        return self._items[next(anchor for anchor, each in self.numbers.items() if each == number)]


def separator_notes() -> list[Element]:
    """Return the two special footnotes that every document has."""
    spacing = w("pPr", w("spacing", before=0, after=0, line=240, lineRule="auto"))
    return [
        w("footnote", w("p", spacing, w("r", w(kind))), type=kind, id=identifier)
        for identifier, kind in SEPARATORS.items()
    ]


def note_element(story: Story, number: int, blocks: list[Element], flow: Flow) -> Element:
    """Return a footnote with its mark in front of its text."""
    if not blocks or not is_paragraph(blocks[0]) or any(blocks[0].iter("w:numPr")):
        blocks.insert(0, paragraph(story, flow, []))
    first = blocks[0]
    mark = w("r", w("rPr", w("rStyle", val="FootnoteReference")), w("footnoteRef"))
    at = 1 if first.get("w:pPr") is not None else 0
    first.children.insert(at, mark)
    first.children.insert(at + 1, w("r", text_element("w:t", " ")))
    return w("footnote", *blocks, id=number)
