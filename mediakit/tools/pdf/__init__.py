"""Tools with the tag PDF."""
