"""`pdf_pages`: the pages of a PDF are chosen, turned, cropped, resized and put on sheets."""

from mediakit.tools.pdf.pdf_pages.tool import pdf_pages

__all__ = ["pdf_pages"]
