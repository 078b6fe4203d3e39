"""Delimited text, such as CSV and TSV, and pipe tables of Markdown: quotes, lines above, header, ragged rows."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice, pairwise, zip_longest
from typing import TYPE_CHECKING

from mediakit.engines.tables.columns import typed_texts
from mediakit.engines.tables.layout import directive, has_header, rows_above, sniff
from mediakit.engines.tables.model import Facts, ReadOptions, Table, check_size, numbered_names, unique_names
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.engines.tables.packed.recognition import PackedRecords

csv.field_size_limit(2**31 - 1)  # of the whole process; the limits of a table are those of `model`

DOUBLED = re.compile(r'(?:[^\\\s,;|\t"]""|""[^\s,;|\t"])')
"""A quote escaped by doubling, which texts that escape with a backslash do not have."""

PLACEHOLDER = "\N{NULL}\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for an escaped quote while cells are split."""

MIN_PACKED_CHARACTERS = 100_000
"""Shorter texts are read sooner without arrays."""

_MOST_RECORDS_ABOVE = 200
"""Records beyond the rows wanted that are split: lines above the table, the header, blank lines."""

_ROWS_FOR_LAYOUT = 1000
_SAMPLE_CHARACTERS = 1_000_000


def read_delimited(text: str, options: ReadOptions, facts: Facts) -> Table:
    """Return the table of a delimited text.

    Raises:
        InvalidInput: A quote is never closed, or the table is too large.
    """
    text, delimiter = _begin(text, options, facts)
    limit = options.row_limit() + _MOST_RECORDS_ABOVE
    if len(text) >= MIN_PACKED_CHARACTERS:
        start = io.StringIO(text[:_SAMPLE_CHARACTERS], newline="")
        check_size(1, len(next(csv.reader(start, delimiter=delimiter), ())), options)  # before minutes of typing
        from mediakit.engines.tables.packed.recognition import split_packed

        packed = split_packed(text, delimiter, limit)
        if packed is not None and (table := _tabulate_packed(packed, options, facts)) is not None:
            return table
    records = split_records(text, delimiter, limit, options.field)
    above = rows_above(records, options, facts)
    records[:] = [record for record in records[above:] if record]
    return tabulate(records, options, facts)


def _begin(text: str, options: ReadOptions, facts: Facts) -> tuple[str, str]:
    """Return the text below the lines to skip, and its delimiter."""
    declared = directive(text)
    if declared:
        text = declared[1]
    if options.skip:
        lines = io.StringIO(text, newline="")
        for _ in range(options.skip):
            lines.readline()
        text = lines.read()
        if not text.strip():
            raise InvalidInput(f"skip: must be less than the number of lines, got {options.skip:,}.")
    delimiter = options.delimiter or (declared[0] if declared else sniff(text))
    facts.delimiter = delimiter
    facts.skipped_lines = (options.skip or 0) + bool(declared)
    return text, delimiter


def read_sample(text: str, options: ReadOptions, facts: Facts) -> tuple[Table, str] | None:
    """Return the table of the first rows of a text, and the text of all of its rows; None unless they are regular."""
    text, delimiter = _begin(text, options, facts)
    has_other_quotes = '"' in text and ('\\"' in text or f'{delimiter} "' in text)
    has_other_breaks = "\r" in text and text.count("\r") != text.count("\r\n")
    if has_other_quotes or has_other_breaks or not delimiter.isascii() or delimiter in ' "\r\n\0':
        return None
    lines = list(islice(io.StringIO(text[:_SAMPLE_CHARACTERS], newline=""), _ROWS_FOR_LAYOUT))
    if sum(map(len, lines)) == _SAMPLE_CHARACTERS < len(text):
        del lines[-1:]  # its end is cut off
    try:
        records = split_records("".join(lines), delimiter, _ROWS_FOR_LAYOUT, options.field)
    except InvalidInput:  # the sample ends within a quoted cell
        return None
    if not records:
        return None
    above = rows_above(records, options, facts)
    is_headed = has_header(records[above:]) if options.header == "auto" else options.header
    first = above + is_headed
    rows, width = records[first:], len(records[above])
    has_long_lines = any("\n" in cell for row in records[:first] for cell in row)
    if has_long_lines or width < 2 or not rows or any(len(row) != width for row in rows):
        return None
    check_size(len(rows), width, options)
    titles = unique_names(records[above]) if is_headed else numbered_names(width)
    columns = typed_texts(titles, _columns(rows, width), replace(options, keep_cells=True), facts)
    return Table(columns), text[sum(map(len, lines[:first])) :]


