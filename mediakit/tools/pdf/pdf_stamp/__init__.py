"""`pdf_stamp`: text, images, QR codes or PDF pages on the pages of a PDF."""

from mediakit.tools.pdf.pdf_stamp.tool import pdf_stamp

__all__ = ["pdf_stamp"]
