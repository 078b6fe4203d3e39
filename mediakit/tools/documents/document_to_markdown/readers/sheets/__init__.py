"""Sheets as blocks: a heading for each, its cells as a table, its comments as footnotes; CSV and TSV as one table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeVar

from mediakit.core.messages import counted, quote
from mediakit.engines.charsets import decode
from mediakit.engines.markdown.blocks import Block, cell_text, delimiter_line, row_line
from mediakit.engines.markdown.html.elements import MarkdownOptions
from mediakit.engines.markdown.inline import link_destination, write_heading
from mediakit.engines.markdown.tokens import Token
from mediakit.engines.tables.layout import directive, sniff
from mediakit.engines.tables.readers.delimited import split_records
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, WarningCounter
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

MAX_BLANK = 50
"""Consecutive blank rows or columns that are kept. Longer gaps, before a lone cell far away, are closed."""

MAX_COMMENTS = 20_000
"""Comments of a workbook. Further ones are not read."""


Row = Mapping[int, str]
"""The cells with text of a row, by column."""

Place = tuple[int, int]
"""Row and column of a cell, from 0."""


class Comment(NamedTuple):
    """A comment on a cell, or a reply to one."""

    author: str
    text: str


@dataclass
class Grid:
    """The cells with text of a sheet, and the room that is left for them."""

    room: int
    """Characters that cells may still have."""
    rows: dict[int, Row] = field(default_factory=dict)
    links: dict[Place, str] = field(default_factory=dict)
    """Addresses that cells link to."""
    labels: dict[Place, str] = field(default_factory=dict)
    """References to the comments of cells, as they are written."""
    is_cut: bool = False
    """Whether cells were omitted because there was no room."""

    def add(self, row: int, cells: Row) -> bool:
        """Add a row, and return whether there is room for more."""
        if self.room <= 0:
            self.is_cut = True
            return False
        if cells:
            self.rows[row] = cells
            self.room -= sum(map(len, cells.values())) + 3 * len(cells)
        return True

    def block(self, options: Request) -> tuple[Block | None, list[str]]:
        """Return the used range as a table, and warnings. None if all cells are empty."""
        if not self.rows and not self.labels:
            return None, []
        used = {column for row in self.rows.values() for column in row}
        columns, closed_columns = _without_gaps(sorted(used.union(column for _, column in self.labels)))
        places, closed_rows = _without_gaps(sorted({*self.rows, *(row for row, _ in self.labels)}))
        lines = list(self._lines(places, columns, options))
        closed = ((closed_rows, "blank row"), (closed_columns, "blank column"))
        warnings = [f"{counted(count, noun)} between cells were omitted." for count, noun in closed if count]
        return Block("table", "\n".join(lines), lines), warnings

    def _lines(self, places: Sequence[int], columns: Sequence[int], options: Request) -> Iterator[str]:
        """Yield the lines of the table until there are more characters than wanted."""
        length = 0
        for index, place in enumerate(places):
            row = self.rows.get(place, {})
            cells = [self._cell(place, column, row, options) for column in columns]
            line = "\t".join(cells).rstrip("\t") if options.plain else row_line(cells)
            yield line
            if index == 0 and not options.plain:
                yield delimiter_line(len(columns))
            length += len(line)
            if length > options.max_chars:
                return

    def _cell(self, place: int, column: int, row: Row, options: Request) -> str:
        label = self.labels.get((place, column), "")
        if column not in row:
            return label
        if options.plain:
            return " ".join(row[column].split()) + label
        text = cell_text(row[column])
        url = MarkdownOptions().link_url(self.links.get((place, column)))
        if url and "](" not in text:
            text = f"[{text}]({link_destination(url).replace('|', '%7C')})"
        return text + label


@dataclass(frozen=True)
class SheetName:
    """A sheet of a workbook."""

    name: str
    is_hidden: bool = False


Sheet = TypeVar("Sheet", bound=SheetName)


class SheetWriter:
    """Writes the sheets of a workbook to the blocks of a document."""

    def __init__(self, document: Document, options: Request) -> None:
        self._document, self._options = document, options
        self._blocks: list[Block] = []
        document.blocks = self._blocks
        self.room = options.max_chars
        """Characters that the sheets to come may have."""
        self._comments: list[str] = []
        self.warnings = WarningCounter()

    def chosen(self, sheets: Sequence[Sheet]) -> Iterator[Sheet]:
        """Yield the sheets that are named, or all that are visible. Hidden ones that are omitted become a warning.

        Raises:
            InvalidInput: There is no sheet of a name.
        """
        if self._options.sheets is not None:
            by_name = {sheet.name: sheet for sheet in sheets}
            missing = next((name for name in self._options.sheets if name not in by_name), None)
            if missing is not None:
                raise InvalidInput(
                    f"sheets: there is no sheet {quote(missing)}; it has {', '.join(by_name) or 'none'}."
                )
            yield from (by_name[name] for name in dict.fromkeys(self._options.sheets))
            return
        hidden = [sheet.name for sheet in sheets if sheet.is_hidden]
        if hidden:
            shown = ", ".join(f'"{name}"' for name in hidden[:10])
            self._document.warnings.append(f"Hidden sheets were omitted: {shown}. Name them in sheets to read them.")
        yield from (sheet for sheet in sheets if not sheet.is_hidden)

    def add(self, name: str, grid: Grid, comments: Mapping[Place, Sequence[Comment]] | None = None) -> None:
        """Add a sheet, and the comments on its cells."""
        self._document.parts.append(name)
        text = name if self._options.plain else f"## {write_heading([Token('text', name)])}"
        self._blocks.append(Block("heading", text))
        last = max(grid.rows, default=0)
        for place in sorted(comments or ()):
            if not grid.is_cut or place[0] <= last:
                references = "".join(self._reference(comment) for comment in (comments or {})[place])
                if references:
                    grid.labels[place] = references
        block, warnings = grid.block(self._options)
        if block:
            self._blocks.append(block)
            self.room -= len(block.text)
        self._document.warnings += [f"{name}: {warning}" for warning in warnings]
        self._document.truncated |= grid.is_cut

    def finish(self, missing_values: int = 0) -> None:
        """Add the comments, and the warnings that are counted. Missing values are those of formulas, if not saved."""
        if missing_values == 1:
            self._document.warnings.append("1 formula has no saved value; it is empty.")
        elif missing_values:
            self._document.warnings.append(f"{missing_values:,} formulas have no saved value; they are empty.")
        if self._comments:
            self._blocks.append(Block("footnotes", "\n\n".join(self._comments), self._comments))
        self._document.warnings += self.warnings.sentences

    def _reference(self, comment: Comment) -> str:
        """Return the reference to a comment, and keep its footnote."""
        if len(self._comments) >= MAX_COMMENTS:
            self._document.truncated = True
            return ""
        label = f"c{len(self._comments) + 1}"
        text = " ".join(f"{comment.author}: {comment.text}".removeprefix(": ").split())
        self._comments.append(f"[{label}]: {text}" if self._options.plain else f"[^{label}]: {cell_text(text)}")
        return f"[{label}]" if self._options.plain else f"[^{label}]"


def _without_gaps(used: Sequence[int]) -> tuple[list[int], int]:
    """Return the places from the first used one to the last one, without long gaps, and how many were omitted."""
    places, closed = list(used[:1]), 0
    for before, after in pairwise(used):
        gap = after - before - 1
        if gap <= MAX_BLANK:
            places += range(before + 1, after)
        else:
            closed += gap
        places.append(after)
    return places, closed


def read_delimited(content: bytes, options: Request) -> Document:
    """Read a table (CSV, TSV) whose cells stay as they are written. Charset and delimiter are detected.

    Raises:
        InvalidInput: A byte does not belong to the charset, or a quote is never closed.
    """
    text, charset = decode(content, "auto", "file")
    declared = directive(text)
    delimiter, text = declared or (sniff(text), text)
    limit = options.max_chars  # a record has a character at least
    records = split_records(text, delimiter, limit + 1)
    grid = Grid(options.max_chars)
    for place, record in enumerate(records[:limit]):
        if not grid.add(place, {column: cell for column, cell in enumerate(record) if cell.strip()}):
            break
    block, warnings = grid.block(options)
    document = Document(blocks=[block] if block else [], warnings=warnings)
    document.truncated = grid.is_cut or len(records) > limit
    if charset not in ("utf-8", "ascii"):
        document.warnings.append(f"The charset was detected: {charset}.")
    return document
