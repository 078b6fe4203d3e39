"""Tables as CSV, TSV, Markdown, HTML and SQL."""

import re
from collections.abc import Callable
from decimal import Decimal
from html import escape
from typing import Any

from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.engines.tables.writers.values import as_text, number
from mediakit.errors import InvalidInput

_FORMULA = re.compile(r"[=+\-@\t\r]")
_SPACED = re.compile("[ \t]\x1f|\x1f[ \t]")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


def delimited(table: Table, delimiter: str, newline: str, *, escape_formulas: bool) -> str:
    """Return a table as delimited text; a cell is quoted where it would be read as something else.

    With `escape_formulas`, an apostrophe is put before texts that a spreadsheet would run as a formula.
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


_RIGHT_ALIGNED = ("integer", "number")
_BREAK = re.compile(r"\r\n|\r|\n")
_MARKDOWN = re.compile(r"([\\`*<|]|\[(?=[^\[\]]*\]\()|&(?=#?\w+;)|(?<!\w)_|_(?!\w))")
"""What Markdown would take for markup: no underscore inside a word, no bracket that begins no link."""
_HTML = re.compile("[&<>]")

_STYLE = """:root { color-scheme: light dark }
body { font: 14px/1.5 system-ui, sans-serif; margin: 1.5rem }
table { border-collapse: collapse }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #8884; text-align: left; vertical-align: top }
th { border-bottom: 2px solid #8888 }
.n { text-align: right; font-variant-numeric: tabular-nums }"""


def markdown(table: Table) -> str:
    """Return a table as a pipe table; line breaks are `<br>`, numbers are aligned right."""
    columns = [_written(as_text(column), _MARKDOWN, _markdown_cell) for column in table.columns]
    names = [_markdown_cell(name) for name in table.names]
    rules = ["---:" if column.type in _RIGHT_ALIGNED else "---" for column in table.columns]
    rows = [names, rules, *zip(*columns, strict=True)] if names else []
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def html(table: Table, title: str) -> str:
    """Return a table as an HTML document that reads well in light and dark."""
    head = "".join(f"<th{_class(column)}>{escape(column.name)}</th>" for column in table.columns)
    cells = [_written(as_text(column), _HTML, _html_cell) for column in table.columns]
    marks = [f"<td{_class(column)}>" for column in table.columns]
    columns = [[f"{mark}{text}</td>" for text in texts] for mark, texts in zip(marks, cells, strict=True)]
    rows = "\n".join(f"<tr>{''.join(row)}</tr>" for row in zip(*columns, strict=True))
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n</style>"
        f"</head>\n<body>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</body></html>\n"
    )


def _written(texts: list[str], special: re.Pattern[str], write: Callable[[str], str]) -> list[str]:
    """Return texts as a format writes them; a column without special characters stays as it is."""
    joined = "\0".join(texts)
    return [write(text) for text in texts] if special.search(joined) or _BREAK.search(joined) else texts


def _class(column: Column) -> str:
    return ' class="n"' if column.type in _RIGHT_ALIGNED else ""


def _markdown_cell(text: str) -> str:
    return _BREAK.sub("<br>", _MARKDOWN.sub(r"\\\1", text))


def _html_cell(text: str) -> str:
    return _BREAK.sub("<br>", escape(text, quote=False))


_ROWS_PER_INSERT = 500
_LARGEST_INTEGER, _LARGEST_BIGINT = 2**31 - 1, 2**63 - 1
_TYPES: dict[ColumnType, str] = {
    "text": "VARCHAR",
    "number": "DOUBLE PRECISION",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "datetime": "TIMESTAMP",
    "time": "TIME",
    "json": "VARCHAR",
}


def sql(table: Table, name: str) -> str:
    """Return a table as a CREATE TABLE statement and INSERT statements of up to 500 rows.

    Raises:
        InvalidInput: A text has a NUL character, which SQL cannot write.
    """
    if not table.columns:
        return ""
    fields = ",\n".join(f"  {_quoted(column.name)} {_type(column)}" for column in table.columns)
    statements = [f"CREATE TABLE {_quoted(name)} (\n{fields}\n);\n"]
    columns = []
    for column in table.columns:
        if column.type in ("integer", "number", "boolean"):
            columns.append(list(map(_literal, column.values)))
        else:
            texts = ["'" + text.replace("'", "''") + "'" for text in as_text(column)]
            columns.append(["NULL" if each is None else text for each, text in zip(column.values, texts, strict=True)])
    rows = [f"({', '.join(row)})" for row in zip(*columns, strict=True)]
    head = f"INSERT INTO {_quoted(name)} ({', '.join(map(_quoted, table.names))}) VALUES\n"
    starts = range(0, len(rows), _ROWS_PER_INSERT)
    statements += [head + ",\n".join(rows[start : start + _ROWS_PER_INSERT]) + ";\n" for start in starts]
    text = "".join(statements)
    if "\0" in text:
        raise InvalidInput("to: sql cannot hold NUL characters.")
    return text


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type(column: Column) -> str:
    if column.type == "datetime" and any(
        value and (value.endswith("Z") or value[-6:-5] in ("+", "-")) for value in column.values
    ):
        return "TIMESTAMP WITH TIME ZONE"
    if column.type != "integer":
        return _TYPES[column.type]
    largest = max((abs(value) for value in column.values if value is not None), default=0)
    if largest > _LARGEST_BIGINT:
        return f"NUMERIC({len(str(largest))})"
    return "INTEGER" if largest <= _LARGEST_INTEGER else "BIGINT"


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return number(value) if isinstance(value, int | float | Decimal) else str(value)
