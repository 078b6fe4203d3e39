"""Converts HTML to Markdown and to plain text.

`parser.parse_html` parses HTML, and `writer.write_blocks` walks the tree once and returns blocks. The style of the
Markdown is that of `mediakit.engines.markdown`.
"""
