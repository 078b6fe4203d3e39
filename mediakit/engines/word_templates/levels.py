"""Moves the markers of blocks to the level that they repeat: text, paragraphs, cells or rows of a table.

A tag may name its level, as in templates of docxtpl: `{%tr for row in rows %}` replaces its row. Without a level, tags
alone in their paragraphs repeat the paragraphs between them, tags in the first and the last cell of rows repeat these
rows, and all others repeat the text between them.
"""

from collections.abc import Callable
from copy import deepcopy

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.engines.word_templates.blocks import Block
from mediakit.engines.word_templates.language.tags import OPENING, Level, Tag
from mediakit.engines.word_templates.marks import MarkedPart
from mediakit.engines.word_templates.vocabulary import MARKER, Vocabulary


def place_blocks(part: MarkedPart, blocks: list[Block], warn: Callable[[str], None]) -> None:
    """Move the markers of all blocks of a part, the outer blocks first."""
    for block in blocks:
        _place(part, block, warn)
        place_blocks(part, block.inner, warn)


def drop_comments(part: MarkedPart) -> None:
    """Remove comments, with the paragraph, cell or row that they name."""
    for marker in part.markers():
        tag = part.tag_of(marker)
        is_removed = all(ancestor is not part.root for ancestor in marker.iterancestors())
        if tag.kind != "comment" or is_removed:
            continue
        name = _element_of(tag.level, part.words)
        target = _ancestor(marker, name) if name else None
        removed = marker if target is None else target
        removed.getparent().remove(removed)  # type: ignore[union-attr]  # it is in the part


def _place(part: MarkedPart, block: Block, warn: Callable[[str], None]) -> None:
    tags = [part.tag_of(marker) for marker in block.markers]
    words = part.words
    if any(tag.level in ("p", "tc", "tr") for tag in tags):
        _replace_named(block, tags, part, warn)
    elif _are_alone_in_siblings(block.markers, words):
        for marker in block.markers:
            _replace_ancestor(marker, words.paragraph, part)
    elif words.is_word and (rows := _rows_of(block.markers, words)):
        _surround_rows(block.markers, rows, part)
    for marker in block.markers:
        _lift(marker, words)


def _replace_named(block: Block, tags: list[Tag], part: MarkedPart, warn: Callable[[str], None]) -> None:
    words = part.words
    if all(tag.level == "tr" for tag in tags) and len({_ancestor(each, words.row) for each in block.markers}) == 1:
        row = _ancestor(block.start, words.row)
        if row is not None:
            _surround_rows(block.markers, [row] * len(tags), part)
            return
    for marker, tag in zip(block.markers, tags, strict=True):
        name = _element_of(tag.level, words)
        if name and (replaced := _replace_ancestor(marker, name, part)):
            kind = {"p": "paragraph", "tc": "table cell", "tr": "table row"}[tag.level]
            warn(f'The text "{replaced}" was removed: {tag.source} replaces its {kind}.')


def _element_of(level: Level, words: Vocabulary) -> str:
    return {"p": words.paragraph, "tc": words.cell, "tr": words.row}.get(level, "")


def _ancestor(element: Element, name: str) -> Element | None:
    return next(element.iterancestors(name), None)


def _replace_ancestor(marker: Element, name: str, part: MarkedPart) -> str:
    """Replace the paragraph, cell or row around a marker by the markers of its blocks; return the text that is lost."""
    target = _ancestor(marker, name) if name else None
    if target is None:
        return ""
    words = part.words
    text = "".join(target.itertext(words.text)).strip()
    markers = [each for each in target.iter(MARKER) if part.tag_of(each).is_block]
    section = target.find(f"{words.paragraph_properties}/{words.name('sectPr')}")
    for each in markers:
        target.addprevious(each)
    if section is None or name != words.paragraph:
        target.getparent().remove(target)  # type: ignore[union-attr]  # it has siblings
        return " ".join(text.split())[:60]
    for child in list(target):  # the paragraph ends a section: it stays, outside the block
        if child.tag != words.paragraph_properties:
            target.remove(child)
    if part.tag_of(marker).kind in OPENING:
        markers[0].addprevious(target)
    return " ".join(text.split())[:60]


def _are_alone_in_siblings(markers: list[Element], words: Vocabulary) -> bool:
    """Return whether each marker is the only content of a paragraph, and these paragraphs are siblings."""
    paragraphs = [_ancestor(marker, words.paragraph) for marker in markers]
    known = [paragraph for paragraph in paragraphs if paragraph is not None]
    if len(known) < len(markers) or len({each.getparent() for each in known}) > 1:
        return False
    if len(set(known)) == 1:  # such as {% if a %}{% endif %}: nothing is between them
        return False
    return all(_has_only_tags(paragraph, words) for paragraph in known)


