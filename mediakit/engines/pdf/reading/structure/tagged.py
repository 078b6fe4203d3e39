"""The elements of a document from the structure tree of a tagged PDF."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from mediakit.engines.pdf.reading.structure.blocks import (
    Column,
    Measures,
    Row,
    code_text,
    cut_number,
    find_marker,
    joined_row,
)
from mediakit.engines.pdf.reading.structure.elements import (
    Code,
    Element,
    Figure,
    Heading,
    Hyphens,
    Item,
    ListOf,
    Paragraph,
    Quote,
    Run,
    StyledLine,
    TableOf,
    join_runs,
)
from mediakit.engines.pdf.reading.structure.tag_tree import Tag, TagTree, as_read
from mediakit.engines.pdf.tables import Span

Cells = list[list[Run] | None]

Extent = tuple[float, float]
"""Left and right end of text, in points."""

MAX_CELLS = 100_000
"""Cells of a table, covered ones included."""

MOST_OVERLAP = 1.0
"""Points by which the texts of two columns may overlap."""


def read_table(table: Tag, runs_of: Callable[[Tag], list[Run]]) -> TableOf | None:
    """Return a table, or None if it has no text; `runs_of` returns the text of a cell.

    Tags of empty cells are often missing, so the cells of a row that is too short are placed below those of full rows.
    """
    rows = [
        (group.name == "THead", [(cell, runs_of(cell)) for cell in row.tags if cell.name in ("TH", "TD")])
        for group in (table, *table.tags)
        for row in group.tags
        if row.name == "TR"
    ]
    grid = _Grid(rows)
    return (grid if grid.is_complete else _Grid(rows, grid.extents())).table()


def has_separate_columns(table: TableOf) -> bool:
    """Return whether the texts of columns are beside one another, as they are unless tags are missing."""
    known = sorted(extent for extent in _extents(table.cells, table.spans) if extent)
    return all(left[1] - right[0] <= MOST_OVERLAP for left, right in pairwise(known))


class _Grid:
    """The cells of a table by row and column."""

    def __init__(
        self, rows: Sequence[tuple[bool, Sequence[tuple[Tag, list[Run]]]]], extents: Sequence[Extent | None] = ()
    ) -> None:
        self._extents = extents
        self._rows: list[Cells] = []
        self._spans: list[Span] = []
        self._covered: set[tuple[int, int]] = set()
        self._header_rows = 0
        for is_head, cells in rows:
            self._add(cells, is_head=is_head)

    @property
    def is_complete(self) -> bool:
        """Whether all rows have the same number of cells."""
        return len({len(row) for row in self._rows}) < 2

    def extents(self) -> list[Extent | None]:
        """Return the extent of the text of each column in the rows that are full."""
        width = max(map(len, self._rows))
        return _extents([row if len(row) == width else [] for row in self._rows], self._spans)

    def table(self) -> TableOf | None:
        """Return the table; None if it has no text."""
        if not any(runs for row in self._rows for runs in row):
            return None
        width = max(map(len, self._rows))
        last = len(self._rows)
        spans = [Span(span.row, span.column, min(span.rows, last - span.row), span.columns) for span in self._spans]
        padded: list[list[list[Run] | None]] = [[*row, *([[]] * (width - len(row)))] for row in self._rows]
        merged = [span for span in spans if span.rows > 1 or span.columns > 1]
        return TableOf(padded, self._header_rows, merged)

    def _add(self, found: Sequence[tuple[Tag, list[Run]]], *, is_head: bool) -> None:
        index = len(self._rows)
        cells: Cells = []
        self._rows.append(cells)
        for cell, runs in found:
            self._fill(index, cells, 0)
            self._fill(index, cells, self._start(len(cells), cell.columns, _extent(runs)))
            if cell.rows * cell.columns == 1 or len(self._covered) + cell.rows * cell.columns > MAX_CELLS:
                cell.rows = cell.columns = 1
            else:
                self._spans.append(Span(index, len(cells), cell.rows, cell.columns))
                across = range(len(cells), len(cells) + cell.columns)
                self._covered |= {(index + down, column) for down in range(cell.rows) for column in across}
            cells += [runs, *[None] * (cell.columns - 1)]
        self._fill(index, cells, 0)
        if self._header_rows == index and (is_head or (found and all(cell.name == "TH" for cell, _ in found))):
            self._header_rows += 1

    def _start(self, column: int, columns: int, text: Extent | None) -> int:
        """Return the column, from one on, below whose text that of a cell is."""
        best, most = column, 0.0
        for start in range(column, len(self._extents) - columns + 1) if text else ():
            known = [extent for extent in self._extents[start : start + columns] if extent]
            if not known or not text:
                continue
            shared = min(text[1], max(extent[1] for extent in known)) - max(text[0], min(known)[0])
            if shared > most:
                best, most = start, shared
        return best

    def _fill(self, index: int, cells: Cells, column: int) -> None:
        """Add places up to a column, and those that cells above cover."""
        while len(cells) < column or (index, len(cells)) in self._covered:
            cells.append(None if (index, len(cells)) in self._covered else [])


def _extents(rows: Sequence[Cells], spans: Sequence[Span]) -> list[Extent | None]:
    """Return the extent of the text of each column, without cells over several columns."""
    wide = {(span.row, span.column) for span in spans if span.columns > 1}
    found: list[Extent | None] = [None] * max(map(len, rows), default=0)
    for index, row in enumerate(rows):
        for column, runs in enumerate(row):
            extent = _extent(runs or [])
            if extent and (index, column) not in wide:
                known = found[column] or extent
                found[column] = (min(known[0], extent[0]), max(known[1], extent[1]))
    return found


def _extent(runs: Sequence[Run]) -> Extent | None:
    shown = [run for run in runs if run.text.strip()]
    return (min(run.x0 for run in shown), max(run.x1 for run in shown)) if shown else None


HEADINGS = {"Title": 1, **{f"H{level}": min(level, 6) for level in range(1, 10)}}
SECTIONS = ("Sect", "Art", "Part")
CONTAINERS = ("Document", "DocumentFragment", "Div", "Aside", "Index", "TOC", *SECTIONS)
BLOCKS = frozenset(
    (*CONTAINERS, *HEADINGS, "H", "P", "L", "LI", "LBody", "Table", "BlockQuote", "Caption", "TOCI", "Note", "FENote")
)
NOTES = ("Note", "FENote")
OMITTED = ("Artifact", "Private")
MARKS = {"Em": "italic", "Strong": "bold", "Code": "mono"}
"""Attributes of the runs in inline elements."""

MEANINGFUL = {*HEADINGS, "H", "L", "Table", "Code", "BlockQuote", "TOC"}
"""Elements that say more than which lines are a paragraph."""

MIN_COVERAGE = 0.7
"""Share of the letters that must be in elements; running headers are in none."""

SAME_LINE = 0.3
"""Difference of the baselines of one line, in sizes of the font."""


def is_usable(tree: TagTree) -> bool:
    """Return whether the tags describe most of the text, and more than paragraphs."""
    letters = sum(len(line.text.strip()) for line in tree.root.lines())
    return letters > 0 and letters >= MIN_COVERAGE * tree.letters and not MEANINGFUL.isdisjoint(tree.root.names())


class TaggedDocument:
    """The elements of a tagged PDF."""

    def __init__(self, tree: TagTree) -> None:
        lines = list(tree.root.lines())
        rows = _rows(lines)
        column = Column(0, rows, min(row.x0 for row in rows), max(row.x1 for row in rows))
        self._measures = Measures([column])
        self._hyphens = Hyphens(row.text for row in rows)
        self._notes: list[Element] = []
        self._section = 0
        self._root = tree.root

    def elements(self) -> list[Element]:
        """Return the elements in logical order, notes at the end."""
        return self._parts(self._root) + self._notes

    def table(self, tag: Tag) -> TableOf | None:
        """Return a table, or None if it has no text."""
        return read_table(tag, lambda cell: self._runs(_inline(cell)))

    def _parts(self, tag: Tag) -> list[Element]:
        """Return the elements inside one; text between them makes paragraphs."""
        found: list[Element] = []
        pending: list[StyledLine] = []
        is_tagged_code = False
        for child in tag.children:
            if isinstance(child, StyledLine):
                pending.append(child)
            elif not self._is_block(child, tag):
                pending += _inline(child)
                is_tagged_code = is_tagged_code or "Code" in child.names()
            else:
                found += [*self._text(pending, is_tagged_code=is_tagged_code), *self._elements(child)]
                pending, is_tagged_code = [], False
        return _merged_code(found + self._text(pending, is_tagged_code=is_tagged_code))

    def _elements(self, tag: Tag) -> list[Element]:
        found: list[Element] = []
        name = tag.name
        captions = [child for child in tag.tags if child.name == "Caption"]
        if name in HEADINGS or name == "H":
            if runs := self._runs(_inline(tag)):
                found = [Heading(runs, HEADINGS.get(name) or min(6, max(1, self._section)))]
        elif name == "Code":
            found = [Code(code_text(_rows(list(tag.lines())), self._measures))]
        elif name == "L":
            found = self._list(tag)
        elif name == "Table":
            found = [part for caption in captions for part in self._parts(caption)]
            table = self.table(tag)
            found += [table] if table else []
        elif name in ("Figure", "Formula") and tag.alt:
            found = [Figure(tag.alt), *(part for caption in captions for part in self._parts(caption))]
        elif name in NOTES:
            self._notes += self._parts(tag)
        elif name not in OMITTED:
            self._section += name in SECTIONS
            found = self._parts(tag)
            self._section -= name in SECTIONS
            if found and name == "BlockQuote":
                found = [Quote(found)]
        return found

    def _text(self, lines: Sequence[StyledLine], *, is_tagged_code: bool) -> list[Element]:
        """Return lines as a paragraph, or as code if all are of a fixed width and tags do not say that it is inline."""
        rows = _rows(lines)
        if not any(row.text.strip() for row in rows):
            return []
        if all(row.is_mono for row in rows) and not is_tagged_code:
            return [Code(code_text(rows, self._measures))]
        return [Paragraph(join_runs((row.runs for row in rows), self._hyphens))]

    def _runs(self, lines: Sequence[StyledLine]) -> list[Run]:
        return join_runs((row.runs for row in _rows(lines)), self._hyphens)

    def _list(self, tag: Tag) -> list[Element]:
        captions: list[Element] = []
        items: list[Item] = []
        for child in tag.tags:
            if child.name == "L" and items:
                items[-1].parts += self._list(child)
            elif child.name in ("LI", "LBody"):
                items.append(self._item(child))
            else:
                captions += self._elements(child)
        kept = [item for item in items if item.parts]
        if not all(item.number is not None for item in kept):
            for item in kept:
                item.number = None
        return [*captions, *([ListOf(kept)] if kept else [])]

    def _item(self, tag: Tag) -> Item:
        label = "".join(line.text for child in tag.tags if child.name == "Lbl" for line in child.lines()).strip()
        body = replace(tag, children=[c for c in tag.children if not (isinstance(c, Tag) and c.name == "Lbl")])
        number = label.strip("().")
        item = Item(int(number) if number.isdecimal() and len(number) < 10 else None)
        if not label:
            _take_marker(body, item)
        item.parts = self._parts(body)
        return item

    def _is_block(self, tag: Tag, parent: Tag) -> bool:
        if tag.name == "Code":
            return _is_code_block(tag, parent)
        if tag.name in ("Figure", "Formula"):
            return bool(tag.alt) or any(self._is_block(child, tag) for child in tag.tags)
        return tag.name in BLOCKS or any(self._is_block(child, tag) for child in tag.tags)


def _is_code_block(tag: Tag, parent: Tag) -> bool:
    """Return whether code stands for itself: it is outside of paragraphs, or has lines and no text beside it."""
    if parent.name in (*CONTAINERS, "NonStruct", "BlockQuote"):
        return True
    beside = [
        child for child in parent.children if child is not tag and not (isinstance(child, Tag) and child.name == "Lbl")
    ]
    return len(_rows(list(tag.lines()))) > 1 and not any(
        line.text.strip() for child in beside for line in (child.lines() if isinstance(child, Tag) else [child])
    )


def _inline(tag: Tag) -> list[StyledLine]:
    """Return the lines of an element, in the style that its type and those inside it stand for."""
    found: list[StyledLine] = []
    for child in tag.children:
        if isinstance(child, StyledLine):
            found.append(child)
        elif child.name not in OMITTED:
            found += _inline(child)
    attribute = MARKS.get(tag.name)
    if attribute is None:
        return found
    marked = [replace(line, runs=[replace(run) for run in line.runs]) for line in found]
    for run in (run for line in marked for run in line.runs):
        setattr(run, attribute, True)
    return marked


def _rows(lines: Sequence[StyledLine]) -> list[Row]:
    """Return the rows of lines in logical order: neighbors on one baseline are one row."""
    groups: list[list[StyledLine]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        may_follow = last is not None and (line.x0 >= last.x0 or line.page_runs_left is not None)
        if last and may_follow and abs(last.y - line.y) < SAME_LINE * max(last.size, line.size):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [
        joined_row([replace(line, runs=[replace(run) for run in line.runs]) for line in as_read(group)])
        for group in groups
    ]


def _take_marker(body: Tag, item: Item) -> None:
    """Take the bullet or number that is in the text of an item without a label."""
    first = next(body.lines(), None)
    if first is None:
        return
    row = joined_row([first])
    find_marker(row, ())
    if row.number:
        item.number = int(row.number)
        cut_number(row)
    first.runs = row.runs
    first.text = row.text


def _merged_code(elements: Sequence[Element]) -> list[Element]:
    """Return elements with code blocks that follow each other as one: word processors tag each line."""
    found: list[Element] = []
    for element in elements:
        if isinstance(element, Code) and found and isinstance(found[-1], Code):
            found[-1] = Code(f"{found[-1].text}\n{element.text}")
        else:
            found.append(element)
    return found
