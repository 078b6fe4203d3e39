"""`pdf_info`: describes a PDF, and changes its metadata, outline, attachments and labels."""

from mediakit.tools.pdf.pdf_info.tool import pdf_info

__all__ = ["pdf_info"]
