"""OpenDocument texts."""

from mediakit.tools.documents.document_to_markdown.readers.odt.document import read

__all__ = ["read"]
