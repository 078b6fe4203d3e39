"""`pdf_split`: a PDF becomes several."""

from mediakit.tools.pdf.pdf_split.tool import pdf_split

__all__ = ["pdf_split"]
