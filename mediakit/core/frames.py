"""Detection of data frames and missing values of pandas, Polars, PyArrow and Dask."""

from typing import Any

TABLE_ATTRIBUTES = ("__dataframe__", "__arrow_c_stream__", "to_frame", "collect_schema", "__dask_graph__")
"""Attributes of the Series and DataFrames of pandas, PyArrow, Polars and Dask."""


def is_table(value: Any) -> bool:
    """Return whether a value is a Series or a DataFrame. Arrays, lists and indexes are not."""
    return any(hasattr(value, name) for name in TABLE_ATTRIBUTES) and not type(value).__name__.endswith("Index")


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, or `NA` or `NaT` of pandas."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or _is_nan(value)


def _is_nan(value: Any) -> bool:
    # NaN is the only number that is not equal to itself.
    return hasattr(value, "__float__") and not hasattr(value, "__len__") and bool(value != value)  # noqa: PLR0124
