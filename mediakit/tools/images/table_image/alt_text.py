"""The alt text of a table: a sentence, and the table in Markdown."""

import json

from mediakit.tools.images.table_image.cell_formats import Cell
from mediakit.tools.images.table_image.content import Content, ShownColumn

MAX_BYTES = 3000
"""Length of the text as JSON; it must also fit into an HTTP header."""

MAX_CELL, MAX_NAMES = 60, 8


def sentence(content: Content) -> str:
    """Return the table in one sentence: title, numbers of rows and columns, and the names of the columns."""
    head = f"Table: {content.title.rstrip('.')}. " if content.title else "Table. "
    names = [_short(column.label or column.name, 30) for column in content.columns[:MAX_NAMES]]
    more = len(content.columns) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return f"{head}{_counted(content.rows, 'row')}, {_counted(len(content.columns), 'column')}: {listed}."


def alt_text(content: Content) -> str:
    """Return the sentence and the table in Markdown, with as many rows as the text has space for."""
    first = sentence(content)
    lines = [_line([_header(column) for column in content.columns])]
    lines.append(
        "|" + "|".join(" ---: |" if each.side == "right" else " --- |" for each in content.columns).replace("||", "|")
    )
    used = len(json.dumps(first + "\n\n" + "\n".join(lines)))
    for place in range(content.rows_shown):
        line = _line([_text(column.cells[place]) for column in content.columns])
        used += len(json.dumps(line))
        if used > MAX_BYTES:
            break
        lines.append(line)
    shown = len(lines) - 2
    if used > MAX_BYTES and not shown:
        return first
    rest = content.rows - shown
    tail = [f"({_counted(rest, 'more row')})"] if rest else []
    return "\n".join((first, "", *lines, *tail))


def _header(column: ShownColumn) -> str:
    """Return the header of a column with the one above it."""
    return ": ".join(filter(None, (column.spanner, column.label))) or " "


def _line(cells: list[str]) -> str:
    escaped = (_short(cell, MAX_CELL).replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return "| " + " | ".join(escaped) + " |"


def _text(cell: Cell) -> str:
    if cell.points:
        return ", ".join("–" if number is None else f"{number:g}" for number in cell.points)
    return cell.text + cell.mark


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
