"""`pdf_merge`: PDFs and images become one PDF."""

from mediakit.tools.pdf.pdf_merge.tool import pdf_merge

__all__ = ["pdf_merge"]
