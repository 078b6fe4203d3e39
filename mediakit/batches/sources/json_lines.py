"""Rows of JSON Lines files of any size, equal to those of the reader of small files."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources.making import CHUNK_ROWS, Pair, RowMaker
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource
from mediakit.batches.sources.table_file import TableFile
from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.model import unique_names
from mediakit.engines.tables.readers.json_yaml_toml import read_json_line
from mediakit.errors import InvalidInput


def open_json_lines(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a JSON Lines file, each of whose lines is an object.

    Nested objects are columns of their own, such as `address.city`. All values are texts.
    """
    codec = file.codec()
    return RowSource(
        lambda maker: _read(file, codec, maker),
        lambda: RowMaker(first, renaming),
        total=sum(1 for line in _lines(file, codec) if line.strip()),
        repeatable=True,
    )


def _read(file: TableFile, codec: str, maker: RowMaker) -> Iterator[list[Row]]:
    pairs = _pairs(file, codec)
    while chunk := list(islice(pairs, CHUNK_ROWS)):
        yield maker.from_pairs(chunk, has_shared_columns=True)


def _lines(file: TableFile, codec: str) -> Iterator[str]:
    return file.lines(codec, newline="\n")


def _pairs(file: TableFile, codec: str) -> Iterator[Pair]:
    names: dict[tuple[str, ...], list[str]] = {}
    for number, line in enumerate(_lines(file, codec), 1):
        if not line.strip():
            continue
        record = dict(_flat(_record(line, number, file.name)))
        columns = tuple(record)
        if columns not in names:
            names[columns] = unique_names(columns)
        yield None, dict(zip(names[columns], record.values(), strict=True))


def _record(line: str, number: int, name: str) -> Mapping[str, Any]:
    try:
        value = read_json_line(line.rstrip())
    except ValueError as error:
        raise InvalidInput(f"rows: line {number} of {name} is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidInput(f'rows: line {number} of {name} must be an object, such as {{"recipient": "Ada"}}.')
    return value


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Iterate over the members of an object and of the objects in it, as texts."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", None if value is None else text_of(value)
