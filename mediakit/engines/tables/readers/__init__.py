"""Readers, one per kind of source."""
