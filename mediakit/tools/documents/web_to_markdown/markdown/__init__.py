"""HTML to Markdown (CommonMark and GitHub's tables, strikethrough, task lists, footnotes) and to plain text.

`tree.parse` reads HTML, `writer.write` walks the tree once and gives blocks, `cut.cut` joins them within a length.
"""
