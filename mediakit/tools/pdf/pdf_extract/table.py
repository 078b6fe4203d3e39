"""A table of a PDF, as Python callers get it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mediakit.engines.pdf.tables.cell_grid import column_names
from mediakit.engines.tables.columns import typed_texts
from mediakit.engines.tables.frames import frame
from mediakit.engines.tables.model import Facts, Table
from mediakit.engines.tables.naming import unique_names
from mediakit.engines.tables.options import ReadOptions

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class PdfTable:
    """A table of a PDF."""

    page: int
    """Number of the page, from 1."""
    index: int
    """Number of the table on its page, from 1."""
    x0: float
    y0: float
    x1: float
    y1: float
    """Box in points of the page as it is seen, from its top left corner."""
    rows: list[list[str | None]]
    """Text of each cell; None for a place that the cell to its left or above covers."""
    header_rows: int
    """Number of rows at the top that name the columns."""
    confidence: float
    """How sure it is that this is a table, from 0 to 1."""
    continues: bool
    """Whether the table goes on on the next page."""

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows below the header as a DataFrame of pandas, or of Polars if pandas is not installed.

        A column whose cells are all numbers or dates has that type. Headers over several columns are part of the names
        of each: `Harvest 2024`.

        Raises:
            ImportError: Neither is installed.
        """
        names = unique_names(column_names(self.rows, self.header_rows))
        body = self.rows[self.header_rows :]
        columns = [[row[place] or "" for row in body] for place in range(len(names))]
        made: pd.DataFrame = frame(Table(typed_texts(names, columns, ReadOptions(), Facts())))
        return made
