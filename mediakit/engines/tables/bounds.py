"""The largest table that is read."""

from mediakit.engines.tables.model import MAX_CELLS, MAX_COLUMNS, MAX_ROWS
from mediakit.engines.tables.options import ReadOptions
from mediakit.errors import InvalidInput


def check_size(rows: int, columns: int, options: ReadOptions) -> None:
    """Refuse a table that is larger than allowed.

    Raises:
        InvalidInput: It has too many rows, columns or cells; with `max_rows` only the rows wanted count.
    """
    advice = "; set max_rows to read the first ones." if options.has_max_rows else "."
    wanted = rows if options.max_rows is None else min(rows, options.max_rows)
    if options.max_rows is None and rows > MAX_ROWS:
        raise InvalidInput(f"{options.field}: has more than {MAX_ROWS:,} rows{advice}")
    if columns > MAX_COLUMNS:
        raise InvalidInput(f"{options.field}: must have at most {MAX_COLUMNS:,} columns, got {columns:,}.")
    if wanted * columns > MAX_CELLS:
        raise InvalidInput(
            f"{options.field}: must have at most {MAX_CELLS:,} cells, got {wanted:,} rows of {columns:,} columns"
            f"{advice}"
        )
