"""A table of a PDF, as Python callers get it."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from mediakit.engines.pdf.tables.cell_grid import column_names
from mediakit.engines.tables.columns import typed_texts
from mediakit.engines.tables.model import Facts, ReadOptions, Table, unique_names
from mediakit.engines.tables.python_tables import frame
from mediakit.results.item import Item

if TYPE_CHECKING:
    import pandas as pd

Page = Annotated[int, Field(examples=[1])]
Left = Annotated[int | float, Field(examples=[72])]
Top = Annotated[int | float, Field(examples=[90.5])]
Right = Annotated[int | float, Field(examples=[523])]
Bottom = Annotated[int | float, Field(examples=[104])]


class PdfTable(Item):
    """A table of a PDF."""

    page: Page
    """Number of the page, from 1."""
    index: int
    """Number of the table on its page, from 1."""
    x0: Left
    """Left edge in points of the page as it is seen."""
    y0: Top
    """Top edge in points of the page as it is seen."""
    x1: Right
    """Right edge in points of the page as it is seen."""
    y1: Bottom
    """Bottom edge in points of the page as it is seen."""
    rows: list[list[str | None]]
    """Text of the cells; null is covered by the cell to its left or above."""
    header_rows: int
    """Rows at the top that name the columns."""
    confidence: Annotated[int | float, Field(ge=0, le=1)]
    """How sure it is that this is a table."""
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
