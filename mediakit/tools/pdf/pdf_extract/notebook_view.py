"""How extracted content looks in a notebook: rendered Markdown, text, or tables."""

from collections.abc import Sequence
from typing import Any

from mediakit.core.messages import readable_size
from mediakit.display.documents import render_document
from mediakit.display.images import Card, file_thumbnail, gallery_html
from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.results.files import FileResult
from mediakit.results.result import Bundle
from mediakit.results.result import facts as facts_of
from mediakit.tools.pdf.pdf_extract.tool import PdfContent, PdfTable

MAX_SHOWN_TABLES = 5
MAX_SHOWN_FILES = 40


def bundle(result: PdfContent) -> Bundle:
    """Return extracted content as HTML."""
    return {"text/html": _html(result)}, {}


def _html(result: PdfContent) -> str:
    if result.is_text:
        scans = len(result.meta.get("pages_without_text", ()))
        missing = [f"{scans:,} without text"] if scans else []
        facts = [f"{result.pages:,} {'page' if result.pages == 1 else 'pages'}", *missing, result._facts()]
        content = result.content.replace("\f", "\n\n———\n\n")  # a dash stands between two pages of text
        return render_document(result.title, facts, content, is_markdown=result.what != "text")
    if result.made:
        return files_html(result.files)
    if result.tables:
        return tables_html(result.tables)
    rows = result._rows()
    return rows_html(list(rows[0]) if rows else [], [[*row.values()] for row in rows], result._facts())


def tables_html(tables: Sequence[PdfTable]) -> str:
    """Return the first tables as HTML, their first row as the heads of columns."""
    parts = []
    for table in tables[:MAX_SHOWN_TABLES]:
        names = [cell or "" for cell in table.rows[0]] if table.rows else []
        parts.append(rows_html(names, table.rows[1:], f"Page {table.page}, table {table.index}"))
    more = len(tables) - len(parts)
    return "".join(parts) + (f"<div>and {more} more {'table' if more == 1 else 'tables'}</div>" if more > 0 else "")


def rows_html(names: Sequence[str], rows: Sequence[Sequence[Any]], caption: str) -> str:
    """Return rows as an HTML table; columns of numbers are aligned to the right."""
    numeric = [bool(rows) and isinstance(rows[0][index], int | float) for index in range(len(names))]
    columns = [ShownColumn(name, "", right) for name, right in zip(names, numeric, strict=True)]
    shown = [[None if cell is None else str(cell) for cell in row] for row in rows[:MAX_SHOWN_ROWS]]
    return table_html(columns, shown, caption, len(rows))


def files_html(files: Sequence[FileResult]) -> str:
    """Return the first files of a ZIP as cards with thumbnails."""
    more = len(files) - MAX_SHOWN_FILES
    rest = f"<div>and {more} more files</div>" if more > 0 else ""
    return gallery_html((file.filename, _card(file)) for file in files[:MAX_SHOWN_FILES]) + rest


def _card(file: FileResult) -> Card:
    facts = " · ".join(filter(None, (file.extension.upper(), facts_of(file), readable_size(len(file.content)))))
    is_image = file.filename.endswith((".png", ".jpg"))
    return Card(facts, file.filename, file_thumbnail(file.content, file.mime_type) if is_image else b"")
