"""Calls of a tool for many rows."""

from typing import Any

from mediakit.batches.batch import batch
from mediakit.batches.result import BatchError, BatchResult, Report, latest

__all__ = ["BatchError", "BatchResult", "Report", "batch", "last_batch"]

last_batch: BatchResult[Any]
"""The result of the last batch, also if it was interrupted; empty before the first batch."""


def __getattr__(name: str) -> Any:
    if name == "last_batch":
        return latest.result
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
