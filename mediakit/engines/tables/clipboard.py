"""Tables as text: what spreadsheets put on the clipboard, and CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from mediakit.errors import InvalidInput

DELIMITERS = "\t;,"
"""Tabs stand before semicolons and these before commas, which may be in numbers."""

LARGEST = 1_000_000
"""Characters of a table that are read."""

WHOLE = 1e15
"""Up to here a whole number is an `int`."""

_COMMA_DECIMAL = re.compile(r"\d,(\d{1,2}|\d{4,})$|\d\.\d{3},\d+$|\d \d{3},\d+$")
_POINT_DECIMAL = re.compile(r"\d\.(\d{1,2}|\d{4,})$|\d,\d{3}\.\d+$")
_AROUND = "$€£¥% "


def rows(text: str) -> list[list[str]]:
    """Split text into the cells of a table; empty lines are left out."""
    text = text[:LARGEST].strip("\r\n")
    delimiter = next((mark for mark in DELIMITERS if mark in text), "\t")
    read = csv.reader(io.StringIO(text), delimiter=delimiter)
    return [[cell.strip() for cell in row] for row in read if any(cell.strip() for cell in row)]


def column(text: str) -> list[list[str]]:
    """Split what was pasted among numbers: a comma in a column of numbers is part of them."""
    lines = text.strip("\r\n").splitlines()
    if "\t" not in text and all(not line.strip() or number(line) is not None for line in lines):
        return [[line.strip()] for line in lines]
    return rows(text)


def number(text: str, mark: str | None = None) -> float | int | None:
    """Read a number as people write it: `1,250.5`, `1.250,5`, `12 %`, `$3`; None where it is none.

    Args:
        text: What is read.
        mark: The decimal mark, `.` or `,`, where it is known; `1,250` alone is taken for one thousand and more.
    """
    plain = _bare(text)
    comma, point = plain.rfind(","), plain.rfind(".")
    if mark == "," or (mark is None and comma > point and (point >= 0 or len(plain) - comma != len(",000"))):
        plain = plain.replace(".", "").replace(",", ".")
    try:
        value = float(plain.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) < WHOLE else value


def decimal_mark(texts: Iterable[str]) -> str | None:
    """Tell the decimal mark of a table by the numbers that leave no doubt; None where none does, or both are there."""
    bare = [_bare(text) for text in texts]
    marks = {",": any(map(_COMMA_DECIMAL.search, bare)), ".": any(map(_POINT_DECIMAL.search, bare))}
    found = [mark for mark, is_there in marks.items() if is_there]
    return found[0] if len(found) == 1 else None


def _bare(text: str) -> str:
    plain = text.strip().strip(_AROUND).replace("\N{MINUS SIGN}", "-")
    return re.sub(r"[\s\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}'\N{RIGHT SINGLE QUOTATION MARK}]", "", plain)


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
    mark = decimal_mark(_figures(body))
    series = [_series(head, body, column, mark) for column in range(1, width)]
    return {"labels": [row[0] for row in body], "series": series}


def unreadable(cells: list[list[str]]) -> list[tuple[int, int]]:
    """Name the cells, by row and column, that hold no number although their place needs one."""
    body = [row for row in cells[1:] if any(text.strip() for text in row)]
    mark = decimal_mark(_figures(body))
    used = [place for place in range(1, len(cells[0])) if any(row[place].strip() for row in [cells[0], *body])]
    return [
        (row, column)
        for row, texts in enumerate(cells)
        for column in used
        if row and any(text.strip() for text in texts) and number(texts[column], mark) is None
    ]


def _figures(body: list[list[str]]) -> Iterator[str]:
    return (text for row in body for text in row[1:])


def _series(head: list[str], body: list[list[str]], column: int, mark: str | None) -> dict[str, Any]:
    data = [_cell(head, row, column, mark) for row in body]
    name = head[column] if column < len(head) else ""
    return {"name": name, "data": data} if name else {"data": data}


def _cell(head: list[str], row: list[str], column: int, mark: str | None) -> float | int:
    text = row[column] if column < len(row) else ""
    value = number(text, mark)
    if value is None:
        of = f" for {head[column][:40]}" if len(row) > 2 and column < len(head) and head[column] else ""
        got = f"got {text[:40]!r}" if text.strip() else "its cell is empty"
        raise InvalidInput(f"series: {row[0][:40] or 'a row'} needs a number{of}, {got}.")
    return value
