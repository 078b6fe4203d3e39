"""Tables as Markdown and as HTML."""

import re
from collections.abc import Callable
from html import escape

from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.writers.fragments import as_text

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
