"""Writes the elements of a document as Markdown, and its tables as CSV, workbooks with typed numbers and Markdown."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mediakit.engines.markdown.blocks import Block, fenced_code, indent_lines, join_blocks, prefix_lines, truncate
from mediakit.engines.markdown.inline import code_span, write_cell, write_heading, write_paragraph
from mediakit.engines.markdown.tokens import Token, normalize_tokens
from mediakit.engines.pdf.reading import Extracted, ExtractOptions, MadeFile
from mediakit.engines.pdf.reading.pages import PdfFile
from mediakit.engines.pdf.reading.structure.document import PageTable, goes_on, page_tables, read_document
from mediakit.engines.pdf.reading.structure.elements import (
    Code,
    Element,
    Figure,
    Heading,
    ListOf,
    Paragraph,
    Quote,
    Run,
    TableOf,
)
from mediakit.engines.pdf.tables import Table
from mediakit.engines.tables import model
from mediakit.engines.tables.columns.cells import Cells
from mediakit.engines.tables.columns.numbers import Mark, parse, readings
from mediakit.engines.tables.writers.text_formats import delimited
from mediakit.engines.tables.writers.workbook import Grid, Value, grid_workbook
from mediakit.results.files import FileResult
from mediakit.results.saving import zip_content

MARKS = (("bold", "strong"), ("italic", "em"), ("struck", "del"))
"""Attributes of a run and the marks that stand for them."""

StyleMark = tuple[str, str]
"""Name of a mark, and the address of a link."""


def tokens(runs: Sequence[Run], *, plain_bold: bool = False) -> list[Token]:
    """Return the tokens of a line; `plain_bold` leaves out bold, which headings have anyway."""
    merged = _merged(runs, plain_bold=plain_bold)
    found: list[Token] = []
    opened: list[StyleMark] = []
    for index, run in enumerate(merged):
        marks = _marks(run)
        while not set(opened) <= set(marks):
            found.append(Token("close", mark=opened.pop()[0]))
        new = set(marks) - set(opened)
        for mark in sorted(new, key=lambda mark: (-_extent(mark, merged[index:]), marks.index(mark))):
            found.append(Token("open", mark[1], mark[0]))
            opened.append(mark)
        content = run.text.strip()
        if run.mono and content:
            start, _, end = run.text.partition(content)
            found += [Token("text", start), Token("raw", code_span(content)), Token("text", end)]
        else:
            found.append(Token("text", run.text))
    return found + [Token("close", mark=name) for name, _ in reversed(opened)]


def _marks(run: Run) -> list[StyleMark]:
    """Return the marks of a run, outer ones first."""
    names = [name for attribute, name in MARKS if getattr(run, attribute)] + ([run.script] if run.script else [])
    return [("link", run.url)] * bool(run.url) + [(name, "") for name in names]


def _extent(mark: StyleMark, runs: Sequence[Run]) -> int:
    """Return how many runs have a mark, from the first one on."""
    return next((index for index, run in enumerate(runs) if mark not in _marks(run)), len(runs))


def _merged(runs: Sequence[Run], *, plain_bold: bool) -> list[Run]:
    """Return runs of which no two neighbors have the same style."""
    merged: list[Run] = []
    for run in runs:
        style = (run.bold and not plain_bold, run.italic, run.mono, run.struck, run.script, run.url)
        last = merged[-1] if merged else None
        if last and (
            style == (last.bold, last.italic, last.mono, last.struck, last.script, last.url)
            or (not run.text.strip() and run.url == last.url)
        ):
            last.text += run.text
        else:
            merged.append(Run(run.text, 0, 0, 0, run.size, *style))
    return merged


TAGS = {"strong": "b", "em": "i", "link": "a"}
"""HTML tags of marks that have another name."""


def write_table(table: TableOf) -> Block:
    """Return a table as a block."""
    if not table.cells or not table.cells[0]:
        return Block("table", "")
    if table.spans:
        return Block("table", _html(table))
    rows = [
        [write_cell(tokens(runs or [], plain_bold=index < table.header_rows)) for runs in row]
        for index, row in enumerate(table.cells)
    ]
    head, body = (rows[0], rows[1:]) if table.header_rows else ([""] * len(rows[0]), rows)
    lines = [_line(head), _line(["---"] * len(head)), *map(_line, body)]
    return Block("table", "\n".join(lines), lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _html(table: TableOf) -> str:
    spans = {
        (span.row, span.column): _attribute("colspan", span.columns) + _attribute("rowspan", span.rows)
        for span in table.spans
    }
    lines = ["<table>"]
    for index, row in enumerate(table.cells):
        tag = "th" if index < table.header_rows else "td"
        cells = (
            f"<{tag}{spans.get((index, column), '')}>{_html_text(runs, is_head=tag == 'th')}</{tag}>"
            for column, runs in enumerate(row)
            if runs is not None
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</table>"])


def _attribute(name: str, count: int) -> str:
    return f' {name}="{count}"' if count > 1 else ""


def _html_text(runs: Sequence[Run], *, is_head: bool) -> str:
    parts = []
    for token in normalize_tokens(tokens(runs, plain_bold=is_head)):
        name = TAGS.get(token.mark, token.mark)
        if token.kind == "open":
            parts.append(f'<a href="{html.escape(token.text)}">' if name == "a" else f"<{name}>")
        elif token.kind == "close":
            parts.append(f"</{name}>")
        elif token.kind == "raw":
            parts.append(f"<code>{html.escape(token.text.strip('`').strip(), quote=False)}</code>")
        else:
            parts.append(html.escape(token.text, quote=False))
    return " ".join("".join(parts).split())


def write_elements(elements: Sequence[Element]) -> list[Block]:
    """Return the blocks of a document."""
    blocks: list[Block] = []
    for element in elements:
        block = _write(element, blocks[-1] if blocks else None)
        if block.text:
            blocks.append(block)
    return blocks


def _write(element: Element, previous: Block | None) -> Block:
    match element:
        case TableOf():
            return write_table(element)
        case ListOf():
            return _write_list(element, previous)
        case Quote():
            parts = [prefix_lines(block.text, "> ") for block in write_elements(element.parts)]
            return Block("quote", "\n>\n".join(parts), parts)
        case Heading():
            text = write_heading(tokens(element.runs, plain_bold=True))
            return Block("heading", f"{'#' * element.level} {text}" if text else "")
        case Code():
            return Block("code", fenced_code(element.text, ""))
        case Figure():
            text = f"![{write_paragraph([Token('text', element.alt)])}]()"
        case Paragraph():
            text = write_paragraph(tokens(element.runs))
    return Block("text", text)


def _write_list(element: ListOf, previous: Block | None) -> Block:
    """Write a list. Directly after a list of the same kind it uses other markers, so that they stay two lists."""
    ordered = element.items[0].number is not None
    markers = (".", ")") if ordered else ("-", "*")
    marker = markers[1] if previous and previous.kind == "list" and previous.marker == markers[0] else markers[0]
    items, is_loose = [], False
    for item in element.items:
        prefix = f"{item.number}{marker} " if item.number is not None else f"{marker} "
        blocks = write_elements(item.parts)
        kinds = [block.kind for block in blocks]
        is_tight = {*kinds} <= {"text", "list"} and kinds.count("text") < 2
        text = "\n".join(block.text for block in blocks) if is_tight else join_blocks(blocks)
        items.append((prefix + indent_lines(text, " " * len(prefix))).rstrip(" "))
        is_loose = is_loose or (not is_tight and len(blocks) > 1)
    return Block("list", ("\n\n" if is_loose else "\n").join(items), items, marker)


def extract_markdown(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the document as Markdown."""
    blocks = write_elements(read_document(file, keeps_headers=options.headers))
    content, truncated = truncate(blocks, options.max_chars)
    return Extracted(content=content, length=len(content), truncated=truncated)


