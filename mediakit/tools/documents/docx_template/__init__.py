"""`docx_template`: lists and fills the placeholders of a Word document."""

from mediakit.tools.documents.docx_template.tool import docx_template

__all__ = ["docx_template"]
