"""Converts the pages of a PDF to Markdown."""

from mediakit.engines.markdown.blocks import truncate
from mediakit.engines.pdf.reading.markdown.document import read_document
from mediakit.engines.pdf.reading.markdown.writing import write_elements
from mediakit.engines.pdf.reading.pdf_file import PdfFile


def write_markdown(file: PdfFile, *, keeps_headers: bool, max_chars: int) -> tuple[str, bool]:
    """Return a PDF as Markdown of at most `max_chars` characters, and whether it was cut."""
    return truncate(write_elements(read_document(file, keeps_headers=keeps_headers)), max_chars)
