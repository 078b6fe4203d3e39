"""Readers of documents: a module for each family of formats, with a function `read(content, options) -> Document`."""

from collections.abc import Mapping

from mediakit.tools.documents.document_to_markdown.kinds import Kind

PACKAGE = __name__

READERS: Mapping[Kind, str] = {
    "pptx": "slides",
    "xlsx": "sheets.workbook",
    "xlsm": "sheets.workbook",
    "xlsb": "sheets.binary_workbook",
    "xls": "sheets.binary_workbook",
    "ods": "sheets.opendocument",
    "odp": "open_slides",
    "docx": "docx",
    "ipynb": "notebook",
    "pdf": "portable_document",
    "odt": "odt",
    "epub": "epub",
    "rtf": "rtf",
    "html": "html_page",
    "csv": "sheets.delimited",
    "tsv": "sheets.delimited",
}
"""The module that reads a kind of document. It is imported in the worker."""
