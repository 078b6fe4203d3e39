"""Tables as Parquet, with polars."""

import io

from mediakit.engines.tables.model import Table
from mediakit.engines.tables.python_tables import polars_frame


def parquet(table: Table) -> bytes:
    """Return a table as a Parquet file.

    Raises:
        InvalidInput: polars is not installed.
    """
    file = io.BytesIO()
    polars_frame(table).write_parquet(file, compression="zstd", statistics=True)
    return file.getvalue()
