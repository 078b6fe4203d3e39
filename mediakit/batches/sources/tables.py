"""Rows of table files. The table engine reads small files as a whole; larger ones are read in parts with equal rows.

A large CSV file is read twice before its first row: for its charset, and to count its rows and columns.
"""

import asyncio
import io
import os
import re
import shutil
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, BinaryIO

from mediakit.batches.sources.objects import open_iterable
from mediakit.batches.sources.rows import CHUNK_ROWS, Pair, Renaming, Row, RowMaker, RowSource
from mediakit.core.inputs import MAX_FILE_BYTES, FileBytes
from mediakit.core.messages import readable_size
from mediakit.engines.charsets import detect, escape_charset, marked_charset, wide_charset
from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.layout import directive, has_header, rows_above, sniff
from mediakit.engines.tables.model import MAX_COLUMNS, Facts, ReadOptions, Table, numbered_names, unique_names
from mediakit.engines.tables.nested import as_texts, plain_table
from mediakit.engines.tables.readers.delimited import split_records
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

_BLOCK_CHARACTERS = 1 << 20
_SAMPLE_BYTES, _SAMPLE_LINES, _SAMPLE_LINE = 200_000, 2000, 10_000

_FIRST_RECORDS = 1200
"""Records that decide about the lines above the table and its header."""

_LINE = re.compile(r"line (\d+)")
"""The number of a line within a part, in an error of the table engine."""

_LIMITS = re.compile(r"has more than [\d,]+ rows|[\d,]+ cells, got|GB of memory")
"""Messages of `tables.model` and `guarded.TABLE` about a table that is too large to be read as a whole."""


