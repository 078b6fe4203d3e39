"""Vector drawings: shapes and lines of text in the bundled typeface, written as SVG with a web font or as outlines."""
