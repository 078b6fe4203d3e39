"""`pdf_compress`: a smaller PDF with the same pages."""

from mediakit.tools.pdf.pdf_compress.tool import pdf_compress

__all__ = ["pdf_compress"]
