"""Delimited tables: rows of one width, whose cells are not parts of sentences."""

import csv

_MIN_ROWS = 2
_MAX_LINES = 100
_MAX_MEAN_CELL = 60
_DELIMITERS = ((",", "csv"), (";", "csv"), ("\t", "tsv"), ("|", "csv"))
_MAX_SPACED_SHARE = 0.5


def table_type(sample: str) -> str | None:
    """Return `csv` or `tsv` where the first lines of a text are rows of one width; None for any other text."""
    lines = [line for line in sample[:20_000].splitlines()[:_MAX_LINES] if line.strip()]
    if len(lines) < _MIN_ROWS:
        return None
    text = "\n".join(lines if len(sample) <= 20_000 else lines[:-1])
    return next((name for delimiter, name in _DELIMITERS if _is_table(text, delimiter)), None)


def _is_table(text: str, delimiter: str) -> bool:
    if delimiter not in text.partition("\n")[0]:
        return False
    try:
        rows = list(csv.reader(text.split("\n"), delimiter=delimiter, strict=True))
    except csv.Error:
        return False
    width = len(rows[0])
    if width < 2 or len(rows) < _MIN_ROWS or any(len(row) != width for row in rows):
        return False
    cells = [cell for row in rows for cell in row]
    spaced = sum(cell.startswith(" ") for row in rows for cell in row[1:]) / max(1, len(cells) - len(rows))
    if delimiter in ",;" and spaced > _MAX_SPACED_SHARE and not _are_numbers(rows):
        return False
    is_code = any(row[-1].rstrip().endswith((";", "{", "}", ":")) for row in rows) or any(
        row[0].lstrip().startswith(("#", "//", "/*", "*", "- ", "<", "|")) for row in rows[:1]
    )
    has_names = all(cell.strip() for cell in rows[0]) or len(rows) > 3
    return not is_code and has_names and sum(map(len, cells)) <= _MAX_MEAN_CELL * len(cells)


def _are_numbers(rows: list[list[str]]) -> bool:
    """Return whether some column is one of numbers below its first row."""
    columns = zip(*rows[1:], strict=True)
    return any(all(cell.strip().replace(".", "", 1).lstrip("+-").isdigit() for cell in column) for column in columns)
