"""The structure of a document from its layout: headings, paragraphs, nested lists, code, quotes, tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.reading.structure.blocks import (
    ALIGNED_EMS,
    LARGER,
    Column,
    Measures,
    Row,
    TextBlock,
    code_text,
    cut_number,
    rounded,
)
from mediakit.engines.pdf.reading.structure.elements import (
    Code,
    Element,
    Heading,
    Hyphens,
    Item,
    ListOf,
    Paragraph,
    Quote,
    Run,
    TableOf,
    join_runs,
)

MAX_ROWS = 4
MAX_CHARACTERS = 250
MAX_BOLD_CHARACTERS = 120
MAX_SENTENCE_CHARACTERS = 60
"""Characters of a heading that ends with a period; longer text is a paragraph in large type."""

APART = 1.12
"""Distance of a bold heading from the text around it, in usual distances of paragraphs."""

LEVELS = 6

BROWSER_SIZES = (2.0, 1.5, 1.17, 1.0, 0.83, 0.67)
"""Sizes of headings in sizes of the text, as browsers have them by default (WHATWG HTML 15.3.7)."""

Style = float
"""Headings of one size have one level."""

_SPACES = re.compile(r"\s+")
_NO_HEADING_ENDS = (".", ",", ";", ":")


class Headings:
    """The headings of a document."""

    def __init__(self, blocks: Iterable[TextBlock], measures: Measures, outline: Sequence[tuple[int, str]]) -> None:
        """Find the headings among the blocks of a document; the outline has level and title of its bookmarks."""
        self._measures = measures
        self._outline = {_key(title): level for level, title in outline}
        found = {id(block): block for block in blocks if self._is_heading(block)}
        self._found = found
        self._levels = _levels([rounded(block.size) for block in found.values()], measures.size)
        self._shift = self._outline_shift(found)

    def level(self, block: TextBlock) -> int:
        """Return the level of a block, from 1 to 6; 0 if it is not one."""
        if id(block) not in self._found:
            return 0
        level = self._outline.get(_key(block.text))
        if level is not None and self._shift is not None:
            return max(1, min(LEVELS, level + self._shift))
        return self._levels[rounded(block.size)]

    def _is_heading(self, block: TextBlock) -> bool:
        text = block.text
        if block.first.bullet or block.first.table is not None or not any(map(str.isalnum, text)):
            return False
        is_plain_code = block.is_code and not block.is_bold
        if is_plain_code or len(block.rows) > MAX_ROWS or len(text) > MAX_CHARACTERS:
            return False
        if _key(text) in self._outline:
            return True
        if block.size >= LARGER * self._measures.size:
            return len(text) <= MAX_SENTENCE_CHARACTERS or not text.rstrip().endswith(".")
        if not block.is_bold or len(text) > MAX_BOLD_CHARACTERS or len(block.rows) > 2:
            return False
        least = APART * self._measures.paragraph_gap
        is_apart = any(distance is not None and distance > least for distance in (block.before, block.after))
        return is_apart and not text.rstrip().endswith(_NO_HEADING_ENDS)

    def _outline_shift(self, found: Mapping[int, TextBlock]) -> int | None:
        """Return what to add to levels of the outline to get those by size, if the outline names most headings."""
        pairs = [
            (self._outline[key], self._levels[rounded(block.size)])
            for block in found.values()
            if (key := _key(block.text)) in self._outline
        ]
        if len(pairs) < 0.5 * len(found) or not pairs:
            return None
        top = min(level for level, _ in pairs)
        return max(0, min(by_size for level, by_size in pairs if level == top) - top)


def _levels(sizes: Sequence[Style], body: float) -> dict[Style, int]:
    """Return the level of each size, from 1: as browsers have them if all sizes are theirs, else by rank."""
    distinct = sorted(set(sizes), reverse=True)
    nearest = {size: min(range(LEVELS), key=lambda index: abs(BROWSER_SIZES[index] * body - size)) for size in distinct}
    if all(abs(BROWSER_SIZES[index] * body - size) <= 0.04 * body for size, index in nearest.items()):
        return {size: index - min(nearest.values()) + 1 for size, index in nearest.items()}
    return {size: min(LEVELS, rank) for rank, size in enumerate(distinct, 1)}


def _key(text: str) -> str:
    return _SPACES.sub("", text).casefold()


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
            self._lists.clear()
            self.elements.append(Heading(self.runs(block.rows), level))
            self._last = None
        elif block.first.bullet or (block.first.number and self._number(block) is not None):
            self._add_item(block)
        elif not self._goes_on(block):
            self._add_part(block)

    def runs(self, rows: Sequence[Row]) -> list[Run]:
        """Return the runs of rows as one line; words that hyphens break are whole again."""
        return join_runs((row.runs for row in rows), self._hyphens)

    def _note(self, element: Element, block: TextBlock) -> None:
        goes_on = element.runs if isinstance(element, Paragraph) else element if isinstance(element, Code) else None
        self._last = (block, goes_on) if goes_on is not None else None

    def _add_part(self, block: TextBlock) -> None:
        """Add a paragraph, code or a table, to the list item or the quote that it belongs to if there is one."""
        while self._lists and block.left < self._lists[-1].text - ALIGNED_EMS * block.size - 1:
            self._lists.pop()
        element: Element
        if block.first.table is not None:
            element = self._tables[block.first.table]
        elif block.is_code:
            element = Code(code_text(block.rows, self._measures))
        else:
            element = Paragraph(self.runs(block.rows))
        last = self.elements[-1] if self.elements else None
        if self._lists:
            self._lists[-1].element.items[-1].parts.append(element)
        elif not self._is_quote(block) or isinstance(element, TableOf):
            self.elements.append(element)
        elif isinstance(last, Quote):
            last.parts.append(element)
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
        elif block.is_code or not _is_unfinished(before, block):
            return False
        else:
            element[:] = join_runs((element, self.runs(block.rows)), self._hyphens)
        self._last = block, element
        return True

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
