"""Word documents."""

from mediakit.tools.documents.document_to_markdown.readers.docx.document import read

__all__ = ["read"]
