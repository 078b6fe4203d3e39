"""Font programs without the glyphs that a PDF does not show."""
