"""`notebook_convert`: a Jupyter notebook as a web page, a PDF, Markdown or a script."""

from mediakit.tools.documents.notebook_convert.tool import notebook_convert

__all__ = ["notebook_convert"]
