"""What tables of pandas, Polars, PyArrow and Dask have in common."""

from typing import Any

TABLE_MARKS = ("__dataframe__", "__arrow_c_stream__", "to_frame", "collect_schema", "__dask_graph__")
"""What Series and DataFrames have: those of pandas, PyArrow, Polars and Dask."""


def is_table(value: Any) -> bool:
    """Tell a Series or a DataFrame by what their authors call their parts; arrays, lists and indexes are none."""
    return any(hasattr(value, mark) for mark in TABLE_MARKS) and not type(value).__name__.endswith("Index")


def is_missing(value: Any) -> bool:
    """Tell None, NaN and what pandas has in their place."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or _is_nan(value)


def _is_nan(value: Any) -> bool:
    # Of all numbers NaN alone is not equal to itself.
    return hasattr(value, "__float__") and not hasattr(value, "__len__") and bool(value != value)  # noqa: PLR0124
