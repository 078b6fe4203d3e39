"""`data_profile`: what is in the columns of a table, and what is wrong with them."""

from mediakit.tools.data.data_profile.tool import data_profile

__all__ = ["data_profile"]
