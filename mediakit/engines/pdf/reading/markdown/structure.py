"""Builds the structure of a document from its layout: headings, paragraphs, nested lists, code, quotes, tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.reading.markdown.blocks import ALIGNED_EMS, TextBlock
from mediakit.engines.pdf.reading.markdown.code import code_text
from mediakit.engines.pdf.reading.markdown.column import Column
from mediakit.engines.pdf.reading.markdown.elements import (
    Code,
    Element,
    Heading,
    Item,
    ListOf,
    Paragraph,
    Quote,
    TableOf,
)
from mediakit.engines.pdf.reading.markdown.headings import Headings
from mediakit.engines.pdf.reading.markdown.hyphens import Hyphens
from mediakit.engines.pdf.reading.markdown.measures import Measures
from mediakit.engines.pdf.reading.markdown.rows import Row, cut_number
from mediakit.engines.pdf.reading.markdown.runs import Run, join_runs

FILLED = 0.8
"""Width of the last line of a paragraph that goes on in the next column, as a share of the column, at least."""

NESTED_EMS = 0.7
"""Indent of a nested list, in sizes of the font, at least."""

QUOTE_EMS = 1.2
"""Indent of a block quote on both sides, in sizes of the font, at least."""

_ENDS_SENTENCE = re.compile(r"[.!?:…。！？]['\"”’»)\]]*$")


@dataclass
class _OpenList:
    """A list to which items can still be added."""

    element: ListOf
    marker: float
    """Left edge of its bullets or numbers, from that of the column."""
    text: float
    """Left edge of the text of its last item."""
    number: int | None


class Structure:
    """The elements of a document, in reading order."""

    def __init__(self, measures: Measures, headings: Headings, hyphens: Hyphens, tables: Sequence[TableOf]) -> None:
        self.elements: list[Element] = []
        self._measures = measures
        self._headings = headings
        self._hyphens = hyphens
        self._tables = tables
        self._lists: list[_OpenList] = []
        self._last: tuple[TextBlock, list[Run] | Code] | None = None
        """The last block, and what it became, while it can go on in the next column."""

    def add(self, block: TextBlock) -> None:
        """Add the next block."""
        if block.before is None and self._lists:
            _align(block.column, self._lists[0])
        if level := self._headings.level(block):
            self._close_lists()
            self._append(Heading(self.runs(block.rows), level), block)
        elif self._is_item(block):
            self._add_item(block)
        elif not self._goes_on(block):
            self._add_part(block)

    def runs(self, rows: Sequence[Row]) -> list[Run]:
        """Return the runs of rows as one line; words that hyphens break are whole again."""
        return join_runs((row.runs for row in rows), self._hyphens)

    def _append(self, element: Element, block: TextBlock) -> None:
        self.elements.append(element)
        self._note(element, block)

    def _note(self, element: Element, block: TextBlock) -> None:
        goes_on = element.runs if isinstance(element, Paragraph) else element if isinstance(element, Code) else None
        self._last = (block, goes_on) if goes_on is not None else None

    def _add_part(self, block: TextBlock) -> None:
        """Add a paragraph, code or a table, to the list item that it belongs to if there is one."""
        while self._lists and block.left < self._lists[-1].text - ALIGNED_EMS * block.size - 1:
            self._lists.pop()
        element = self._element(block)
        if self._lists:
            self._lists[-1].element.items[-1].parts.append(element)
            self._note(element, block)
        elif self._is_quote(block) and not isinstance(element, TableOf):
            self._add_quoted(element, block)
        else:
            self._append(element, block)

    def _element(self, block: TextBlock) -> Element:
        if block.first.table is not None:
            return self._tables[block.first.table]
        if block.is_code:
            return Code(code_text(block.rows, self._measures))
        return Paragraph(self.runs(block.rows))

    def _add_quoted(self, element: Element, block: TextBlock) -> None:
        before = self.elements[-1] if self.elements else None
        if isinstance(before, Quote):
            before.parts.append(element)
        else:
            self.elements.append(Quote([element]))
        self._note(element, block)

    def _is_quote(self, block: TextBlock) -> bool:
        em = block.size
        if block.left < QUOTE_EMS * em or len(block.rows) < 2 or block.is_code:
            return False
        edges = [row.x0 for row in block.rows]
        is_flush = max(edges) - min(edges) < ALIGNED_EMS * em
        return is_flush and max(row.x1 for row in block.rows) < block.column.right - QUOTE_EMS * em / 2

    def _goes_on(self, block: TextBlock) -> bool:
        """Add a block to the paragraph or code that began in the column before, and return whether it belongs to it."""
        if self._last is None or block.before is not None or block.first.table is not None:
            return False
        before, element = self._last
        is_below = before.column.page == block.column.page and block.first.y0 >= before.last.y1
        if before.column is block.column or is_below:
            return False
        if isinstance(element, Code):
            if not block.is_code or abs(before.size - block.size) > 0.5:
                return False
            element.text += f"\n{code_text(block.rows, self._measures)}"
            self._last = block, element
            return True
        if block.is_code or not _is_unfinished(before, block):
            return False
        element[:] = join_runs((element, self.runs(block.rows)), self._hyphens)
        self._last = block, element
        return True

    def _is_item(self, block: TextBlock) -> bool:
        if block.first.bullet:
            return True
        if not block.first.number:
            return False
        return self._number(block) is not None

    def _number(self, block: TextBlock) -> int | None:
        """Return the number of an item if the block is one: numbers start a list at 1 or go on in one.

        Letters stay in the text, because Markdown has no lists of letters.
        """
        number = int(block.first.number)
        expected = [each.number + 1 for each in self._lists if each.number is not None]
        is_set_off = block.marker > ALIGNED_EMS * block.size or any(
            row.x0 > block.first.bullet_x + ALIGNED_EMS * block.size for row in block.rows[1:]
        )
        return number if is_set_off or number == 1 or number in expected else None

    def _add_item(self, block: TextBlock) -> None:
        number = None if block.first.bullet else self._number(block)
        if number is not None:
            cut_number(block.first)
        found = self._list_for(block, number)
        item = Item(number)
        if any(row.text.strip() for row in block.rows):
            paragraph = Paragraph(self.runs(block.rows))
            item.parts.append(paragraph)
            self._note(paragraph, block)
        found.element.items.append(item)
        found.number = number
        found.text = (min(row.x0 for row in block.rows[1:] or block.rows)) - block.column.left
        found.text = max(found.text, block.marker + ALIGNED_EMS * block.size)

    def _list_for(self, block: TextBlock, number: int | None) -> _OpenList:
        """Return the list of an item: the open one at its indent, or a new one."""
        tolerance = NESTED_EMS * block.size
        while self._lists and block.marker < self._lists[-1].marker - tolerance:
            self._lists.pop()
        top = self._lists[-1] if self._lists else None
        is_nested = top is not None and block.marker > top.marker + tolerance
        if top and not is_nested:
            if (top.number is None) == (number is None):
                return top
            self._lists.pop()
        element = ListOf([])
        if self._lists:
            self._lists[-1].element.items[-1].parts.append(element)
        else:
            self.elements.append(element)
        self._lists.append(_OpenList(element, block.marker, block.left, number))
        return self._lists[-1]

    def _close_lists(self) -> None:
        self._lists.clear()


def _align(column: Column, open_list: _OpenList) -> None:
    """Move the left edge of a column that begins with the next items of a list, so that they are indented as before."""
    first = min(column.rows, key=lambda row: row.bullet_x)
    if column.rows[0].is_marked and first.is_marked and first.bullet == (open_list.number is None):
        column.left = first.bullet_x - open_list.marker


def _is_unfinished(before: TextBlock, block: TextBlock) -> bool:
    """Return whether a paragraph goes on in the next column."""
    if abs(before.size - block.size) > 0.06 * block.size or before.is_bold != block.is_bold:
        return False
    text, following = before.last.text.rstrip(), block.first.text.lstrip()
    if following[:1].islower() and not _ENDS_SENTENCE.search(text):
        return True
    column = before.column
    is_filled = before.last.x1 - column.left > FILLED * (column.right - column.left)
    return is_filled and not _ENDS_SENTENCE.search(text) and not block.first.is_marked
