"""Parses tables in text form: CSV, and tab-separated text that spreadsheets put on the clipboard."""

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

from mediakit.errors import InvalidInput

DELIMITERS = "\t;,"
"""In order of precedence: a text with tabs is tab-separated; commas are last, because they may be in numbers."""

MAX_LENGTH = 1_000_000
"""Characters of a table that are parsed; the rest is ignored."""

MAX_INTEGER = 1e15
"""Integers below this number are returned as `int`, larger ones as `float`."""

_COMMA_DECIMAL = re.compile(r"\d,(\d{1,2}|\d{4,})$|\d\.\d{3},\d+$|\d \d{3},\d+$")
_POINT_DECIMAL = re.compile(r"\d\.(\d{1,2}|\d{4,})$|\d,\d{3}\.\d+$")
_CURRENCY_AND_PERCENT = "$€£¥% "


def parse_table(text: str) -> list[list[str]]:
    """Return the rows of a table as lists of cells; empty rows are omitted."""
    text = text[:MAX_LENGTH].strip("\r\n")
    delimiter = next((mark for mark in DELIMITERS if mark in text), "\t")
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    return [[cell.strip() for cell in row] for row in reader if any(cell.strip() for cell in row)]


def parse_column(text: str) -> list[list[str]]:
    """Return the rows of a text that is pasted into a column of numbers, where a comma may be part of a number."""
    lines = text.strip("\r\n").splitlines()
    if "\t" not in text and all(not line.strip() or parse_number(line) is not None for line in lines):
        return [[line.strip()] for line in lines]
    return parse_table(text)


def parse_number(text: str, decimal_mark: str | None = None) -> float | int | None:
    """Return the number in a text such as `1,250.5`, `1.250,5`, `12 %` or `$3`; None if the text is not a number.

    Args:
        text: The text of a cell.
        decimal_mark: The decimal mark, `.` or `,`, if it is known. If not, `1,250` is read as 1250.
    """
    plain = _digits(text)
    comma, point = plain.rfind(","), plain.rfind(".")
    if decimal_mark == "," or (
        decimal_mark is None and comma > point and (point >= 0 or len(plain) - comma != len(",000"))
    ):
        plain = plain.replace(".", "").replace(",", ".")
    try:
        value = float(plain.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) < MAX_INTEGER else value


def detect_decimal_mark(texts: Iterable[str]) -> str | None:
    """Return the decimal mark of a table, from its unambiguous numbers; None if there are none, or they differ."""
    numbers = [_digits(text) for text in texts]
    marks = {",": any(map(_COMMA_DECIMAL.search, numbers)), ".": any(map(_POINT_DECIMAL.search, numbers))}
    found = [mark for mark, is_used in marks.items() if is_used]
    return found[0] if len(found) == 1 else None


def _digits(text: str) -> str:
    """Return a number without currency, percent sign, spaces and apostrophes."""
    plain = text.strip().strip(_CURRENCY_AND_PERCENT).replace("\N{MINUS SIGN}", "-")
    return re.sub(r"[\s\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}'\N{RIGHT SINGLE QUOTATION MARK}]", "", plain)


def has_header(cells: list[list[str]]) -> bool:
    """Return whether the first row contains column names: its first cell is empty, or another is not a number."""
    return not cells[0][0] or any(parse_number(cell) is None for cell in cells[0][1:])


def chart_data(cells: list[list[str]]) -> dict[str, Any]:
    """Return the labels (first column) and series (other columns) of a table that may have a header.

    Raises:
        InvalidInput: The table has no column of numbers, or a cell is not a number.
    """
    header, rows = (cells[0], cells[1:]) if cells and has_header(cells) else ([], cells)
    return chart_data_of_rows(header, rows)


def chart_data_of_rows(header: list[str], rows: list[list[str]], *, gaps: bool = False) -> dict[str, Any]:
    """Return the labels (first column) and series (other columns) of the rows of a table; empty cells may be gaps.

    Raises:
        InvalidInput: There is no column of numbers, or a cell is not a number.
    """
    width = max(map(len, rows), default=0)
    if width < 2:
        raise InvalidInput("labels: must be a table with a column of labels and at least one column of numbers.")
    decimal_mark = detect_decimal_mark(text for row in rows for text in row[1:])
    series = []
    for column in range(1, width):
        name = header[column] if column < len(header) else ""
        data: list[float | int | None] = []
        for row in rows:
            text = row[column] if column < len(row) else ""
            value = parse_number(text, decimal_mark)
            if value is None and not (gaps and not text.strip()):
                what = f" for {name[:40]}" if len(row) > 2 and name else ""
                got = f"got {text[:40]!r}" if text.strip() else "its cell is empty"
                raise InvalidInput(f"series: {row[0][:40] or 'a row'} must have a number{what}, {got}.")
            data.append(value)
        series.append({"name": name, "data": data} if name else {"data": data})
    return {"labels": [row[0] for row in rows], "series": series}


def invalid_cells(cells: list[list[str]]) -> list[tuple[int, int]]:
    """Return the cells (row, column) that must contain a number and do not."""
    rows = [row for row in cells[1:] if any(text.strip() for text in row)]
    decimal_mark = detect_decimal_mark(text for row in rows for text in row[1:])
    used = [column for column in range(1, len(cells[0])) if any(row[column].strip() for row in [cells[0], *rows])]
    return [
        (row, column)
        for row, texts in enumerate(cells)
        for column in used
        if row and any(text.strip() for text in texts) and parse_number(texts[column], decimal_mark) is None
    ]
