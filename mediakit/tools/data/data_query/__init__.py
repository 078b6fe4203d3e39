"""`data_query`: SQL over tables."""

from mediakit.tools.data.data_query.tool import data_query

__all__ = ["data_query"]
