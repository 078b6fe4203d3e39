"""Writes Markdown: tokens of lines, escapes, blocks, and truncation at a block.

The Markdown is CommonMark with GitHub's tables, strikethrough, task lists and footnotes. The tools that convert web
pages, PDFs and documents share these modules, so that their output has one style. `html` converts a tree of HTML.
"""