def tabulate(rows: list[list[str]], options: ReadOptions, facts: Facts) -> Table:
    """Return the table of rows of texts, the first of which may be a header. The list of rows is emptied."""
    if not rows:
        return Table([])
    width = max(map(len, rows))
    is_headed = has_header(rows) if options.header == "auto" else options.header
    names = rows.pop(0) if is_headed else []
    check_size(len(rows), width, options)
    del rows[options.row_limit(width) :]
    if is_headed and _have_row_names(rows, len(names)):
        names = ["", *names]
        facts.warn("The header has no name for the first column, as R writes row names; the names follow it.")
    widths = Counter(map(len, rows))
    _note_ragged(widths, len(names) if is_headed else _usual_width(widths), facts)
    cells = _columns(rows, width)
    rows.clear()
    titles = unique_names([*names, *[""] * (width - len(names))]) if is_headed else numbered_names(width)
    return Table(typed_texts(titles, cells, options, facts))


def _have_row_names(rows: list[list[str]], names: int) -> bool:
    """Return whether the rows begin with a column of row names: all have one cell more than the header has names."""
    if len(rows) < 2 or not all(len(row) == names + 1 for row in rows) or not any(row[-1].strip() for row in rows):
        return False
    labels = {row[0].strip() for row in rows}
    return len(labels) == len(rows) and "" not in labels


def _tabulate_packed(records: "PackedRecords", options: ReadOptions, facts: Facts) -> Table | None:
    """Return the table of records, the first of which may be a header; None if the first column may have no name."""
    import numpy as np

    filled = np.flatnonzero(records.widths)
    head = records.head(int(filled[0]) + _ROWS_FOR_LAYOUT)
    layout = Facts()
    above = rows_above(head, options, layout)
    head = [record for record in head[above:] if record]
    is_headed = has_header(head) if options.header == "auto" else options.header
    names = head[0] if is_headed else []
    rows = filled[np.searchsorted(filled, above) + is_headed :]
    widths = records.widths[rows]
    width = max(len(names), int(widths.max(initial=0)))
    if is_headed and len(rows) and (widths == len(names) + 1).all():
        return None
    facts.skipped_lines += layout.skipped_lines
    facts.warnings += layout.warnings
    check_size(len(rows), width, options)
    rows = rows[: options.row_limit(width)]
    counts = Counter(widths[: len(rows)].tolist())
    _note_ragged(counts, len(names) if is_headed else _usual_width(counts), facts)
    is_contiguous = len(rows) and rows[-1] - rows[0] == len(rows) - 1
    chosen = slice(int(rows[0]), int(rows[-1]) + 1) if is_contiguous else rows
    titles = unique_names([*names, *[""] * (width - len(names))]) if is_headed else numbered_names(width)
    return Table(typed_texts(titles, records.part(chosen, width), options, facts))


def _columns(rows: list[list[str]], width: int) -> list[list[str]]:
    """Return the columns of rows; short rows are filled with empty cells."""
    columns = [list(column) for column in zip_longest(*rows, fillvalue="")]
    return columns + [[""] * len(rows) for _ in range(width - len(columns))]


def _usual_width(widths: Counter[int]) -> int:
    """Return the width that most rows have, the larger of two equally frequent ones."""
    return max(widths, key=lambda width: (widths[width], width), default=0)


def _note_ragged(widths: Counter[int], width: int, facts: Facts) -> None:
    short = sum(count for size, count in widths.items() if size < width)
    long = sum(count for size, count in widths.items() if size > width)
    for count, what in (
        (short, "shorter than the header; the missing cells are null."),
        (long, "longer than the header; the further cells are in columns of their own."),
    ):
        if count:
            facts.warn(f"{'1 row is' if count == 1 else f'{count} rows are'} {what}")


