"""Workbooks of Excel in XML (XLSX, XLSM): their sheets as tables of what the cells show."""

from mediakit.tools.documents.document_to_markdown.readers.workbook.workbook import read

__all__ = ["read"]
