"""Rows of table files. The table engine reads small files as a whole; larger ones are read in parts with equal rows.

A large CSV file is read twice before its first row: for its charset and its use of quotes, and to count its rows and
columns. Parquet is read by Polars where it is installed, and else by DuckDB.
"""

import asyncio
import csv
import io
import os
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Literal

from mediakit.batches.sources.objects import open_iterable
from mediakit.batches.sources.rows import CHUNK_ROWS, Pair, Renaming, Row, RowMaker, RowSource
from mediakit.core.inputs import MAX_FILE_BYTES, FileBytes
from mediakit.core.messages import readable_size
from mediakit.engines.charsets import detect, escape_charset, marked_charset, wide_charset
from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.layout import directive, has_header, rows_above, sniff
from mediakit.engines.tables.model import MAX_COLUMNS, Facts, ReadOptions, Table, numbered_names, unique_names
from mediakit.engines.tables.nested import as_texts, plain_table
from mediakit.engines.tables.readers.delimited import DOUBLED, PLACEHOLDER, split_tolerantly
from mediakit.engines.tables.readers.json_yaml_toml import read_json_line
from mediakit.engines.tables.reading import Kind, binary_kind, foreign_kind, text_kind
from mediakit.engines.tables.row_files import TABLE_SUFFIXES, TYPED_OPTIONS, load, with_plain_decimals
from mediakit.errors import InvalidInput, NotConvertible

SMALL_BYTES = MAX_FILE_BYTES
"""Size up to which a file is read as a whole."""

SMALL_LINES = 200_000
"""Lines up to which a file of text is read as a whole."""

HEAD_BYTES = 1_000_000
"""Beginning of a file that shows what it holds."""

MAX_LINE = MAX_RECORD = 5_000_000
"""Characters of a line and of a record; a quote that is never closed would take in the rest of the file."""

BLOCK_ROWS = 20_000
"""Rows of a Parquet file that are decoded at once."""

_SAMPLE_BYTES = 200_000
_BLOCK_CHARACTERS = 1 << 20

_OVERLAP = 4
"""Characters of a block that are searched again with the next one."""

_FIRST_RECORDS = 1200
"""Records that decide about the lines above the table and its header."""

_LIMITS = re.compile(r"has more than [\d,]+ rows|[\d,]+ cells, got|GB of memory")
"""Messages of `tables.model` and `guarded.TABLE` about a table that is too large to be read as a whole."""