def split_records(text: str, delimiter: str, limit: int, field: str = "file") -> list[list[str]]:
    """Return the cells of at most so many records; a blank line is an empty list.

    A quote within a cell is part of it. Quotes are escaped by doubling or, where the text never doubles one, by a
    backslash.

    Raises:
        InvalidInput: A quote opens and is never closed.
    """
    if '\\"' in text and not DOUBLED.search(text):
        with suppress(csv.Error):
            records = _strict(text.replace('\\"', PLACEHOLDER), delimiter, limit)
            return [[cell.replace(PLACEHOLDER, '"') for cell in record] for record in records]
    if '"' not in text:
        lines = (line.rstrip("\r\n") for line in islice(io.StringIO(text, newline=""), limit))
        if delimiter == " ":  # columns may be aligned by several
            return [line.split() for line in lines]
        return [line.split(delimiter) if line else [] for line in lines]
    try:
        return _strict(text, delimiter, limit)
    except csv.Error:
        return list(islice(split_tolerantly(text, delimiter, field), limit))


def _strict(text: str, delimiter: str, limit: int) -> list[list[str]]:
    spaced = f'{delimiter} "' in text and delimiter != " "
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=spaced)
    return list(islice(reader, limit))


def split_tolerantly(text: str, delimiter: str, field: str) -> Iterator[list[str]]:
    """Split text some of whose quotes neither open nor close a cell."""
    mark = re.escape(delimiter)
    quoted = re.compile(rf' *"((?:[^"]|"")*+)"[ ]*(?={mark}|[\r\n]|\Z)')
    plain = re.compile(rf"[^{mark}\r\n]*+")
    ending = re.compile(r"\r\n|\r|\n")
    record: list[str] = []
    at = 0
    while at < len(text):
        match = quoted.match(text, at)
        if match:
            record.append(match[1].replace('""', '"'))
        else:
            match = plain.match(text, at)
            assert match  # noqa: S101  # it matches the empty text
            cell = match[0]
            if cell.lstrip(" ").startswith('"') and cell.count('"') == 1:
                line = len(re.findall(r"\r\n|\r|\n", text[:at])) + 1
                raise InvalidInput(f"{field}: line {line}: a quote opens here and is never closed.")
            record.append(match[0])
        at = match.end()
        end = ending.match(text, at)
        if end or at >= len(text):
            yield [] if record == [""] and not match[0] else record
            record = []
            at = end.end() if end else at
        else:
            at += 1
            if at == len(text):
                yield [*record, ""]


_DELIMITER_ROW = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
_PIPE = re.compile(r"(?<!\\)((?:\\\\)*)\|")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)


def has_table(text: str) -> bool:
    """Return whether a text has a pipe table."""
    return _find_table(text.splitlines()) is not None


def read_markdown(text: str, field: str) -> list[list[str]]:
    """Return the rows of the first pipe table, its header first.

    Raises:
        InvalidInput: There is no table.
    """
    lines = text.splitlines()
    start = _find_table(lines)
    if start is None:
        raise InvalidInput(f"{field}: has no Markdown table (a header row, then a row such as | --- | --- |).")
    rows = [_cells_of_line(lines[start])]
    for line in lines[start + 2 :]:
        if "|" not in line:
            break
        rows.append(_cells_of_line(line)[: len(rows[0])])
    return rows


def _find_table(lines: list[str]) -> int | None:
    """Return the number of the header's line."""
    for place, (above, below) in enumerate(pairwise(lines)):
        is_rule = "|" in above and ("|" in below or ":" in below or "-" in below) and _DELIMITER_ROW.fullmatch(below)
        if is_rule and len(_cells_of_line(above)) == len(_cells_of_line(below)):
            return place
    return None


def _cells_of_line(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    parts = _PIPE.sub("\\1\0", inner).split("\0")
    if inner.endswith("|") and parts[-1] == "":
        parts.pop()
    return [_ESCAPED.sub(r"\1", _BREAK.sub("\n", part.strip())) for part in parts]
