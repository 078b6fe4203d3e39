"""Keeps a filled part valid: cells have a paragraph, tables have rows and one grid, content controls have content."""

from collections.abc import Iterator

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.engines.word_templates.cells import span
from mediakit.engines.word_templates.vocabulary import Vocabulary

_STORIES = ("body", "hdr", "ftr", "footnote", "endnote", "txbxContent", "tc")
"""The elements that must have a paragraph."""


def repair(root: Element, words: Vocabulary) -> None:
    """Repair what loops and conditions leave in a part of a document."""
    for name, child in (("row", words.cell), ("table", words.row)):
        for element in list(root.iter(getattr(words, name))):
            if next(element.iter(child), None) is None:
                _remove(element)
    for control in list(root.iter(words.name("sdt"))):
        content = control.find(words.name("sdtContent"))
        if content is not None and not len(content):
            _remove(control)
    for table in root.iter(words.table):
        _fit_grid(table, words)
    for story in root.iter(*map(words.name, _STORIES)):
        _end_with_paragraph(story, words)


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _end_with_paragraph(story: Element, words: Vocabulary) -> None:
    """Add a paragraph to a story without one, and to a cell that ends with a table."""
    blocks = [child for child in story if child.tag in (words.paragraph, words.table, words.name("sdt"))]
    is_missing = not blocks or (story.tag == words.cell and blocks[-1].tag == words.table)
    if is_missing:
        section = story.find(words.name("sectPr"))
        added = etree.Element(words.paragraph)
        if section is None:
            story.append(added)
        else:
            section.addprevious(added)


def _fit_grid(table: Element, words: Vocabulary) -> None:
    """Give a table as many columns as its widest row has; the width of the table stays."""
    grid = table.find(words.name("tblGrid"))
    columns = [] if grid is None else grid.findall(words.name("gridCol"))
    wanted = max((_columns_of(row, words) for row in _rows(table, words)), default=0)
    if grid is None or not columns or not wanted or wanted == len(columns):
        return
    widths = [_integer(column.get(words.name("w"))) for column in columns]
    for column in columns:
        grid.remove(column)
    new = widths[:wanted] + [sum(widths) // len(widths)] * (wanted - len(widths))
    for position, width in enumerate(new):
        scaled = str(round(width * sum(widths) / max(1, sum(new))))
        grid.insert(position, etree.Element(words.name("gridCol"), {words.name("w"): scaled}))
    _scale_cells(table, len(columns) / wanted, words)


def _scale_cells(table: Element, factor: float, words: Vocabulary) -> None:
    path = f"{words.cell}/{words.name('tcPr')}/{words.name('tcW')}"
    for row in _rows(table, words):
        for width in row.iterfind(path):
            if width.get(words.name("type")) == "dxa":
                width.set(words.name("w"), str(round(_integer(width.get(words.name("w"))) * factor)))


def _rows(table: Element, words: Vocabulary) -> Iterator[Element]:
    return (row for row in table.iter(words.row) if next(row.iterancestors(words.table)) is table)


def _columns_of(row: Element, words: Vocabulary) -> int:
    properties = row.find(words.name("trPr"))
    outside = 0
    if properties is not None:
        for name in ("gridBefore", "gridAfter"):
            element = properties.find(words.name(name))
            outside += 0 if element is None else _integer(element.get(words.name("val")))
    cells = (cell for cell in row.iter(words.cell) if next(cell.iterancestors(words.row)) is row)
    return outside + sum(span(cell, words) for cell in cells)


def _integer(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
