"""Tables as CSV and TSV."""

import re

from mediakit.engines.tables.model import Table
from mediakit.engines.tables.writers.fragments import as_text

_FORMULA = re.compile(r"[=+\-@\t\r]")
_SPACED = re.compile("[ \t]\x1f|\x1f[ \t]")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


def delimited(table: Table, delimiter: str, newline: str, *, escape_formulas: bool) -> str:
    """Return a table as delimited text; a cell is quoted where it would be read as something else.

    Args:
        table: The table.
        delimiter: One character.
        newline: What ends a row.
        escape_formulas: Whether an apostrophe is put before texts that a spreadsheet would run as a formula.
    """
    needs_quotes = re.compile(rf'[{re.escape(delimiter)}"\r\n\0]|^[ \t]|[ \t]$')
    names = _cells(table.names, needs_quotes, escape_formulas=escape_formulas)
    lines = [delimiter.join(names)] if names else []
    for part in table.chunks():
        columns = [_cells(as_text(column), needs_quotes, escape_formulas=escape_formulas) for column in part.columns]
        if len(columns) == 1:  # a blank line would be no row
            columns = [[cell or '""' for cell in columns[0]]]
        lines += map(delimiter.join, zip(*columns, strict=True))
    lines.append("")
    return newline.join(lines)


def escape_formula(text: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would run it as a formula."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _cells(texts: list[str], needs_quotes: re.Pattern[str], *, escape_formulas: bool) -> list[str]:
    if escape_formulas:
        texts = [escape_formula(text) for text in texts]
    if not needs_quotes.search("\x1f".join(texts)) and not _SPACED.search("\x1f".join(texts)):
        return texts
    return ['"' + text.replace('"', '""') + '"' if needs_quotes.search(text) else text for text in texts]
