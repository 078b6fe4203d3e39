"""Delimited text to columns of texts: what is above the table, its header, and rows that are too short or too long."""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from mediakit.engines.tables.bounds import check_size
from mediakit.engines.tables.columns import typed_texts
from mediakit.engines.tables.delimited.header import has_header
from mediakit.engines.tables.delimited.records import split_records
from mediakit.engines.tables.delimited.sniff import directive, sniff
from mediakit.engines.tables.model import Facts, Table
from mediakit.engines.tables.naming import numbered_names, unique_names
from mediakit.engines.tables.options import ReadOptions

if TYPE_CHECKING:
    from mediakit.engines.tables.packed.split import PackedRecords

MIN_PACKED_CHARACTERS = 100_000
"""Shorter texts are read sooner without arrays."""

_ROWS_FOR_HEADER = 1000
_MOST_LINES_ABOVE = 100
_MOST_RECORDS_ABOVE = 200
"""Records beyond the rows wanted that are split: lines above the table, the header, blank lines."""


def read_delimited(text: str, options: ReadOptions, facts: Facts) -> Table:
    """Return the table of a delimited text.

    Raises:
        InvalidInput: A quote is never closed, or the table is too large.
    """
    declared = directive(text)
    if declared:
        text = declared[1]
    delimiter = options.delimiter or (declared[0] if declared else sniff(text))
    facts.delimiter = delimiter
    packed = _packed(text, delimiter, options)
    if packed is not None:
        facts.skipped_lines += bool(declared)
        return _tabulate_packed(packed, options, facts)
    records = split_records(text, delimiter, options.row_limit() + _MOST_RECORDS_ABOVE, options.field)
    above = lines_above(records)
    facts.skipped_lines += above + bool(declared)
    records[:] = [record for record in records[above:] if record]
    return tabulate(records, options, facts)


def tabulate(rows: list[list[str]], options: ReadOptions, facts: Facts) -> Table:
    """Return the table of rows of texts, the first of which may be a header. The list of rows is emptied."""
    if not rows:
        return Table([])
    width = max(map(len, rows))
    is_headed = has_header(without_blanks(rows)) if options.header == "auto" else options.header
    names = rows.pop(0) if is_headed else []
    check_size(len(rows), width, options)
    del rows[options.row_limit(width) :]
    _note_ragged(rows, len(names) if is_headed else _usual_width(rows), facts)
    cells = _columns(rows, width)
    rows.clear()
    titles = unique_names([*names, *[""] * (width - len(names))]) if is_headed else numbered_names(width)
    return Table(typed_texts(titles, cells, options, facts))


def _packed(text: str, delimiter: str, options: ReadOptions) -> "PackedRecords | None":
    """Return the records of a large, regular text."""
    if len(text) < MIN_PACKED_CHARACTERS:
        return None
    from mediakit.engines.tables.packed.split import split_packed

    return split_packed(text, delimiter, options.row_limit() + _MOST_RECORDS_ABOVE)


def _tabulate_packed(records: "PackedRecords", options: ReadOptions, facts: Facts) -> Table:
    """Return the table of records of one width, the first of which may be a header."""
    width = len(records.columns)
    head = records.head(_ROWS_FOR_HEADER)
    is_headed = has_header(without_blanks(head)) if options.header == "auto" else options.header
    count = len(records) - is_headed
    check_size(count, width, options)
    rows = slice(int(is_headed), is_headed + min(count, options.row_limit(width)))
    titles = unique_names(head[0]) if is_headed else numbered_names(width)
    return Table(typed_texts(titles, records.part(rows), options, facts))


def _columns(rows: list[list[str]], width: int) -> list[list[str]]:
    """Return the columns of rows; short rows are filled with empty cells."""
    columns = [list(column) for column in zip_longest(*rows, fillvalue="")]
    return columns + [[""] * len(rows) for _ in range(width - len(columns))]


def without_blanks(rows: list[list[str]]) -> Sequence[Sequence[str]]:
    """Return the first rows, without those whose cells are all empty."""
    return [rows[0], *(row for row in rows[1:_ROWS_FOR_HEADER] if any(row))]


def _usual_width(rows: Sequence[Sequence[str]]) -> int:
    """Return the width that most rows have, the larger of two equally frequent ones."""
    widths = Counter(map(len, rows))
    return max(widths, key=lambda width: (widths[width], width), default=0)


def lines_above(records: list[list[str]]) -> int:
    """Count the records above the table: titles and blank lines, all much narrower than the rows below them."""
    width = _usual_width([record for record in records[:1000] if record])
    for place, record in enumerate(records[:_MOST_LINES_ABOVE]):
        if len(record) >= width or len(record) > max(1, width // 2):
            return place
    return 0


def _note_ragged(rows: list[list[str]], width: int, facts: Facts) -> None:
    widths = Counter(map(len, rows))
    short = sum(count for size, count in widths.items() if size < width)
    long = sum(count for size, count in widths.items() if size > width)
    if short:
        facts.warn(f"{_counted(short)} shorter than the header; the missing cells are null.")
    if long:
        facts.warn(f"{_counted(long)} longer than the header; the further cells are in columns of their own.")


def _counted(count: int) -> str:
    return "1 row is" if count == 1 else f"{count} rows are"
