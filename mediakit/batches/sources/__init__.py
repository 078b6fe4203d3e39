"""The rows of a batch from tables, iterables, files and queries, read in chunks.

    source = await open_rows("guests.csv", "data", columns={"Name": "recipient"})
    for chunk in source.chunks():
        ...

`opening` chooses the module of a kind of source. A source reads its rows lazily, and `RowMaker` builds them.
"""

from mediakit.batches.sources.opening import open_rows
from mediakit.batches.sources.replaced import ReplacedRows
from mediakit.batches.sources.source import CHUNK_ROWS, RowSource

__all__ = ["CHUNK_ROWS", "ReplacedRows", "RowSource", "open_rows"]
