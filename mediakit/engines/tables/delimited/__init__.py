"""Delimited text, as CSV and TSV: its delimiter, quotes, lines above the table, header and ragged rows."""

from mediakit.engines.tables.delimited.layout import read_delimited

__all__ = ["read_delimited"]
