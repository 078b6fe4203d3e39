"""Splits delimited text into records of cells."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from mediakit.errors import InvalidInput

DOUBLED = re.compile(r'(?:[^\\\s,;|\t"]""|""[^\s,;|\t"])')
"""A quote escaped by doubling, which texts that escape with a backslash do not have."""

PLACEHOLDER = "\N{NULL}\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for an escaped quote while cells are split."""


def split_records(text: str, delimiter: str, limit: int, field: str = "file") -> list[list[str]]:
    """Return the cells of each record; a blank line is an empty list.

    A quote within a cell is part of it. Quotes are escaped by doubling or, where the text never doubles one, by a
    backslash.

    Args:
        text: What to split.
        delimiter: One character.
        limit: The number of records to return at most.
        field: The name that an error begins with.

    Raises:
        InvalidInput: A quote opens and is never closed.
    """
    if '\\"' in text and not DOUBLED.search(text):
        records = _split_backslashed(text, delimiter, limit)
        if records is not None:
            return records
    if '"' not in text:
        lines = _stripped(islice(io.StringIO(text, newline=""), limit))
        if delimiter == " ":  # columns may be aligned by several
            return [line.split() for line in lines]
        return [line.split(delimiter) if line else [] for line in lines]
    return _split_quoted(text, delimiter, limit, field)


def _stripped(lines: Iterator[str]) -> Iterator[str]:
    return (line.rstrip("\r\n") for line in lines)


def _split_quoted(text: str, delimiter: str, limit: int, field: str) -> list[list[str]]:
    try:
        return _strict(text, delimiter, limit)
    except csv.Error:
        return list(islice(split_tolerantly(text, delimiter, field), limit))


def _strict(text: str, delimiter: str, limit: int) -> list[list[str]]:
    spaced = f'{delimiter} "' in text and delimiter != " "
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=spaced)
    return list(islice(reader, limit))


def _split_backslashed(text: str, delimiter: str, limit: int) -> list[list[str]] | None:
    """Split text whose quotes are escaped by backslashes; None where it does not parse as such."""
    try:
        records = _strict(text.replace('\\"', PLACEHOLDER), delimiter, limit)
    except csv.Error:
        return None
    return [[cell.replace(PLACEHOLDER, '"') for cell in record] for record in records]


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
            _refuse_unclosed(match[0], text, at, field)
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


def _refuse_unclosed(cell: str, text: str, at: int, field: str) -> None:
    """Refuse a cell that opens a quote; one with a second quote inside is a text that begins with a quoted word."""
    if cell.lstrip(" ").startswith('"') and cell.count('"') == 1:
        line = len(re.findall(r"\r\n|\r|\n", text[:at])) + 1
        raise InvalidInput(f"{field}: line {line}: a quote opens here and is never closed.")
