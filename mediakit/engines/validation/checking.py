"""The work of a validator, in a worker process."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.validation.cleaning import LINE_BREAK, MAX_VALUE_CHARACTERS, MAX_VALUES, cleaned, trimmed
from mediakit.engines.validation.columns import place_of
from mediakit.engines.validation.verdict import EMPTY, Verdict
from mediakit.errors import InvalidInput

Check = Callable[[str, Any], Verdict]
"""Returns the verdict on one value, by the options of the tool."""


@dataclass(frozen=True)
class Job:
    """Values, or a table with them, and the check."""

    check: Check
    options: Any
    values: tuple[str, ...] = ()
    source: Source | None = None
    column: str | None = None
    keeps_invisible: bool = False
    """Whether the check gets the invisible characters inside a value, and the line breaks around one of several."""
    is_single: bool = False


def run(job: Job) -> tuple[list[str], list[Verdict]]:
    """Return the values and the verdicts on them.

    Raises:
        InvalidInput: The table cannot be read, or has no such column.
    """
    values = list(job.values) if job.source is None else _column(job.source, job.column)
    return values, [_verdict(job, value) for value in values]


def _verdict(job: Job, value: str) -> Verdict:
    text = trimmed(value) if job.keeps_invisible else cleaned(value)
    if not text:
        return EMPTY
    has_break = job.keeps_invisible and not job.is_single and LINE_BREAK.search(value.replace(text, "", 1))
    return job.check(value if has_break else text, job.options)


def _column(source: Source, column: str | None) -> list[str]:
    options = ReadOptions(types="text", max_rows=MAX_VALUES + 1)
    document = as_tables(read_source(source, options), options)
    table = document.table
    if not table.columns or not len(table):
        raise InvalidInput("file: the table has no rows.")
    chosen = table.columns[place_of(column, table.names)]
    if len(table) > MAX_VALUES:
        raise InvalidInput(f"file: must have at most {MAX_VALUES} rows.")
    values = ["" if value is None else str(value) for value in chosen.values]
    for row, value in enumerate(values, 1):
        if len(value) > MAX_VALUE_CHARACTERS:
            size = f"must have at most {MAX_VALUE_CHARACTERS} characters, got {len(value)}."
            raise InvalidInput(f"file: the value in row {row} {size}")
    return values
