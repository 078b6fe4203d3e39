"""`markdown_convert`: converts Markdown to an HTML page, a PDF or a Word document."""

from mediakit.tools.documents.markdown_convert.tool import markdown_convert

__all__ = ["markdown_convert"]
