"""Tools with the tag Documents."""
