"""PowerPoint presentations (PPTX, PPTM, PPSX, POTX): slides in visual reading order."""

from mediakit.tools.documents.document_to_markdown.readers.slides.presentation import read

__all__ = ["read"]
