"""Reads the structure of a document, from its tags or its layout: headings, paragraphs, lists, code and tables."""
