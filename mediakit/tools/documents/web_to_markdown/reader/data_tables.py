"""Lists the data tables of the content as columns and rows."""

from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.images import alt_text
from mediakit.engines.markdown.html.table_grid import (
    Grid,
    build_grid,
    count_header_rows,
    is_layout_table,
    table_rows,
)
from mediakit.tools.documents.web_to_markdown.reader.element_text import element_text

MAX_CELLS = 100_000
MAX_CHARACTERS = 4_000_000
"""Limits for all tables of a page together. A merged cell counts once for each position that it covers."""


def list_tables(body: HtmlElement) -> list[dict[str, Any]]:
    """Return the data tables in the content. Tables that exceed the remaining limits are omitted."""
    remaining_cells, remaining_chars = MAX_CELLS, MAX_CHARACTERS
    found = []
    for table in body.iter("table"):
        rows = table_rows(table)
        if is_layout_table(table, rows):
            continue
        texts = _grid_texts(build_grid(rows))
        cells, chars = sum(map(len, texts)), sum(len(text) for row in texts for text in row)
        if not chars or chars > remaining_chars or cells > remaining_cells:
            continue
        remaining_cells -= cells
        remaining_chars -= chars
        found.append(_table(table, rows, texts))
    return found


def _grid_texts(grid: Grid) -> list[list[str]]:
    """Return the text of each position. The text of a merged cell is repeated."""
    texts = {cell.element: _cell_text(cell.element) for row in grid for cell in row if cell and cell.is_origin}
    return [[texts[cell.element] if cell else "" for cell in row] for row in grid]


def _cell_text(cell: HtmlElement) -> str:
    """Return the text of a cell, or the alternative text of its images if it has no text."""
    return element_text(cell) or " ".join(filter(None, map(alt_text, cell.iter("img"))))


def _table(table: HtmlElement, rows: list[HtmlElement], texts: list[list[str]]) -> dict[str, Any]:
    headers = min(count_header_rows(rows), len(texts) - 1) if len(texts) > 1 else 0
    caption = table.find("caption")
    return {
        "columns": list(_unique_names(_column_names(texts[:headers], len(texts[0])))),
        "rows": texts[headers:],
        "caption": element_text(caption) or None if caption is not None else None,
    }


def _column_names(headers: list[list[str]], width: int) -> list[str]:
    """Return the name of each column: its headers, each once, or its number."""
    columns = [list(dict.fromkeys(filter(None, (row[column] for row in headers)))) for column in range(width)]
    return [" / ".join(names) or f"Column {number}" for number, names in enumerate(columns, start=1)]


def _unique_names(names: list[str]) -> Iterator[str]:
    """Yield the names, with a number after names that occur again."""
    taken = set(names)
    counts: dict[str, int] = {}
    for name in names:
        unique = name
        while counts.get(name) and unique in taken:
            counts[name] += 1
            unique = f"{name} ({counts[name]})"
        counts.setdefault(name, 1)
        taken.add(unique)
        yield unique
