"""Tables on the pages of a PDF. Importing this package does not import PyMuPDF."""

from mediakit.engines.pdf.tables.detection import find_tables
from mediakit.engines.pdf.tables.table import Span, Table, column_names

__all__ = ["Span", "Table", "column_names", "find_tables"]
