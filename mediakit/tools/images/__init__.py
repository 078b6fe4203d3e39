"""Tools with the tag Images."""
