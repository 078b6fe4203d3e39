"""The blocks of a workbook: a heading for each sheet, and its cells as a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mediakit.core.messages import quote
from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.inline import write_heading
from mediakit.engines.markdown.tokens import Token
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.grids import Grid


@dataclass(frozen=True)
class SheetName:
    """A sheet of a workbook."""

    name: str
    is_hidden: bool = False


Sheet = TypeVar("Sheet", bound=SheetName)


def chosen_sheets(sheets: Sequence[Sheet], options: ReadOptions, document: Document) -> Iterator[Sheet]:
    """Yield the sheets that are named, or all that are visible. Hidden ones that are omitted become a warning.

    Raises:
        InvalidInput: There is no sheet of a name.
    """
    if options.sheets is not None:
        by_name = {sheet.name: sheet for sheet in sheets}
        if not by_name.keys() >= set(options.sheets):
            missing = next(name for name in options.sheets if name not in by_name)
            raise InvalidInput(f"sheets: there is no sheet {quote(missing)}; it has {', '.join(by_name) or 'none'}.")
        yield from (by_name[name] for name in dict.fromkeys(options.sheets))
        return
    hidden = [sheet.name for sheet in sheets if sheet.is_hidden]
    if hidden:
        shown = ", ".join(f'"{name}"' for name in hidden[:10])
        document.warnings.append(f"Hidden sheets were omitted: {shown}. Name them in sheets to read them.")
    yield from (sheet for sheet in sheets if not sheet.is_hidden)


def warn_of_missing_values(document: Document, count: int) -> None:
    """Add the warning for formulas without a saved value."""
    if count == 1:
        document.warnings.append("1 formula has no saved value; it is empty.")
    elif count:
        document.warnings.append(f"{count:,} formulas have no saved value; they are empty.")


class SheetBlocks:
    """Adds the sheets of a workbook to a document."""

    def __init__(self, document: Document, options: ReadOptions) -> None:
        self._document, self._options = document, options
        self._blocks: list[Block] = []
        document.blocks = self._blocks
        self._room = options.max_chars

    def new_grid(self) -> Grid:
        """Return an empty grid with the room that is left."""
        return Grid(self._room)

    def add(self, name: str, grid: Grid) -> None:
        """Add a sheet."""
        self._document.parts.append(name)
        text = name if self._options.plain else f"## {write_heading([Token('text', name)])}"
        self._blocks.append(Block("heading", text))
        block, warnings = grid.block(self._options)
        if block:
            self._blocks.append(block)
            self._room -= len(block.text)
        self._document.warnings += [f"{name}: {warning}" for warning in warnings]
        self._document.truncated |= grid.is_cut
