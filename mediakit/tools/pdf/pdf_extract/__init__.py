"""`pdf_extract`: text, Markdown, tables, words, links and images of a PDF."""

from mediakit.tools.pdf.pdf_extract.tool import pdf_extract

__all__ = ["pdf_extract"]
