"""`pdf_protect`: encrypts and decrypts a PDF."""

from mediakit.tools.pdf.pdf_protect.tool import pdf_protect

__all__ = ["pdf_protect"]
