"""The tables of pages, and the files that they make: CSV, workbooks with typed numbers, Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mediakit.engines.pdf.reading import Extracted, ExtractOptions, MadeFile
from mediakit.engines.pdf.reading.markdown import write_table
from mediakit.engines.pdf.reading.pages import PdfFile
from mediakit.engines.pdf.reading.structure.elements import Run, TableOf
from mediakit.engines.pdf.reading.structure.tables import PageTable, goes_on, page_tables
from mediakit.engines.pdf.tables import Table
from mediakit.engines.tables import model
from mediakit.engines.tables.columns.cells import Cells
from mediakit.engines.tables.columns.numbers import Mark, parse, readings
from mediakit.engines.tables.writers.text_formats import delimited
from mediakit.engines.tables.writers.workbook import Grid, Value, grid_workbook
from mediakit.results.files import FileResult, zip_of


def typed_cells(rows: Sequence[Sequence[str | None]]) -> list[list[Value]]:
    """Return cells with the numbers among them as numbers.

    Whether a comma or a point is the decimal mark of a table is decided by the cells that leave no doubt; a point is if
    there are none.
    """
    found = {text: readings(Cells.of([text])) for row in rows for text in row if text}
    clear = [marks[0] for marks in found.values() if len(marks) == 1]
    decimal: Mark = "," if clear.count(",") > clear.count(".") else "."
    return [[_value(text, decimal, found) for text in row] for row in rows]


def _value(text: str | None, decimal: Mark, found: dict[str, list[Mark]]) -> Value:
    if not text or decimal not in found[text]:
        return text
    value: Value = parse(Cells.of([text]), decimal)[text]
    return text if value is None else value


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


NOTHING_FOUND = "No tables were found."


def extract_tables(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the tables with their cells, or the file that is made of them."""
    found = list(_tables(file))
    if options.format == "json":
        return Extracted(items=[item for item, _ in found], length=len(found))
    warnings = [] if found else [NOTHING_FOUND]
    if options.format == "markdown":
        content = "\n\n".join(_markdown(table) for _, table in found)
        return Extracted(content=content, length=len(found), warnings=warnings)
    named = [NamedTable(item["page"], item["index"], table) for item, table in found]
    return Extracted(file=_made(options, named), length=len(found), warnings=warnings)


def _made(options: ExtractOptions, tables: Sequence[NamedTable]) -> MadeFile:
    if options.format == "csv":
        return csv_file(tables, options.stem, escape_formulas=options.escape_formulas)
    return xlsx_file(tables, options.stem)


def _markdown(table: Table) -> str:
    cells = [[None if text is None else [Run(text, 0, 0, 0, 0)] for text in row] for row in table.rows]
    return write_table(TableOf(cells, table.header_rows, table.spans)).text


def _tables(file: PdfFile) -> Iterator[tuple[dict[str, Any], Table]]:
    """Yield the tables, as the response has them and as they were found."""
    known: dict[int, list[PageTable]] = {}
    for page in file.pages():
        file.lines(page)
        number = page.number
        tables = known.pop(number) if number in known else page_tables(file, number)
        for index, found in enumerate(tables, 1):
            table = found.table
            is_last = index == len(tables) and number + 1 < len(file.document)
            item = {
                "page": number + 1,
                "index": index,
                **dict(zip(("x0", "y0", "x1", "y1"), (round(edge, 2) for edge in table.box), strict=True)),
                "rows": table.rows,
                "header_rows": table.header_rows,
                "confidence": table.confidence,
                "continues": is_last and goes_on(file, number, found, known),
            }
            yield item, table