async def open_file(source: str | os.PathLike[str] | FileBytes, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a table file, of which the path or the content with a name is given."""
    if (file := _found(source)) is None:
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

    def parts(self, codec: str, *, has_cells: bool) -> Iterator[tuple[int, str]]:
        """Iterate over the text in parts of whole lines, with the number of the first line of each.

        With `has_cells`, a part does not end within a quoted cell. If a quote is never closed, as in `5" pipe`, the
        part ends with a line after `MAX_RECORD` characters.
        """
        text, number = "", 1
        try:
            for block in self.blocks(codec):
                if "\0" in block:
                    raise InvalidInput(f"rows: {self.name} is not a text; it has NUL characters.")
                text += block
                mark = "\n" if "\n" in text or not has_cells else "\r"
                end = last = text.rfind(mark) + 1
                is_open = has_cells and text.count('"', 0, end) % 2
                while end and is_open:
                    start = text.rfind(mark, 0, end - 1) + 1
                    is_open ^= text.count('"', start, end) % 2
                    end = start
                end = last if not end and len(text) > MAX_RECORD else end
                if end:
                    yield number, text[:end]
                    number, text = number + text.count(mark, 0, end), text[end:]
                if len(text) > MAX_LINE and mark not in text:
                    raise InvalidInput(f"rows: line {number} of {self.name} has more than {MAX_LINE:,} characters.")
        except UnicodeDecodeError as error:
            byte = f"byte 0x{error.object[error.start]:02x} of {self.name}"
            raise InvalidInput(f"rows: {byte} is not {codec}; save the file as UTF-8.") from None
        if text:
            yield number, text

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
            if self.size <= _SAMPLE_BYTES:
                return detect(head)
            with self.open() as file:  # the lines with bytes beyond ASCII show the charset
                lines = (line for line in iter(partial(file.readline, _SAMPLE_LINE), b"") if not line.isascii())
                return detect(b"".join(islice(lines, _SAMPLE_LINES))[:_SAMPLE_BYTES])
        return "utf-8"


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
    if kind := binary_kind(head):
        return kind
    if found := foreign_kind(head):
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


def _open_delimited(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a CSV or TSV file."""
    codec = file.codec()
    begin = next(iter(file.blocks(codec)), "")
    declared = directive(begin)
    delimiter = declared[0] if declared else sniff(begin)

    def records() -> Iterator[list[str]]:
        for number, text in file.parts(codec, has_cells=True):
            declaration = directive(text) if number == 1 else None
            try:
                yield from split_records(declaration[1] if declaration else text, delimiter, sys.maxsize, "rows")
            except InvalidInput as error:
                line = number + int(_LINE.findall(str(error))[0]) - (declaration is None)
                message = f"rows: line {line} of {file.name}: a quote opens here and is never closed."
                raise InvalidInput(message) from None

    rest = records()
    start = list(islice(rest, _FIRST_RECORDS))
    skipped = rows_above(start, ReadOptions(), Facts())
    shown = [record for record in start[skipped:] if record]
    is_headed = bool(shown) and (has_header(shown) or renaming.is_header(shown[0]))
    total, width = -int(is_headed), 0
    for record in filter(None, chain(shown, rest)):
        total += 1
        width = max(width, len(record))
    if width > MAX_COLUMNS:
        raise InvalidInput(f"rows: must have at most {MAX_COLUMNS:,} columns, got {width:,}.")
    if is_headed:
        names = unique_names([*shown[0], *[""] * (width - len(shown[0]))])
    else:
        names = [first] if width == 1 else numbered_names(width)

    def read(maker: RowMaker) -> Iterator[list[Row]]:
        filled = filter(None, islice(records(), skipped, None))
        return maker.from_texts(tuple(names), islice(filled, int(is_headed), None))

    return RowSource(read, first, renaming, columns=tuple(names), total=total, repeatable=True)


def _open_json_lines(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a JSON Lines file, each of whose lines is an object.

    Nested objects are columns of their own, such as `address.city`. All values are texts.
    """
    codec = file.codec()

    def read(maker: RowMaker) -> Iterator[list[Row]]:
        pairs = _json_pairs(file, codec)
        while part := list(islice(pairs, CHUNK_ROWS)):
            yield maker.from_pairs(part, has_shared_columns=True)

    total = sum(1 for _, text in file.parts(codec, has_cells=False) for line in text.split("\n") if line.strip())
    return RowSource(read, first, renaming, total=total, repeatable=True)


def _json_pairs(file: TableFile, codec: str) -> Iterator[Pair]:
    names: dict[tuple[str, ...], list[str]] = {}
    for first, text in file.parts(codec, has_cells=False):
        for number, line in enumerate(text.split("\n"), first):
            if not line.strip():
                continue
            try:
                value = read_json_line(line.rstrip())
            except ValueError as error:
                raise InvalidInput(f"rows: line {number} of {file.name} is not JSON: {error}.") from None
            if not isinstance(value, dict):
                example = '{"recipient": "Ada"}'
                raise InvalidInput(f"rows: line {number} of {file.name} must be an object, such as {example}.")
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


Blocks = Callable[[], Iterator[list[list[Any]]]]
"""Iterates over the values of the columns of a Parquet file in blocks of rows."""


def _open_parquet(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a Parquet file, which Polars reads where it is installed, and else DuckDB."""
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


def _parquet(file: TableFile) -> tuple[tuple[str, ...], int, Blocks]:
    """Return the columns, the number of rows and the blocks of a file."""
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


def _parquet_by_duckdb(file: TableFile) -> tuple[tuple[str, ...], int, Blocks]:
    import duckdb

    folder = mkdtemp(prefix="mediakit-")
    path = Path(folder, "rows.parquet")  # the path of the user could be read as a pattern

    def blocks() -> Iterator[list[list[Any]]]:
        rows = duckdb.connect().execute("FROM read_parquet(?)", [str(path)])
        while part := rows.fetchmany(BLOCK_ROWS):
            yield [list(values) for values in zip(*part, strict=True)]

    weakref.finalize(blocks, shutil.rmtree, folder, ignore_errors=True)
    if isinstance(file.source, Path):
        path.symlink_to(file.source.resolve())
    else:
        path.write_bytes(file.source)
    opened = duckdb.connect().read_parquet(str(path))
    return tuple(opened.columns), len(opened), blocks
