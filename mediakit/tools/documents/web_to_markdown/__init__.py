"""The `web_to_markdown` tool."""

from mediakit.tools.documents.web_to_markdown.tool import web_to_markdown

__all__ = ["web_to_markdown"]
