"""Calls of a tool for many rows."""

from mediakit.batches.batch import batch
from mediakit.batches.result import BatchError, BatchResult, Report

__all__ = ["BatchError", "BatchResult", "Report", "batch"]
