"""Extracts the title, authors, date and other metadata of a page."""
