"""Rows of a streamed batch that is tried again with changed values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources import ReplacedRows, RowSource
from mediakit.batches.targets import Manifest


def with_changes(
    source: RowSource, manifest: Manifest, changes: Mapping[str, Any], aliases: Callable[[str], Sequence[str]]
) -> RowSource:
    """Return the rows of a source, with changed values in those that have no file.

    Args:
        source: The rows.
        manifest: The outcomes of the rows.
        changes: New values by field or template key.
        aliases: Returns every name of a field.
    """
    has_file = _rows_with_file(manifest)

    def changed(row: Row) -> Row:
        is_made = row.number <= len(has_file) and has_file[row.number - 1]
        return row if is_made else row.replaced(changes, aliases)

    return ReplacedRows(source, changed, changes)


def _rows_with_file(manifest: Manifest) -> bytearray:
    """Return 1 for each row with a file, in one byte, because a table can have millions of rows."""
    found = bytearray()
    for record in manifest.records():
        if record.file:
            found.extend(bytes(max(0, record.row - len(found))))
            found[record.row - 1] = 1
    return found
