"""Converts HTML to Markdown and to plain text.

The Markdown is CommonMark with GitHub's tables, strikethrough, task lists and footnotes. `parser.parse_html` parses
HTML, `writer.write_blocks` walks the tree once and returns blocks, and `truncate.truncate` joins them up to a length.
"""
