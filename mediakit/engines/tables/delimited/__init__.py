"""Delimited text, as CSV and TSV: its delimiter, quotes, lines above the table, header and ragged rows."""

import csv

from mediakit.engines.tables.delimited.layout import read_delimited

__all__ = ["read_delimited"]

csv.field_size_limit(2**31 - 1)  # of the whole process; the limits of a table are those of `bounds`
