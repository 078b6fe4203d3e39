"""Places everything in a table image: the lines of each cell, the height of each row, and the size of the image."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from mediakit.engines.drawing.text import text_width
from mediakit.engines.drawing.typeface import Weight
from mediakit.tools.images.table_image.cell_formats import Cell
from mediakit.tools.images.table_image.column_widths import (
    MAX_HEADER_LINES,
    MAX_LINES,
    MeasuredColumn,
    Sizes,
    cell_lines,
    cell_weight,
    is_cut,
    longest_word,
    spans,
    widths_of,
)
from mediakit.tools.images.table_image.content import Content, ShownColumn

SHORT_LINE = 16.0
"""Width of a text above or below the table that stays on one line, in em."""


@dataclass(frozen=True)
class Row:
    """A row of the body, a heading of a group, or the total."""

    top: float
    height: float
    cells: tuple[Cell | None, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()
    """Lines of each cell of text; empty for numbers and sparklines."""
    heading: tuple[str, ...] = ()
    """Lines of the heading of a group."""
    is_total: bool = False
    number: int = 0
    """Number of the row in its group, from 0."""

    @property
    def is_heading(self) -> bool:
        """Whether the row is the heading of a group."""
        return bool(self.heading)


@dataclass(frozen=True)
class Block:
    """Lines of text above or below the table."""

    lines: tuple[str, ...]
    full: str
    top: float


@dataclass
class Layout:
    """Where everything is, in CSS pixels."""

    content: Content
    sizes: Sizes
    columns: list[MeasuredColumn]
    lefts: list[float]
    """Left side of each column, and the right side of the last one."""
    label_place: int | None = None
    """The column with the label of the last row."""
    mark_top: float | None = None
    title: Block | None = None
    subtitle: Block | None = None
    table_top: float = 0
    spanners_height: float = 0
    header_bottom: float = 0
    header_lines: list[tuple[str, ...]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    table_bottom: float = 0
    more: Block | None = None
    notes: list[Block] = field(default_factory=list)
    width: int = 0
    height: int = 0

    @property
    def left(self) -> float:
        """Left side of the table."""
        return self.lefts[0]

    @property
    def right(self) -> float:
        """Right side of the table."""
        return self.lefts[-1]


def lay_out(content: Content, requested: int | None, *, has_mark: bool, is_framed: bool) -> Layout:
    """Return the layout of a table, in the requested width or what the content needs.

    In a frame, texts above and below the table begin at its left side instead of at that of its texts.

    Raises:
        InvalidInput: The columns do not fit the requested width.
    """
    sizes, measured, widths = widths_of(content, requested, is_framed=is_framed)
    label_place = content.label_place
    if content.is_right_to_left:
        label_place = None if label_place is None else len(measured) - 1 - label_place
        content = replace(content, columns=content.columns[::-1])
        measured, widths = measured[::-1], widths[::-1]
    widths = _widened(widths, _least_width(content, sizes)) if requested is None else widths
    margin = sizes.margin_beside(is_framed=is_framed)
    lefts = [margin, *(margin + width for width in accumulate(widths))]
    layout = Layout(content, sizes, measured, lefts, label_place)
    layout.width = requested or round(lefts[-1] + margin + 0.49)
    lefts[-1] = layout.width - margin
    indent = 0 if is_framed else sizes.padding
    inner = layout.right - layout.left - 2 * indent
    top = _place_title(layout, sizes.margin, inner, has_mark=has_mark)
    top = _place_header(layout, top)
    top = _place_rows(layout, top)
    layout.table_bottom = top
    if content.more:
        layout.more = _block(content.more, top + sizes.gap, inner, sizes.small)
        top = layout.more.top + _height(layout.more, sizes.small)
    top += sizes.gap if content.notes else 0
    for note in content.notes:
        block = _block(note, top, inner, sizes.small)
        layout.notes.append(block)
        top += _height(block, sizes.small)
    layout.height = round(top + sizes.margin)
    return layout


def cut_warnings(layout: Layout) -> Iterator[str]:
    """Yield a sentence for each text that ends with an ellipsis, because the image has no room for all of it."""
    fix = f"Set width to more than {layout.width}, or shorten the text."
    for name, block in (("title", layout.title), ("subtitle", layout.subtitle)):
        if block and is_cut(block.full, block.lines):
            yield f"{name}: is cut after {MAX_LINES} lines. {fix}"
    notes = sum(is_cut(note.full, note.lines) for note in layout.notes)
    if notes:
        yield f"footnotes, source: {notes} cut after {MAX_LINES} lines. {fix}"
    for place, each in enumerate(layout.columns):
        rows = [row for row in layout.rows if row.lines and row.cells[place]]
        count = sum(is_cut(str(getattr(row.cells[place], "text", "")), row.lines[place]) for row in rows)
        if count:
            texts = "1 text is" if count == 1 else f"{count} texts are"
            yield f'rows: {texts} cut after {MAX_LINES} lines in column "{each.column.label[:80]}". {fix}'


def line_height(size: float) -> float:
    """Return the height of a line of a font size."""
    return round(size * 1.36)


def _least_width(content: Content, sizes: Sizes) -> float:
    """Return the width that keeps short texts above and below the table on one line, and words of longer ones whole."""
    texts: list[tuple[str, float, Weight]] = [
        (content.title, sizes.title, 600),
        (content.subtitle, sizes.text, 400),
        *((text, sizes.small, 400) for text in (content.more, *content.notes)),
    ]
    return max(_least_text_width(*text) for text in texts) + 2 * sizes.padding


def _least_text_width(text: str, size: float, weight: Weight) -> float:
    short = min(text_width(text, size, weight), SHORT_LINE * size)
    return min(max(longest_word(text, size, weight), short), 1.5 * SHORT_LINE * size)


def _widened(widths: list[float], least: float) -> list[float]:
    total = sum(widths)
    return [width * least / total for width in widths] if total < least else widths


def _block(text: str, top: float, width: float, size: float, weight: Weight = 400) -> Block:
    return Block(cell_lines(text, width, size, MAX_LINES, weight), text, top)


def _height(block: Block, size: float) -> float:
    return len(block.lines) * line_height(size)


def _place_title(layout: Layout, top: float, width: float, *, has_mark: bool) -> float:
    content, sizes = layout.content, layout.sizes
    if not (content.title or content.subtitle):
        return top - (sizes.gap if sizes.margin > sizes.gap else 0)
    if has_mark:
        layout.mark_top = top
        top += sizes.gap + 3
    if content.title:
        layout.title = _block(content.title, top, width, sizes.title, 600)
        top += _height(layout.title, sizes.title)
    if content.subtitle:
        layout.subtitle = _block(content.subtitle, top + 2, width, sizes.text)
        top = layout.subtitle.top + _height(layout.subtitle, sizes.text)
    return top + sizes.gap


def _place_header(layout: Layout, top: float) -> float:
    sizes = layout.sizes
    layout.table_top = top
    height = line_height(sizes.header)
    if layout.content.has_spanners:
        counts = [
            len(cell_lines(text, _span_width(layout, start, end), sizes.header, MAX_HEADER_LINES, 600))
            for start, end in spans(layout.content.columns)
            if (text := layout.content.columns[start].spanner)
        ]
        layout.spanners_height = max(counts) * height + sizes.gap * 1.5
    top += layout.spanners_height
    tallest = 0.0
    for place, column in enumerate(layout.content.columns):
        header = column.label + column.mark
        lines = cell_lines(header, content_width(layout, place), sizes.header, MAX_HEADER_LINES, 600) if header else ()
        layout.header_lines.append(lines)
        tallest = max(tallest, len(lines) * height + (line_height(sizes.small) if column.unit else 0))
    layout.header_bottom = top + (tallest + 2 * sizes.gap if tallest else 0)
    return layout.header_bottom


def _span_width(layout: Layout, start: int, end: int) -> float:
    return layout.lefts[end] - layout.lefts[start] - 2 * layout.sizes.padding


def content_width(layout: Layout, place: int) -> float:
    """Return the width of a column without its paddings."""
    return layout.lefts[place + 1] - layout.lefts[place] - 2 * layout.sizes.padding + 0.01


def _place_rows(layout: Layout, top: float) -> float:
    content = layout.content
    place = 0
    for heading, count in content.groups:
        if content.has_groups:
            lines = cell_lines(
                heading, layout.right - layout.left - 2 * layout.sizes.padding, layout.sizes.text, 3, 600
            )
            height = len(lines) * layout.sizes.line + 2 * layout.sizes.gap + (layout.sizes.gap / 2 if place else 0)
            layout.rows.append(Row(top, height, heading=lines or ("",)))
            top += height
        for number in range(count):
            row = _row(layout, top, [column.cells[place] for column in content.columns], number)
            layout.rows.append(row)
            top += row.height
            place += 1
    if content.has_total:
        totals: list[Cell | None] = [column.total for column in content.columns]
        if layout.label_place is not None:
            totals[layout.label_place] = Cell(content.total_label)
        row = _row(layout, top, totals, 0, is_total=True)
        layout.rows.append(row)
        top += row.height
    return top


def _row(layout: Layout, top: float, cells: Sequence[Cell | None], number: int, *, is_total: bool = False) -> Row:
    lines = tuple(
        _lines(layout, place, cell, each.column, is_total=is_total)
        for place, (cell, each) in enumerate(zip(cells, layout.columns, strict=True))
    )
    count = max(1, *map(len, lines))
    height = count * layout.sizes.line + 2 * layout.sizes.gap
    return Row(top, height, tuple(cells), lines, is_total=is_total, number=number)


def _lines(layout: Layout, place: int, cell: Cell | None, column: ShownColumn, *, is_total: bool) -> tuple[str, ...]:
    if cell is None or cell.number is not None or cell.points:
        return ()
    if column.kind == "number" and cell.is_null:
        return ()
    weight = cell_weight(column, is_total=is_total)
    return cell_lines(cell.text + cell.mark, content_width(layout, place), layout.sizes.text, MAX_LINES, weight)
