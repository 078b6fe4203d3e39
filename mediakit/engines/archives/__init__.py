"""Reads archives whose content is not trusted: their entries, limits against decompression bombs, and safe names.

`container` reads files that are ZIP archives themselves, such as DOCX, XLSX, ODT and EPUB.
"""
