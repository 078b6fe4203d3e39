"""The tables of pages, and the files that they make."""

from collections.abc import Iterator, Sequence
from typing import Any

from mediakit.engines.pdf.reading.continuation import goes_on
from mediakit.engines.pdf.reading.markdown.elements import TableOf
from mediakit.engines.pdf.reading.markdown.runs import Run
from mediakit.engines.pdf.reading.markdown.table_writing import write_table
from mediakit.engines.pdf.reading.options import Extracted, ExtractOptions, MadeFile
from mediakit.engines.pdf.reading.page_tables import PageTable, page_tables
from mediakit.engines.pdf.reading.pdf_file import PdfFile
from mediakit.engines.pdf.reading.table_files import NamedTable, csv_file, xlsx_file
from mediakit.engines.pdf.tables import Table

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
