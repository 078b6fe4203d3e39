"""Fonts, wrapped lines and the width of each column, in CSS pixels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.text import (
    ELLIPSIS,
    RIGHT_TO_LEFT_MARK,
    em_width,
    grapheme_clusters,
    split_words,
    text_width,
    truncate,
)
from mediakit.engines.drawing.typeface import Weight
from mediakit.errors import InvalidInput
from mediakit.tools.images.table_image.cell_formats import Cell
from mediakit.tools.images.table_image.content import Content, ShownColumn

MAX_LINES = 3
"""Lines of a cell or the title; the rest is cut with an ellipsis."""


@lru_cache(maxsize=4096)
def cell_lines(text: str, width: float, size: float, max_lines: int, weight: Weight = 400) -> tuple[str, ...]:
    """Return a text as lines that fit a width; the last one ends with an ellipsis if there is more text."""
    if text_width(text, size, weight) <= width:
        return (text,)
    pieces = _pieces(text, width, size, weight)
    lines: list[str] = []
    while pieces and len(lines) < max_lines:
        line = pieces.pop(0)
        while pieces and text_width((line + pieces[0]).rstrip(), size, weight) <= width:
            line += pieces.pop(0)
        lines.append(line.strip())
    if pieces:
        last = lines[-1]
        marked = last.rstrip(" ,;:-–(/.") + ELLIPSIS + (RIGHT_TO_LEFT_MARK if begins_right_to_left(last) else "")
        is_short = text_width(marked, size, weight) <= width
        lines[-1] = marked if is_short else truncate(f"{last} {last}", width, size, weight)
    return tuple(lines)


def longest_word(text: str, size: float, weight: Weight = 400) -> float:
    """Return the width of the widest part of a text that wrapping keeps whole."""
    return max((text_width(word.strip(), size, weight) for word in split_words(text)), default=0.0)


def is_cut(text: str, lines: tuple[str, ...]) -> bool:
    """Return whether lines show only the begin of a text."""
    return bool(lines) and lines[-1].rstrip(RIGHT_TO_LEFT_MARK).endswith(ELLIPSIS) and not text.endswith(ELLIPSIS)


def _pieces(text: str, width: float, size: float, weight: Weight) -> list[str]:
    """Return the words of a text; a word that is wider than a line in several pieces."""
    found: list[str] = []
    for word in split_words(text):
        if text_width(word.rstrip(), size, weight) <= width:
            found.append(word)
            continue
        piece = ""
        for cluster in grapheme_clusters(word):
            if piece and text_width(piece + cluster, size, weight) > width:
                found.append(piece)
                piece = ""
            piece += cluster
        found.append(piece)
    return found


MAX_DEFAULT_WIDTH, MAX_WIDTH = 1600, 3840
SHORT_LINE = 16.0
"""Width of a text above or below the table that stays on one line, in em."""
FONT_SIZES = (14.0, 13.0, 12.0, 11.0, 10.0)
"""Sizes of the text of cells; the first one at which the columns fit is used."""

MAX_TEXT_WIDTH, MIN_TEXT_WIDTH = 20.0, 5.0
"""Widths of a column of text in em, unless an option says otherwise: natural at most, and shrunk at least."""

MAX_COMPLETE_WIDTH = 110.0
"""Width of a column of text in em up to which it grows to show all of its text."""

MAX_WORD_WIDTH = 12.0
"""Width of a word in em up to which a column keeps it whole if possible."""

MAX_HEADER_LINE = 8.0
"""Width of a header in em up to which it stays on one line although the column is narrower."""

SHAPE_WIDTH = 6.5
"""Width of bars and sparklines, in em."""

SHAPE_GAP = 0.7
"""Space between a bar and its number, in em."""


@dataclass(frozen=True)
class Sizes:
    """Font sizes and distances, in CSS pixels."""

    text: float

    @property
    def header(self) -> float:
        """Font size of headers."""
        return round(self.text * 0.93, 1)

    @property
    def small(self) -> float:
        """Font size of units and notes."""
        return round(self.text * 0.86, 1)

    @property
    def title(self) -> float:
        """Font size of the title."""
        return round(self.text * 1.43, 1)

    @property
    def padding(self) -> float:
        """Space at the left and the right of a cell."""
        return round(self.text * 0.8)

    @property
    def margin(self) -> float:
        """Space around the table."""
        return round(self.text * 1.3)

    def margin_beside(self, *, is_framed: bool) -> float:
        """Return the space beside the table; that of cells is a part of it unless a frame is between them."""
        return self.margin if is_framed else self.margin - self.padding

    @property
    def line(self) -> float:
        """Height of a line of a cell."""
        return round(self.text * 1.36)

    @property
    def gap(self) -> float:
        """Space above and below the text of a cell."""
        return round(self.text * 0.5)


@dataclass(frozen=True)
class NumberBlock:
    """The widths of the numbers of a column, left and right of where they align, and of the marks after them."""

    left: float = 0
    right: float = 0
    mark: float = 0

    @property
    def width(self) -> float:
        """Width of the block."""
        return self.left + self.right + self.mark


@dataclass(frozen=True)
class MeasuredColumn:
    """A column and the width of what is in it, without paddings."""

    column: ShownColumn
    numbers: NumberBlock
    natural: float
    least: float
    """The width below which something would be cut that must not be."""


def cell_weight(column: ShownColumn, *, is_total: bool = False) -> Weight:
    """Return the weight of the cells of a column."""
    return 600 if column.bold or is_total else 400


def parts_of(cell: Cell) -> tuple[str, str]:
    """Return the text of a number left and right of where it aligns; a missing number is left of it."""
    return cell.text[: cell.split], cell.text[cell.split :]


def measure(content: Content, sizes: Sizes) -> list[MeasuredColumn]:
    """Return the columns with the width of their content."""
    measured = [
        _measure(column, sizes, label=content.total_label if place == content.label_place else "")
        for place, column in enumerate(content.columns)
    ]
    for start, end in spans(content.columns):
        if text := content.columns[start].spanner:  # the columns are together as wide as the header above them
            below = measured[start:end]
            between = 2 * sizes.padding * (len(below) - 1)
            wanted = min(text_width(text, sizes.header, 600), MAX_TEXT_WIDTH * sizes.text) - between
            word = min(longest_word(text, sizes.header, 600), MAX_WORD_WIDTH * sizes.text) - between
            natural = max(0.0, wanted - sum(each.natural for each in below)) / len(below)
            least = max(0.0, word - sum(each.least for each in below)) / len(below)
            measured[start:end] = [
                replace(each, natural=each.natural + natural, least=each.least + least) for each in below
            ]
    return measured


def spans(columns: Sequence[ShownColumn]) -> list[tuple[int, int]]:
    """Return the first column and the one after the last of each run of columns with one spanner."""
    found: list[tuple[int, int]] = []
    for place, column in enumerate(columns):
        if found and column.spanner and columns[place - 1].spanner == column.spanner:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def widths_of(
    content: Content, requested: int | None, *, is_framed: bool
) -> tuple[Sizes, list[MeasuredColumn], list[float]]:
    """Return the sizes, the measured columns, and the width of each column with its paddings.

    Raises:
        InvalidInput: The columns do not fit the requested width.
    """
    needed = 0.0
    for size in FONT_SIZES:
        sizes = Sizes(size)
        measured = measure(content, sizes)
        beside = 2 * sizes.margin_beside(is_framed=is_framed)
        widths = _widths(measured, sizes, requested, beside)
        least = [each.least + 2 * sizes.padding for each in measured]
        needed = sum(least) + beside
        if widths is None and size == FONT_SIZES[-1] and requested is None and needed <= MAX_WIDTH:
            widths = least
        if widths is not None:
            total, wanted = sum(widths), 0.0 if requested else _least_width(content, sizes)
            return sizes, measured, [width * wanted / total for width in widths] if total < wanted else widths
    limit, needed = requested or MAX_DEFAULT_WIDTH, round(needed + 0.5)
    advice = "show fewer columns" if needed > MAX_WIDTH else f"it must be at least {needed}, or show fewer columns"
    raise InvalidInput(f"width: the columns do not fit {limit} pixels; {advice}.")


def _least_width(content: Content, sizes: Sizes) -> float:
    """Return the width that keeps short texts above and below the table on one line, and words of longer ones whole."""
    texts: list[tuple[str, float, Weight]] = [
        (content.title, sizes.title, 600),
        (content.subtitle, sizes.text, 400),
        *((text, sizes.small, 400) for text in (content.more, *content.notes)),
    ]
    widest = 0.0
    for text, size, weight in texts:
        short = min(text_width(text, size, weight), SHORT_LINE * size)
        widest = max(widest, min(max(longest_word(text, size, weight), short), 1.5 * SHORT_LINE * size))
    return widest + 2 * sizes.padding


def _measure(column: ShownColumn, sizes: Sizes, *, label: str) -> MeasuredColumn:
    numbers = _number_block(column, sizes)
    size = sizes.text
    if column.kind == "number":
        body = numbers.width + ((SHAPE_WIDTH + SHAPE_GAP) * size if column.bar else 0)
        natural = least = body
    elif column.kind == "sparkline":
        natural = least = SHAPE_WIDTH * size
    else:
        weight = cell_weight(column)
        texts = [cell.text + cell.mark for cell in column.cells]
        words = max(longest_word(text, size, weight) for text in texts)
        natural = max(_complete_width(text, size, weight) for text in texts)
        least = min(natural, max(MIN_TEXT_WIDTH * size, min(words, MAX_WORD_WIDTH * size)))
    natural = max(natural, text_width(label, size, 600))
    least = max(least, min(text_width(label, size, 600), MAX_WORD_WIDTH * size))
    header = column.label + column.mark
    head, word = text_width(header, sizes.header, 600), longest_word(header, sizes.header, 600)
    unit = text_width(column.unit, sizes.small) if column.unit else 0.0
    least_header = max(min(word, MAX_WORD_WIDTH * size), min(unit, MAX_WORD_WIDTH * size))
    wrapped = head if head <= max(natural, MAX_HEADER_LINE * size) else max(word, head / 1.8, natural)
    wanted = max(wrapped, min(unit, MAX_TEXT_WIDTH * size))
    return MeasuredColumn(column, numbers, max(natural, min(wanted, MAX_TEXT_WIDTH * size)), max(least, least_header))


def _complete_width(text: str, size: float, weight: Weight) -> float:
    """Return the width of a column that shows the whole text, in up to three lines."""
    full, width = text_width(text, size, weight), MAX_TEXT_WIDTH * size
    if full <= width:
        return full
    most = min(full, MAX_COMPLETE_WIDTH * size)
    while width < most and is_cut(text, cell_lines(text, width, size, MAX_LINES, weight)):
        width *= 1.1
    return min(width, full)


def _number_block(column: ShownColumn, sizes: Sizes) -> NumberBlock:
    if column.kind != "number":
        return NumberBlock()
    left = right = mark = 0.0
    for cell in (*column.cells, *((column.total,) if column.total else ())):
        weight = cell_weight(column, is_total=cell is column.total)
        head, tail = parts_of(cell)
        left = max(left, em_width(head, weight, tabular=True) * sizes.text)
        right = max(right, em_width(tail, weight, tabular=True) * sizes.text)
        mark = max(mark, text_width(cell.mark, sizes.text, weight))
    return NumberBlock(left, right, mark)


def _widths(
    measured: Sequence[MeasuredColumn], sizes: Sizes, requested: int | None, beside: float
) -> list[float] | None:
    """Return the width of each column with its paddings; None if the columns do not fit.

    Columns with a share of the table have it. The others stretch, or give up the same share of what they can.
    """
    padding, available = 2 * sizes.padding, (requested or MAX_DEFAULT_WIDTH) - beside
    natural, least = [each.natural + padding for each in measured], [each.least + padding for each in measured]
    shares = [(each.column.width_pct or 0) / 100 for each in measured]
    free = [place for place, share in enumerate(shares) if not share]
    wide, narrow = (sum(widths[place] for place in free) for widths in (natural, least))
    if len(free) < len(shares) and not requested:
        wanted = [width / share for width, share in zip(natural, shares, strict=True) if share]
        rest = 1 - sum(shares)
        available = min(available, max(*wanted, wide / rest if rest > 0 else 0.0))
    widths = [available * share for share in shares]
    space = available - sum(widths)
    if narrow > space or any(0 < width < each - 0.5 for width, each in zip(widths, least, strict=True)):
        return None
    stretch = space / wide if wide and (requested or len(free) < len(shares)) else 1.0
    excess = (wide - space) / (wide - narrow) if wide > space else 0.0
    for place in free:
        shrunk = natural[place] - (natural[place] - least[place]) * excess
        widths[place] = shrunk if excess else natural[place] * stretch
    return widths
