"""Reads the paragraphs and tables of a Word document for a preview; runs in a worker."""

from collections.abc import Iterator

from lxml import etree

from mediakit.engines.word_templates.package import WordFile
from mediakit.engines.word_templates.vocabulary import Vocabulary, vocabulary_of
from mediakit.tools.documents.docx_template.block import Block

MAX_BLOCKS = 200
"""Paragraphs and tables that are shown."""

MAX_ROWS = 60
"""Rows of a table that are shown."""


def outline(content: bytes) -> list[Block]:
    """Return the first paragraphs and tables of a document; empty paragraphs are omitted."""
    file = WordFile(content)
    root = file.parse(file.main)
    words = vocabulary_of(root)
    body = root.find(words.name("body"))
    found: list[Block] = []
    for block in _blocks(body if body is not None else root, words):
        if len(found) == MAX_BLOCKS:
            break
        if block.text.strip() or block.rows:
            found.append(block)
    return found


def _blocks(parent: etree._Element, words: Vocabulary) -> Iterator[Block]:
    for element in parent:
        if element.tag == words.paragraph:
            yield Block(_text(element, words), _level(element, words))
        elif element.tag == words.table:
            rows = [row for row in element if row.tag == words.row][:MAX_ROWS]
            yield Block(rows=[[_text(cell, words) for cell in row.iter(words.cell)] for row in rows])
        elif element.tag in (words.name("sdt"), words.name("sdtContent")):
            yield from _blocks(element, words)


def _text(element: etree._Element, words: Vocabulary) -> str:
    parts = []
    for each in element.iter(words.text, words.paragraph, *words.characters):
        if each.tag == words.text:
            parts.append(each.text or "")
        elif each.tag == words.paragraph:
            parts.append("\n" if parts else "")
        else:
            parts.append(words.characters.get(str(each.tag), ""))
    return "".join(parts)


def _level(paragraph: etree._Element, words: Vocabulary) -> int:
    style = paragraph.find(f"{words.paragraph_properties}/{words.name('pStyle')}")
    name = "" if style is None else (style.get(words.name("val")) or "").lower()
    if name == "title":
        return 1
    number = name.removeprefix("heading")
    return int(number) if number != name and number in ("1", "2", "3", "4", "5", "6") else 0
