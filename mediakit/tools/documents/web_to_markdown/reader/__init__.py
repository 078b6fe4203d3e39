"""Extracts the main content and the metadata of a web page."""
