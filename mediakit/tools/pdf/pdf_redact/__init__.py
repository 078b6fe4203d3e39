"""`pdf_redact`: words, personal data and areas are removed from a PDF, and the removal is verified."""

from mediakit.tools.pdf.pdf_redact.tool import pdf_redact

__all__ = ["pdf_redact"]
