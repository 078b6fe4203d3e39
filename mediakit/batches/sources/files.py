"""Rows of table files: small files are read in a worker process, larger ones are read in parts."""

import asyncio
import os
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import PurePath
from typing import Any

from mediakit.batches.sources.delimited import open_delimited
from mediakit.batches.sources.iterables import open_iterable
from mediakit.batches.sources.json_lines import open_json_lines
from mediakit.batches.sources.parquet import open_parquet
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource
from mediakit.batches.sources.table_file import TableFile, file_at
from mediakit.core.inputs import MAX_FILE_BYTES, FileBytes
from mediakit.core.messages import readable_size
from mediakit.engines.charsets import detect
from mediakit.engines.tables.model import numbered_names
from mediakit.engines.tables.reading import Kind, binary_kind, foreign_kind, text_kind
from mediakit.engines.tables.row_files import TABLE_SUFFIXES, load
from mediakit.errors import InvalidInput, NotConvertible

SMALL_BYTES = MAX_FILE_BYTES
"""Size up to which a file is read as a whole."""

SMALL_LINES = 200_000
"""Lines up to which a file of text is read as a whole."""

_LIMITS = re.compile(r"has more than [\d,]+ rows|[\d,]+ cells, got|GB of memory")
"""Messages of `tables.model` and `guarded.TABLE` about a table that is too large to be read as a whole."""

_READERS: Mapping[Kind, Callable[[TableFile, str, Renaming], RowSource]] = {
    "csv": open_delimited,
    "jsonl": open_json_lines,
    "parquet": open_parquet,
}
"""Readers of files of any size."""


async def open_file(source: str | os.PathLike[str] | FileBytes, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a table file.

    Args:
        source: The path of the file, or its content with a name.
        first: The column for values that are not mappings.
        renaming: New names of columns.

    Raises:
        InvalidInput: The file cannot be read, it is not a table, or it is too large for its format.
    """
    file = TableFile(source) if isinstance(source, FileBytes) else _found(source)
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
            if not _is_too_large(error):
                raise
    if kind not in _READERS:
        raise _too_large(file)
    return await asyncio.to_thread(_READERS[kind], file, first, renaming)


async def _loaded(source: str | os.PathLike[str] | FileBytes, first: str, renaming: Renaming) -> list[dict[str, Any]]:
    """Return the rows of a small file, whose first row is a header also if only its names say so."""
    rows: list[dict[str, Any]] = await load(source)
    if not rows or not is_numbered(rows[0]):
        return rows
    if renaming.is_header(rows[0].values()):
        return list(await load(source, has_header=True))
    return [{first: row["column_1"]} for row in rows] if len(rows[0]) == 1 else rows


def is_numbered(columns: Collection[str]) -> bool:
    """Return whether columns have the names that a table without a header gets."""
    return list(columns) == numbered_names(len(columns))


def _found(path: str | os.PathLike[str]) -> TableFile | None:
    """Return the file at a path; None if there is none, or if its name is not that of a table."""
    return file_at(path) if PurePath(path).suffix.lower() in TABLE_SUFFIXES else None


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


def _is_too_large(error: InvalidInput | NotConvertible) -> bool:
    """Return whether a file is only too large to be read as a whole."""
    return isinstance(error, NotConvertible) or _LIMITS.search(str(error)) is not None


def _too_large(file: TableFile) -> InvalidInput:
    return InvalidInput(
        f"rows: {file.name} ({readable_size(file.size)}) is too large for its format, which is read up to 20 MB and "
        "5,000,000 cells; save it as CSV, JSON Lines or Parquet, which may have any size."
    )
