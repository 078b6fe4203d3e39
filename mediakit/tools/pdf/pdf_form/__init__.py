"""`pdf_form`: lists, fills and flattens the fields of a PDF form."""

from mediakit.tools.pdf.pdf_form.tool import pdf_form

__all__ = ["pdf_form"]
