"""Writes Word documents (DOCX, ECMA-376 transitional) from a tree of clean HTML.

`writer.write_docx` is the entry point. Modules here import lxml and Pillow, so only workers import them; `options` is
light.
"""
