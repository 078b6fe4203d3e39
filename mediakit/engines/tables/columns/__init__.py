"""The types of columns: a column of texts has a type only where all of its cells fit it."""

from mediakit.engines.tables.columns.natives import typed_values
from mediakit.engines.tables.columns.texts import typed_texts

__all__ = ["typed_texts", "typed_values"]
