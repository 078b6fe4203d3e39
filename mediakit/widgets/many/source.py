"""The rows of a batch in a form: from Python or from an uploaded file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mediakit.batches.sources import open_rows
from mediakit.batches.sources.rows import Row
from mediakit.core.inputs import FileBytes
from mediakit.core.runtime import runtime
from mediakit.errors import InvalidInput

ACCEPTED = ".csv,.tsv,.xlsx,.xls,.ods,.parquet,.json,.jsonl"
"""Suffixes of the files that the upload accepts."""


@dataclass(frozen=True)
class Source:
    """Rows with their columns."""

    rows: Sequence[Row]
    columns: Sequence[str]
    name: str = ""
    """Name of the file."""


def read_source(value: Any, first: str) -> Source:
    """Return the rows of a table, a list, a dictionary, a table file or its path.

    Args:
        value: The rows, as `mediakit.batch` accepts them, or an uploaded file.
        first: The column of values that are not dictionaries.

    Raises:
        InvalidInput: The value has no rows, or it cannot be read.
    """
    rows = [row for chunk in runtime.run(open_rows(value, first)).chunks() for row in chunk]
    if not rows:
        raise InvalidInput("rows: must have at least one row, got none.")
    columns = tuple(dict.fromkeys(column for row in rows for column in row.columns))
    return Source(rows, columns, value.name if isinstance(value, FileBytes) else "")
