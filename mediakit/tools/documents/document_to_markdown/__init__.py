"""The `document_to_markdown` tool."""

from mediakit.tools.documents.document_to_markdown.tool import document_to_markdown

__all__ = ["document_to_markdown"]
