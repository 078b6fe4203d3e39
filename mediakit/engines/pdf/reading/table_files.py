"""Files of tables: CSV, a ZIP file of several, and workbooks with typed numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.reading.numbers import typed_cells
from mediakit.engines.pdf.reading.options import MadeFile
from mediakit.engines.pdf.tables import Table
from mediakit.engines.tables import model
from mediakit.engines.tables.writers.text_formats import delimited
from mediakit.engines.tables.writers.workbook import Grid, Value, grid_workbook
from mediakit.results.files import FileResult, zip_of

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True)
class NamedTable:
    """A table and its place in the PDF."""

    page: int
    index: int
    """Number on its page, from 1."""
    table: Table


def csv_file(tables: Sequence[NamedTable], stem: str, *, escape_formulas: bool) -> MadeFile:
    """Return the only table as CSV, or a ZIP file with a CSV for each of several."""
    contents = [_csv(named.table, escape_formulas=escape_formulas) for named in tables]
    if len(tables) < 2:
        return MadeFile(contents[0] if contents else b"", f"{stem}.csv", CSV)
    results = [
        FileResult(content, CSV, f"page-{named.page}-table-{named.index}.csv")
        for named, content in zip(tables, contents, strict=True)
    ]
    return MadeFile(zip_of(results), f"{stem}-tables.zip", "application/zip")


def _csv(table: Table, *, escape_formulas: bool) -> bytes:
    names, *rows = [[text or "" for text in row] for row in table.rows]
    columns = [model.Column(name, "text", [row[place] for row in rows]) for place, name in enumerate(names)]
    return delimited(model.Table(columns), ",", "\n", escape_formulas=escape_formulas).encode()


def xlsx_file(tables: Sequence[NamedTable], stem: str) -> MadeFile:
    """Return a workbook with a sheet for each table."""
    sheets = {f"Page {named.page}, table {named.index}": _grid(named.table) for named in tables}
    return MadeFile(grid_workbook(sheets or {"No tables": Grid([])}), f"{stem}.xlsx", XLSX)


def _grid(table: Table) -> Grid:
    header = table.header_rows
    typed: list[list[Value]] = [list(row) for row in table.rows[:header]]
    typed += typed_cells(table.rows[header:])
    merged = [(span.row, span.column, span.row + span.rows - 1, span.column + span.columns - 1) for span in table.spans]
    return Grid(typed, header, merged)
