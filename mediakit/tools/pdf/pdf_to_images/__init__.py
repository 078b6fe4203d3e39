"""`pdf_to_images`: draws the pages of a PDF as images."""

from mediakit.tools.pdf.pdf_to_images.tool import pdf_to_images

__all__ = ["pdf_to_images"]
