"""Writes a PDF as Markdown."""

from mediakit.engines.pdf.reading.markdown.writer import write_markdown

__all__ = ["write_markdown"]
