"""Opens and reads the rows of a batch."""

import asyncio
from typing import Any

from mediakit.batches.sources import open_rows
from mediakit.batches.sources.rows import Row, RowSource


def opened(source: Any, first: str = "data", **options: Any) -> RowSource:
    return asyncio.run(open_rows(source, first, **options))


def rows_of(source: Any, first: str = "data", **options: Any) -> list[Row]:
    return [row for chunk in opened(source, first, **options).chunks() for row in chunk]


def values_of(source: Any, first: str = "data", **options: Any) -> list[dict[str, Any]]:
    return [dict(row.values) for row in rows_of(source, first, **options)]
