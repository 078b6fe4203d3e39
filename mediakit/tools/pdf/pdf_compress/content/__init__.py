"""Reads what content streams draw: which images at which size, and which characters of which font."""
