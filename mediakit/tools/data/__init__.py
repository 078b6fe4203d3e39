"""Tools for data."""
