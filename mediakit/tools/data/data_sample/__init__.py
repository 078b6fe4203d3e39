"""`data_sample`: made-up tables."""

from mediakit.tools.data.data_sample.tool import data_sample

__all__ = ["data_sample"]
