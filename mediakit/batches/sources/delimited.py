"""Rows of CSV and TSV files of any size, equal to those of the reader of small files.

A file is read twice before its first row: for its charset and its use of quotes, and to count its rows and columns.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal

from mediakit.batches.rows import Row
from mediakit.batches.sources.making import RowMaker
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource
from mediakit.batches.sources.table_file import HEAD_BYTES, TableFile
from mediakit.engines.tables.layout import directive, has_header, rows_above, sniff
from mediakit.engines.tables.model import MAX_COLUMNS, Facts, ReadOptions, numbered_names, unique_names
from mediakit.engines.tables.readers.delimited import DOUBLED, PLACEHOLDER, split_tolerantly
from mediakit.errors import InvalidInput

MAX_RECORD = 5_000_000
"""Characters of a record; a quote that is never closed would take in the rest of the file."""

_FIRST_RECORDS = 1200
"""Records that decide about the lines above the table and its header."""

_OVERLAP = 4
"""Characters of a block that are searched again with the next one."""

Quoting = Literal["none", "doubled", "backslash"]


@dataclass(frozen=True)
class Format:
    """How the records of a delimited text are written."""

    codec: str
    delimiter: str
    quoting: Quoting
    is_spaced: bool
    """Whether spaces stand between a delimiter and a quote."""
    declared_lines: int
    """1 if the first line declares the delimiter."""


@dataclass(frozen=True)
class Layout:
    """Where the rows of a delimited text are."""

    skipped: int
    """Records above the table."""
    is_headed: bool
    columns: tuple[str, ...]
    rows: int


def open_delimited(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a CSV or TSV file.

    Raises:
        InvalidInput: A quote is never closed, or the file is not a text.
    """
    form, layout = _examined(file, first, renaming)
    renaming.check(layout.columns)
    return RowSource(
        lambda maker: _read(file, form, layout, maker),
        lambda: RowMaker(first, renaming, is_checked=True),
        columns=renaming.names(layout.columns),
        total=layout.rows,
        repeatable=True,
    )


def _read(file: TableFile, form: Format, layout: Layout, maker: RowMaker) -> Iterator[list[Row]]:
    records = filter(None, islice(_records(file, form), layout.skipped, None))
    yield from maker.from_texts(layout.columns, islice(records, int(layout.is_headed), None))


def _examined(file: TableFile, first: str, renaming: Renaming) -> tuple[Format, Layout]:
    form = _format(file)
    if form.quoting == "backslash":
        try:
            return form, _layout(file, form, first, renaming)
        except csv.Error:  # the backslashes do not escape the quotes
            form = Format(form.codec, form.delimiter, "doubled", form.is_spaced, form.declared_lines)
    return form, _layout(file, form, first, renaming)


def _format(file: TableFile) -> Format:
    codec = file.codec()
    try:
        return _format_in(codec, file)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"rows: byte 0x{error.object[error.start]:02x} of {file.name} is not {codec}; save the file as UTF-8."
        ) from None


def _format_in(codec: str, file: TableFile) -> Format:
    head = next(file.blocks(codec), "")[:HEAD_BYTES]
    declared = directive(head)
    delimiter = declared[0] if declared else sniff(head)
    has_quote = has_backslash = has_doubled = is_spaced = False
    end = ""
    for block in file.blocks(codec):
        text = end + block
        if "\0" in text:
            raise InvalidInput(f"rows: {file.name} is not a text; it has NUL characters.")
        if '"' in text:
            has_quote = True
            has_backslash = has_backslash or '\\"' in text
            has_doubled = has_doubled or ('""' in text and DOUBLED.search(text) is not None)
            is_spaced = is_spaced or (delimiter != " " and f'{delimiter} "' in text)
        end = text[-_OVERLAP:]
    quoting: Quoting = "none" if not has_quote else "backslash" if has_backslash and not has_doubled else "doubled"
    return Format(codec, delimiter, quoting, is_spaced, int(declared is not None))


def _layout(file: TableFile, form: Format, first: str, renaming: Renaming) -> Layout:
    records = _records(file, form)
    start = list(islice(records, _FIRST_RECORDS))
    skipped = rows_above(start, ReadOptions(), Facts())
    shown = [record for record in start[skipped:] if record]
    if not shown:
        return Layout(skipped, is_headed=False, columns=(), rows=0)
    is_headed = has_header(shown) or renaming.is_header(shown[0])
    rows, width = _measured(chain(shown, records))
    if width > MAX_COLUMNS:
        raise InvalidInput(f"rows: must have at most {MAX_COLUMNS:,} columns, got {width:,}.")
    padding = [""] * (width - len(shown[0]))
    names = unique_names([*shown[0], *padding]) if is_headed else numbered_names(width)
    names = [first] if width == 1 and not is_headed else names
    return Layout(skipped, is_headed, tuple(names), rows - is_headed)


def _measured(records: Iterable[list[str]]) -> tuple[int, int]:
    """Return the number of records that are not blank, and the length of the longest."""
    rows = width = 0
    for record in records:
        if record:
            rows += 1
            width = max(width, len(record))
    return rows, width


def _records(file: TableFile, form: Format) -> Iterator[list[str]]:
    """Iterate over the cells of each record; a blank line is an empty list."""
    lines = islice(file.lines(form.codec), form.declared_lines, None)
    if form.quoting == "none":
        return _plain(lines, form.delimiter)
    if form.quoting == "backslash":
        return _backslashed(lines, form)
    return _quoted(_RecordLines(lines, file.name, form.declared_lines), form)


def _plain(lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    mark = None if delimiter == " " else delimiter  # columns may be aligned by several spaces
    for line in lines:
        text = line.rstrip("\r\n")
        yield text.split(mark) if text else []


def _backslashed(lines: Iterator[str], form: Format) -> Iterator[list[str]]:
    for record in _reader((line.replace('\\"', PLACEHOLDER) for line in lines), form):
        yield [cell.replace(PLACEHOLDER, '"') for cell in record]


def _quoted(lines: "_RecordLines", form: Format) -> Iterator[list[str]]:
    reader = _reader(lines, form)
    while True:
        lines.record.clear()
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield from _repaired(lines, form.delimiter)
            reader = _reader(lines, form)


def _reader(lines: Iterable[str], form: Format) -> Iterator[list[str]]:
    return csv.reader(lines, delimiter=form.delimiter, strict=True, skipinitialspace=form.is_spaced)


def _repaired(lines: "_RecordLines", delimiter: str) -> list[list[str]]:
    """Return the records of lines with quotes that neither open nor close a cell."""
    begin = lines.number - len(lines.record) + 1
    while True:
        try:
            return list(split_tolerantly("".join(lines.record), delimiter, "rows"))
        except InvalidInput:
            if next(lines, None) is None:
                raise lines.unclosed(begin) from None


class _RecordLines(Iterator[str]):
    """Lines of a file, with those of the current record."""

    def __init__(self, lines: Iterator[str], name: str, number: int) -> None:
        self._lines, self._name = lines, name
        self.record: list[str] = []
        self.number = number
        """Number of the last line, from 1."""
        self._characters = 0

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        self._characters = self._characters + len(line) if self.record else len(line)
        self.record.append(line)
        if self._characters > MAX_RECORD:
            raise self.unclosed(self.number - len(self.record) + 1)
        return line

    def unclosed(self, number: int) -> InvalidInput:
        """Return the error of a quote that is not closed."""
        return InvalidInput(f"rows: line {number} of {self._name}: a quote opens here and is never closed.")
