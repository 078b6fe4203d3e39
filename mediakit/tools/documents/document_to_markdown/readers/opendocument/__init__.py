"""OpenDocument texts and presentations."""

from mediakit.tools.documents.document_to_markdown.readers.opendocument.document import read

__all__ = ["read"]
