"""Tools for validation."""
