"""The first rows of a batch and the use of its columns, to look at before it runs."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from mediakit.batches.columns import known_names
from mediakit.batches.entries import Entry
from mediakit.batches.names import Names, columns_of, renamed_pattern
from mediakit.batches.plan import Options
from mediakit.batches.sources import open_rows
from mediakit.batches.work import check_values
from mediakit.core.runtime import runtime
from mediakit.core.tool import Tool


@dataclass(frozen=True)
class Sample:
    """The first rows of a batch with their calls."""

    total: int | None
    """Number of rows; None if it is not known without reading them."""
    columns: Mapping[str, str]
    """What each column is used for."""
    entries: Sequence[Entry[Any]]
    """The first rows, validated."""

    @property
    def count_text(self) -> str:
        """The number of rows as text."""
        return "Rows" if self.total is None else "1 row" if self.total == 1 else f"{self.total:,} rows"


def sample(
    tool: Tool[..., Any],
    rows: Any,
    fields: Mapping[str, Any],
    *,
    count: int,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
    ignore: Iterable[str] = (),
) -> Sample:
    """Return the first rows of a batch, without a call.

    Args:
        tool: The tool.
        rows: The rows, as `mediakit.batch` takes them.
        fields: Values for all rows.
        count: Number of rows.
        name: Pattern of names.
        columns: New names of columns.
        ignore: Columns to omit.

    Raises:
        InvalidInput: The rows cannot be read, or a column is unknown.
    """
    ignored = tuple(ignore)
    name = None if name is None else renamed_pattern(name, columns or {})
    known = [*known_names(tool, fields), *columns_of(name), *ignored]
    opening = open_rows(rows, tool.parameters[0].name, columns=columns, known=known)
    with closing(runtime.run(opening)) as source:
        first = list(islice((row for chunk in source.chunks() for row in chunk), count))
        mapping = Options(tool, None, fields, ignored, name).columns(source.columns)
        mapping.check(first)
        names = Names(name, fields, source.total)
        entries = [Entry[Any](row, names.add(row), mapping.values(row)) for row in first]
        check_values(tool, entries)
        total = source.total
    renamed = {new: old for old, new in (columns or {}).items()}
    listed = dict.fromkeys(column for row in first for column in row.columns)
    uses = {renamed.get(column, column): mapping.use(column) for column in listed}
    return Sample(total, uses, entries)
