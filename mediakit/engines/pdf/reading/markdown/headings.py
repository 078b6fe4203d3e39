"""Which blocks are headings, and their levels."""

import re
from collections.abc import Iterable, Mapping, Sequence

from mediakit.engines.pdf.reading.markdown.blocks import LARGER, TextBlock
from mediakit.engines.pdf.reading.markdown.measures import Measures, rounded

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
_ENDS_SENTENCE = (".", ",", ";", ":")


class Headings:
    """The headings of a document."""

    def __init__(self, blocks: Iterable[TextBlock], measures: Measures, outline: Sequence[tuple[int, str]]) -> None:
        """Find the headings.

        Args:
            blocks: The blocks of the document.
            measures: Its usual measures.
            outline: Level and title of its bookmarks.
        """
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
        if block.is_code and not block.is_bold:
            return False
        if len(block.rows) > MAX_ROWS or len(text) > MAX_CHARACTERS:
            return False
        if _key(text) in self._outline:
            return True
        if block.size >= LARGER * self._measures.size:
            return len(text) <= MAX_SENTENCE_CHARACTERS or not text.rstrip().endswith(".")
        return block.is_bold and len(text) <= MAX_BOLD_CHARACTERS and self._stands_apart(block, text)

    def _stands_apart(self, block: TextBlock, text: str) -> bool:
        """Return whether a bold line has more space around it than a paragraph has."""
        if text.rstrip().endswith(_ENDS_SENTENCE) or len(block.rows) > 2:
            return False
        least = APART * self._measures.paragraph_gap
        return any(distance is not None and distance > least for distance in (block.before, block.after))

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
