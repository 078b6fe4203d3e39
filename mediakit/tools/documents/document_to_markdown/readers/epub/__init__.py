"""EPUB publications."""

from mediakit.tools.documents.document_to_markdown.readers.epub.publication import read

__all__ = ["read"]
