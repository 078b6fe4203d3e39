"""The types of texts: markup, data and source code, by light rules."""
