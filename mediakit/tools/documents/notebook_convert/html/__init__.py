"""Notebooks as HTML pages."""
