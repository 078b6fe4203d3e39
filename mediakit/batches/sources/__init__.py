"""Opens the rows of a batch, whatever they come from; they are read in chunks."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mediakit.batches.sources.objects import open_frame, open_iterable, open_lazy, open_query
from mediakit.batches.sources.rows import Renaming, RowSource
from mediakit.batches.sources.tables import open_file
from mediakit.core.inputs import FileBytes, is_table, paths_in
from mediakit.engines.tables.row_files import source_of
from mediakit.errors import InvalidInput


async def open_rows(
    source: Any, first: str, *, columns: Mapping[str, str] | None = None, known: Iterable[str] = ()
) -> RowSource:
    """Return the rows of a table, an iterable, a dictionary of named rows, a query, a result, a table file or a folder.

    Args:
        source: The rows, a result of a tool, the path of a table file or its content with a name, or a folder or a
            pattern of paths, whose files are the rows.
        first: The column for values that are not mappings.
        columns: New names of columns by their names in the source.
        known: Names that columns may have. A first row with one of them is the header of a text file.

    Raises:
        InvalidInput: The source has another type or is damaged, or its columns are invalid.
    """
    renaming = Renaming(columns, known)
    source = source_of(source)
    if isinstance(source, str | os.PathLike | FileBytes):
        try:
            files = [] if isinstance(source, FileBytes) or source == "" else paths_in(Path(source))
        except ValueError as error:
            raise InvalidInput(f"rows: {error}") from None
        if files:
            return open_iterable(files, first, renaming)
        return await open_file(source, first, renaming)
    if isinstance(source, Mapping):
        return open_iterable(source, first, renaming)
    if found := open_query(source, first, renaming) or open_lazy(source, first, renaming):
        return found
    if is_table(source):
        return _open_table(source, first, renaming)
    if isinstance(source, Iterable) and not isinstance(source, str | bytes | bytearray):
        return open_iterable(source, first, renaming)
    raise _unsupported(source)


def _open_table(source: Any, first: str, renaming: Renaming) -> RowSource:
    import narwhals as nw

    try:
        frame = nw.from_native(source, allow_series=True)
    except TypeError:
        raise _unsupported(source) from None
    except nw.exceptions.DuplicateError:
        raise InvalidInput("rows: two columns have one name; names must be unique.") from None
    if not isinstance(frame, nw.LazyFrame):
        return open_frame(frame, first, renaming)
    return open_lazy(frame.to_native(), first, renaming) or open_frame(frame.collect(), first, renaming)


def _unsupported(source: Any) -> InvalidInput:
    if hasattr(source, "compile") and hasattr(source, "selected_columns"):  # of SQLAlchemy, not executed
        return InvalidInput("rows: must be the result of a statement, such as connection.execute(statement).")
    return InvalidInput(
        "rows: must be a DataFrame, an iterable of dictionaries or values, a dictionary, the result of a query "
        f"or a tool, or the path of a table file, got {type(source).__name__}."
    )
