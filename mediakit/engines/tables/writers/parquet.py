"""Tables as Parquet, with polars."""

import io

from mediakit.engines.tables.frames import polars_frame
from mediakit.engines.tables.model import Table


def parquet(table: Table) -> bytes:
    """Return a table as a Parquet file.

    Raises:
        InvalidInput: polars is not installed.
    """
    file = io.BytesIO()
    polars_frame(table).write_parquet(file, compression="zstd", statistics=True)
    return file.getvalue()
