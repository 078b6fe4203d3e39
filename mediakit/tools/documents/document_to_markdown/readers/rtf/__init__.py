"""Rich Text Format."""

from mediakit.tools.documents.document_to_markdown.readers.rtf.reader import read

__all__ = ["read"]