def _has_only_tags(paragraph: Element, words: Vocabulary) -> bool:
    ignored = {words.name(local) for local in ("proofErr", "bookmarkStart", "bookmarkEnd", "lastRenderedPageBreak")}
    for element in paragraph.iterdescendants():
        if element.tag in (words.paragraph_properties, MARKER, words.run, words.run_properties) or _is_property(
            element, words
        ):
            continue
        if element.tag in ignored or element.tag in words.wrappers:
            continue
        if element.tag != words.text or (element.text or "").strip():
            return False
    return paragraph.find(f"{words.paragraph_properties}/{words.name('sectPr')}") is None


def _is_property(element: Element, words: Vocabulary) -> bool:
    holders = (words.paragraph_properties, *words.properties, MARKER)
    return next(element.iterancestors(*holders), None) is not None


def _rows_of(markers: list[Element], words: Vocabulary) -> list[Element]:
    """Return the rows of markers in the first and last cells of one table; empty if they repeat something else."""
    cells = [cell for marker in markers if (cell := _ancestor(marker, words.cell)) is not None]
    rows = [row for cell in cells if (row := cell.getparent()) is not None and row.tag == words.row]
    if len(rows) < len(markers) or len(set(cells)) == 1 or len({row.getparent() for row in rows}) > 1:
        return []
    is_around = _is_first(cells[0]) and _is_last(cells[-1])
    return rows if is_around or _have_only_tags(rows, words) else []


def _have_only_tags(rows: list[Element], words: Vocabulary) -> bool:
    return len(set(rows)) > 1 and all(_is_empty_row(row, words) for row in rows)


def _is_empty_row(row: Element, words: Vocabulary) -> bool:
    return all(_has_only_tags(paragraph, words) for paragraph in row.iter(words.paragraph))


def _is_first(cell: Element) -> bool:
    return cell.getprevious() is None or all(each.tag != cell.tag for each in cell.itersiblings(preceding=True))


def _is_last(cell: Element) -> bool:
    return all(each.tag != cell.tag for each in cell.itersiblings())


def _surround_rows(markers: list[Element], rows: list[Element], part: MarkedPart) -> None:
    """Move markers before and behind their rows; rows that have nothing else are replaced by their markers."""
    words = part.words
    if _have_only_tags(rows, words) and len(set(rows)) == len(rows):
        for marker in markers:
            _replace_ancestor(marker, words.row, part)
        return
    for marker, row in zip(markers[:-1], rows, strict=False):
        paragraph = _ancestor(marker, words.paragraph)
        cell = _ancestor(marker, words.cell)
        behind = cell is not None and _is_last(cell) and marker is not markers[0]
        (row.addnext if behind else row.addprevious)(marker)
        _drop_empty_paragraph(paragraph, words)
    paragraph = _ancestor(markers[-1], words.paragraph)
    rows[-1].addnext(markers[-1])
    _drop_empty_paragraph(paragraph, words)


def _drop_empty_paragraph(paragraph: Element | None, words: Vocabulary) -> None:
    """Remove a paragraph that had only a tag, if its cell has others."""
    if paragraph is None or next(paragraph.iter(words.run, MARKER), None) is not None:
        return
    siblings = [*paragraph.itersiblings(), *paragraph.itersiblings(preceding=True)]
    if any(each.tag == words.paragraph for each in siblings):
        paragraph.getparent().remove(paragraph)  # type: ignore[union-attr]  # it has siblings


def _lift(marker: Element, words: Vocabulary) -> None:
    """Move a marker out of the hyperlinks, revisions and content controls of its paragraph, by splitting them."""
    parent = marker.getparent()
    while parent is not None and parent.tag in words.wrappers and _ancestor(marker, words.paragraph) is not None:
        if _ancestor(parent, words.paragraph) is None:  # a content control around paragraphs
            return
        right = etree.Element(parent.tag, parent.attrib, nsmap=parent.nsmap)
        right.extend([deepcopy(child) for child in parent if child.tag in words.properties])
        right.extend(list(marker.itersiblings()))
        parent.addnext(right)
        parent.addnext(marker)
        for half in (parent, right):
            if all(child.tag in words.properties for child in half):
                half.getparent().remove(half)  # type: ignore[union-attr]  # it was added
        parent = marker.getparent()
