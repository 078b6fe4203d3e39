"""Tables as text: what spreadsheets put on the clipboard, and CSV."""

import csv
import io
from typing import Any

from mediakit.errors import InvalidInput

DELIMITERS = "\t;,"
"""Tabs stand before semicolons and these before commas, which may be in numbers."""

LARGEST = 1_000_000
"""Characters of a table that are read."""


def rows(text: str) -> list[list[str]]:
    """Split text into the cells of a table; empty lines are left out."""
    text = text[:LARGEST].strip("\r\n")
    delimiter = next((mark for mark in DELIMITERS if mark in text), "\t")
    read = csv.reader(io.StringIO(text), delimiter=delimiter)
    return [[cell.strip() for cell in row] for row in read if any(cell.strip() for cell in row)]


def number(text: str) -> float | int | None:
    """Read a number as people write it: `1,250.5`, `1.250,5`, `12 %`, `$3`; None where it is none."""
    plain = text.strip().strip("$€£¥% ").replace("\N{MINUS SIGN}", "-").replace("\xa0", "").replace(" ", "")
    comma, point = plain.rfind(","), plain.rfind(".")
    if comma > point and (point >= 0 or len(plain) - comma != len(",000")):
        plain = plain.replace(".", "").replace(",", ".")
    try:
        value = float(plain.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def has_head(cells: list[list[str]]) -> bool:
    """Tell whether the first row names the columns: its corner is empty, or it has more than numbers."""
    return not cells[0][0] or any(number(cell) is None for cell in cells[0][1:])


def charted(cells: list[list[str]]) -> dict[str, Any]:
    """Give labels and series of a table: labels in its first column, a series in each other one.

    Raises:
        InvalidInput: The table has no column of numbers, or a cell is no number.
    """
    head, body = (cells[0], cells[1:]) if cells and has_head(cells) else ([], cells)
    return chart_data(head, body)


def chart_data(head: list[str], body: list[list[str]]) -> dict[str, Any]:
    """Give labels and series of the rows of a table; the head names the columns, where it has names.

    Raises:
        InvalidInput: There is no column of numbers, or a cell is no number.
    """
    width = max(map(len, body), default=0)
    if width < 2:
        raise InvalidInput("labels: give a table with a column of labels and one or more columns of numbers.")
    return {"labels": [row[0] for row in body], "series": [_series(head, body, column) for column in range(1, width)]}


def _series(head: list[str], body: list[list[str]], column: int) -> dict[str, Any]:
    data = [_cell(row, column) for row in body]
    name = head[column] if column < len(head) else ""
    return {"name": name, "data": data} if name else {"data": data}


def _cell(row: list[str], column: int) -> float | int:
    text = row[column] if column < len(row) else ""
    value = number(text)
    if value is None:
        raise InvalidInput(f"series: {row[0][:40] or 'a row'} needs a number, got {text[:40]!r}.")
    return value