def typed_cells(rows: Sequence[Sequence[str | None]]) -> list[list[Value]]:
    """Return cells with the numbers among them as numbers.

    Whether a comma or a point is the decimal mark of a table is decided by the cells that leave no doubt; a point is if
    there are none.
    """
    found = {text: readings(Cells.of([text])) for row in rows for text in row if text}
    clear = [marks[0] for marks in found.values() if len(marks) == 1]
    decimal: Mark = "," if clear.count(",") > clear.count(".") else "."
    typed: dict[str | None, Value] = {}
    for text, marks in found.items():
        if decimal in marks and (value := parse(Cells.of([text]), decimal)[text]) is not None:
            typed[text] = value
    return [[typed.get(text, text) for text in row] for row in rows]


CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def csv_file(tables: Mapping[str, Table], stem: str, *, escape_formulas: bool) -> MadeFile:
    """Return the only table as CSV, or a ZIP file with a CSV for each of several, by name."""
    contents: dict[str, bytes] = {}
    for name, table in tables.items():
        header, *rows = [[text or "" for text in row] for row in table.rows]
        columns = [model.Column(title, "text", [row[place] for row in rows]) for place, title in enumerate(header)]
        contents[name] = delimited(model.Table(columns), ",", "\n", escape_formulas=escape_formulas).encode()
    if len(contents) < 2:
        return MadeFile(next(iter(contents.values()), b""), f"{stem}.csv", CSV)
    results = [FileResult(content, CSV, f"{name}.csv") for name, content in contents.items()]
    return MadeFile(zip_content(each._saved() for each in results), f"{stem}-tables.zip", "application/zip")


def _grid(table: Table) -> Grid:
    header = table.header_rows
    typed: list[list[Value]] = [list(row) for row in table.rows[:header]]
    typed += typed_cells(table.rows[header:])
    merged = [(span.row, span.column, span.row + span.rows - 1, span.column + span.columns - 1) for span in table.spans]
    return Grid(typed, header, merged)


def extract_tables(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the tables with their cells, or the file that is made of them."""
    found = list(_tables(file))
    warnings = [] if found or options.format == "json" else ["No tables were found."]
    result = Extracted(length=len(found), warnings=warnings)
    match options.format:
        case "json":
            result.items = [item for item, _ in found]
        case "markdown":
            result.content = "\n\n".join(_markdown(table) for _, table in found)
        case "csv":
            tables = {f"page-{item['page']}-table-{item['index']}": table for item, table in found}
            result.file = csv_file(tables, options.stem, escape_formulas=options.escape_formulas)
        case "xlsx":
            sheets = {f"Page {item['page']}, table {item['index']}": _grid(table) for item, table in found}
            workbook = grid_workbook(sheets or {"No tables": Grid([])})
            result.file = MadeFile(workbook, f"{options.stem}.xlsx", XLSX)
    return result


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