async def open_file(source: str | os.PathLike[str] | FileBytes, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a table file.

    Args:
        source: The path of the file, or its content with a name.
        first: The column for values that are not mappings.
        renaming: New names of columns.

    Raises:
        InvalidInput: The file cannot be read, it is not a table, or it is too large for its format.
    """
    file = _found(source)
    if file is None:
        return open_iterable(await load(source), first, renaming)
    try:
        kind = await asyncio.to_thread(_kind, file)
    except OSError as error:
        raise InvalidInput(f"rows: cannot read {file.name}: {error.strerror or error}.") from None
    if await asyncio.to_thread(_is_small, file, kind):
        try:
            return open_iterable(await _loaded(source, first, renaming), first, renaming)
        except (InvalidInput, NotConvertible) as error:
            if isinstance(error, InvalidInput) and not _LIMITS.search(str(error)):
                raise
    readers: Mapping[Kind, Callable[[TableFile, str, Renaming], RowSource]] = {
        "csv": _open_delimited,
        "jsonl": _open_json_lines,
        "parquet": _open_parquet,
    }
    if kind in readers:
        return await asyncio.to_thread(readers[kind], file, first, renaming)
    raise InvalidInput(
        f"rows: {file.name} ({readable_size(file.size)}) is too large for its format, which is read up to 20 MB and "
        "5,000,000 cells; save it as CSV, JSON Lines or Parquet, which may have any size."
    )


async def _loaded(source: str | os.PathLike[str] | FileBytes, first: str, renaming: Renaming) -> list[dict[str, Any]]:
    """Return the rows of a small file, whose first row is a header also if only its names say so."""
    rows: list[dict[str, Any]] = await load(source)
    if not rows or list(rows[0]) != numbered_names(len(rows[0])):
        return rows
    if renaming.is_header(rows[0].values()):
        return list(await load(source, has_header=True))
    return [{first: row["column_1"]} for row in rows] if len(rows[0]) == 1 else rows


@dataclass(frozen=True)
class TableFile:
    """A table file, on disk or uploaded, which is opened as often as it is read."""

    source: Path | FileBytes

    @property
    def name(self) -> str:
        """The name of the file without folders."""
        return self.source.name or "the file"

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.source.stat().st_size if isinstance(self.source, Path) else len(self.source)

    def open(self) -> BinaryIO:
        """Open the file."""
        return self.source.open("rb") if isinstance(self.source, Path) else io.BytesIO(self.source)

    def head(self) -> bytes:
        """Return the beginning of the file."""
        with self.open() as file:
            return file.read(HEAD_BYTES)

    def blocks(self, codec: str) -> Iterator[str]:
        """Iterate over the text in blocks of a million characters."""
        with io.TextIOWrapper(self.open(), encoding=codec, newline="") as text:
            yield from iter(partial(text.read, _BLOCK_CHARACTERS), "")

    def lines(self, codec: str, *, newline: str = "") -> Iterator[str]:
        r"""Iterate over the lines of the text with their ends.

        Args:
            codec: Name of Python's codec.
            newline: What ends a line; by default `\n`, `\r` or `\r\n`.

        Raises:
            InvalidInput: A line is too long, or a byte is not of the charset.
        """
        number = 0
        with io.TextIOWrapper(self.open(), encoding=codec, newline=newline) as text:
            try:
                for number, line in enumerate(iter(partial(text.readline, MAX_LINE), ""), 1):
                    if len(line) == MAX_LINE and line[-1] not in "\r\n":
                        raise InvalidInput(f"rows: line {number} of {self.name} has more than {MAX_LINE:,} characters.")
                    yield line
            except UnicodeDecodeError as error:
                raise self.undecodable(error, codec, f"after line {number} of {self.name}, ") from None

    def undecodable(self, error: UnicodeDecodeError, codec: str, place: str = "") -> InvalidInput:
        """Return the error of a byte that is not of the charset."""
        of = "" if place else f" of {self.name}"
        byte = f"byte 0x{error.object[error.start]:02x}{of}"
        return InvalidInput(f"rows: {place}{byte} is not {codec}; save the file as UTF-8.")

    def codec(self) -> str:
        """Return the codec of the charset that the file is probably in."""
        head = self.head()
        marked = marked_charset(head) or wide_charset(head[:4096])
        if marked or (marked := escape_charset(head[: head.rfind(b"\n") + 1] or head)):
            return marked
        try:
            for _ in self.blocks("utf-8"):
                pass
        except UnicodeDecodeError:
            return detect(self._sample())
        return "utf-8"

    def _sample(self) -> bytes:
        """Return a small file, or the lines of a large one with bytes beyond ASCII, which show the charset."""
        if self.size <= _SAMPLE_BYTES:
            return self.head()
        found, size = [], 0
        with self.open() as file:
            for line in iter(partial(file.readline, _SAMPLE_BYTES), b""):
                if not line.isascii():
                    found.append(line)
                    size += len(line)
                if size > _SAMPLE_BYTES:
                    break
        return b"".join(found)[:_SAMPLE_BYTES]


def _found(source: str | os.PathLike[str] | FileBytes) -> TableFile | None:
    """Return the file of a source; None for a path without a file, or whose name is not that of a table."""
    if isinstance(source, FileBytes):
        return TableFile(source)
    try:
        found = Path(source)
        return TableFile(found) if found.suffix.lower() in TABLE_SUFFIXES and found.is_file() else None
    except (OSError, ValueError):
        return None


def _kind(file: TableFile) -> Kind:
    head = file.head()
    kind = binary_kind(head)
    if kind:
        return kind
    found = foreign_kind(head)
    if found:
        raise InvalidInput(f"rows: must be a table (CSV, JSON Lines, Excel, ODS, Parquet), got {found}.")
    end = head.rfind(b"\n") + 1 or len(head)
    return text_kind(head[:end].decode(detect(head[:end]), "replace"), file.source.name)


def _is_small(file: TableFile, kind: Kind) -> bool:
    if file.size > SMALL_BYTES:
        return False
    if kind not in ("csv", "jsonl"):
        return True
    with file.open() as content:
        return content.read().count(b"\n") <= SMALL_LINES


@dataclass(frozen=True)
class _Format:
    """How the records of a delimited text are written."""

    codec: str
    delimiter: str
    quoting: Literal["none", "doubled", "backslash"]
    is_spaced: bool
    """Whether spaces stand between a delimiter and a quote."""
    declared_lines: int
    """1 if the first line declares the delimiter."""

    def reader(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """Return a reader of records that refuses quotes which neither open nor close a cell."""
        return csv.reader(lines, delimiter=self.delimiter, strict=True, skipinitialspace=self.is_spaced)


def _open_delimited(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a CSV or TSV file.

    Raises:
        InvalidInput: A quote is never closed, or the file is not a text.
    """
    form = _format(file)
    try:
        skipped, is_headed, columns, total = _layout(file, form, first, renaming)
    except csv.Error:  # the backslashes do not escape the quotes
        form = replace(form, quoting="doubled")
        skipped, is_headed, columns, total = _layout(file, form, first, renaming)

    def read(maker: RowMaker) -> Iterator[list[Row]]:
        records = filter(None, islice(_records(file, form), skipped, None))
        return maker.from_texts(columns, islice(records, int(is_headed), None))

    return RowSource(read, first, renaming, columns=columns, total=total, repeatable=True)


def _format(file: TableFile) -> _Format:
    codec = file.codec()
    has_quote = has_backslash = has_doubled = is_spaced = False
    declared, delimiter, end = None, "", ""
    try:
        for block in file.blocks(codec):
            if not delimiter:
                declared = directive(block[:HEAD_BYTES])
                delimiter = declared[0] if declared else sniff(block[:HEAD_BYTES])
            text = end + block
            if "\0" in text:
                raise InvalidInput(f"rows: {file.name} is not a text; it has NUL characters.")
            if '"' in text:
                has_quote = True
                has_backslash = has_backslash or '\\"' in text
                has_doubled = has_doubled or ('""' in text and DOUBLED.search(text) is not None)
                is_spaced = is_spaced or (delimiter != " " and f'{delimiter} "' in text)
            end = text[-_OVERLAP:]
    except UnicodeDecodeError as error:
        raise file.undecodable(error, codec) from None
    quoting: Any = "none" if not has_quote else "backslash" if has_backslash and not has_doubled else "doubled"
    return _Format(codec, delimiter or ",", quoting, is_spaced, int(declared is not None))


def _layout(file: TableFile, form: _Format, first: str, renaming: Renaming) -> tuple[int, bool, tuple[str, ...], int]:
    """Return the number of records above the table, whether it has a header, its columns, and its number of rows."""
    records = _records(file, form)
    start = list(islice(records, _FIRST_RECORDS))
    skipped = rows_above(start, ReadOptions(), Facts())
    shown = [record for record in start[skipped:] if record]
    if not shown:
        return skipped, False, (), 0
    is_headed = has_header(shown) or renaming.is_header(shown[0])
    rows = width = 0
    for record in filter(None, chain(shown, records)):
        rows += 1
        width = max(width, len(record))
    if width > MAX_COLUMNS:
        raise InvalidInput(f"rows: must have at most {MAX_COLUMNS:,} columns, got {width:,}.")
    padding = [""] * (width - len(shown[0]))
    names = unique_names([*shown[0], *padding]) if is_headed else numbered_names(width)
    names = [first] if width == 1 and not is_headed else names
    return skipped, is_headed, tuple(names), rows - is_headed


def _records(file: TableFile, form: _Format) -> Iterator[list[str]]:
    """Iterate over the cells of each record; a blank line is an empty list."""
    lines = islice(file.lines(form.codec), form.declared_lines, None)
    if form.quoting == "none":
        mark = None if form.delimiter == " " else form.delimiter  # columns may be aligned by several spaces
        texts = (line.rstrip("\r\n") for line in lines)
        yield from (text.split(mark) if text else [] for text in texts)
    elif form.quoting == "backslash":
        for record in form.reader(line.replace('\\"', PLACEHOLDER) for line in lines):
            yield [cell.replace(PLACEHOLDER, '"') for cell in record]
    else:
        yield from _quoted(_RecordLines(lines, file.name, form.declared_lines), form)


def _quoted(lines: "_RecordLines", form: _Format) -> Iterator[list[str]]:
    """Iterate over records, of which those with other quotes are split as the table engine does."""
    reader = form.reader(lines)
    while True:
        lines.record.clear()
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield from lines.split(form.delimiter)
            reader = form.reader(lines)


class _RecordLines(Iterator[str]):
    """Lines of a file, with those of the current record."""

    def __init__(self, lines: Iterator[str], name: str, number: int) -> None:
        self._lines, self._name = lines, name
        self.record: list[str] = []
        self._number = number
        """Number of the last line, from 1."""
        self._characters = 0

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        self._characters = self._characters + len(line) if self.record else len(line)
        self.record.append(line)
        if self._characters > MAX_RECORD:
            raise self._unclosed(self._number - len(self.record) + 1)
        return line

    def split(self, delimiter: str) -> list[list[str]]:
        """Return the records of the current lines, some of whose quotes neither open nor close a cell."""
        begin = self._number - len(self.record) + 1
        while True:
            try:
                return list(split_tolerantly("".join(self.record), delimiter, "rows"))
            except InvalidInput:
                if next(self, None) is None:
                    raise self._unclosed(begin) from None

    def _unclosed(self, number: int) -> InvalidInput:
        return InvalidInput(f"rows: line {number} of {self._name}: a quote opens here and is never closed.")


def _open_json_lines(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a JSON Lines file, each of whose lines is an object.

    Nested objects are columns of their own, such as `address.city`. All values are texts.
    """
    codec = file.codec()

    def read(maker: RowMaker) -> Iterator[list[Row]]:
        pairs = _json_pairs(file, codec)
        while part := list(islice(pairs, CHUNK_ROWS)):
            yield maker.from_pairs(part, has_shared_columns=True)

    total = sum(1 for line in file.lines(codec, newline="\n") if line.strip())
    return RowSource(read, first, renaming, total=total, repeatable=True)


def _json_pairs(file: TableFile, codec: str) -> Iterator[Pair]:
    names: dict[tuple[str, ...], list[str]] = {}
    for number, line in enumerate(file.lines(codec, newline="\n"), 1):
        if not line.strip():
            continue
        try:
            value = read_json_line(line.rstrip())
        except ValueError as error:
            raise InvalidInput(f"rows: line {number} of {file.name} is not JSON: {error}.") from None
        if not isinstance(value, dict):
            raise InvalidInput(f'rows: line {number} of {file.name} must be an object, such as {{"recipient": "Ada"}}.')
        record = dict(_flat(value))
        columns = tuple(record)
        if columns not in names:
            names[columns] = unique_names(columns)
        yield None, dict(zip(names[columns], record.values(), strict=True))


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Iterate over the members of an object and of the objects in it, as texts."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", None if value is None else text_of(value)


def _open_parquet(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a Parquet file.

    Raises:
        InvalidInput: The file is damaged.
    """
    try:
        columns, total, blocks = _parquet(file)
    except Exception as error:  # each library has errors of its own for a damaged file
        raise InvalidInput(f"rows: {file.name} is a damaged Parquet file: {str(error)[:120]}.") from error

    def read(maker: RowMaker) -> Iterator[list[Row]]:
        for values in blocks():
            nested = plain_table(columns, values, TYPED_OPTIONS, Facts())
            table = with_plain_decimals(Table(list(map(as_texts, nested.columns))))
            yield from maker.from_columns(columns, [column.values for column in table.columns], len(table))

    return RowSource(read, first, renaming, columns=columns, total=total, repeatable=True)


def _parquet(file: TableFile) -> tuple[tuple[str, ...], int, Callable[[], Iterator[list[list[Any]]]]]:
    """Return the columns, the number of rows, and what iterates over the values of the columns in blocks of rows."""
    try:
        import polars as pl
    except ImportError:
        return _parquet_by_duckdb(file)
    scan = pl.scan_parquet(file.source if isinstance(file.source, Path) else file.open())
    total = int(scan.select(pl.len()).collect().item())

    def blocks() -> Iterator[list[list[Any]]]:
        for start in range(0, total, BLOCK_ROWS):
            yield [series.to_list() for series in scan.slice(start, BLOCK_ROWS).collect().iter_columns()]

    return tuple(scan.collect_schema().names()), total, blocks


def _parquet_by_duckdb(file: TableFile) -> tuple[tuple[str, ...], int, Callable[[], Iterator[list[list[Any]]]]]:
    import duckdb

    folder = TemporaryDirectory(prefix="mediakit-")
    path = Path(folder.name, "rows.parquet")  # the path of the user could be read as a pattern
    if isinstance(file.source, Path):
        path.symlink_to(file.source.resolve())
    else:
        path.write_bytes(file.source)

    def blocks() -> Iterator[list[list[Any]]]:
        rows = duckdb.connect().execute("FROM read_parquet(?)", [str(path)])
        while part := rows.fetchmany(BLOCK_ROWS):
            yield [list(values) for values in zip(*part, strict=True)]

    weakref.finalize(blocks, folder.cleanup)
    opened = duckdb.connect().read_parquet(str(path))
    return tuple(opened.columns), len(opened), blocks
