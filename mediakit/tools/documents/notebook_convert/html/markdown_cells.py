"""Markdown of a notebook as HTML."""

import re
from html import escape, unescape

from mediakit.engines.notebooks.images import NotebookImage, read_attachment
from mediakit.engines.notebooks.model import Cell
from mediakit.tools.documents.notebook_convert.html.images import embed_images
from mediakit.tools.documents.notebook_convert.html.maths import mark_formulas
from mediakit.tools.documents.notebook_convert.remarks import Remarks

SCHEME = "attachment:"

_HEADING = re.compile(r'<(h[1-6]) id="[^"]*">(.{0,2000}?)</\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def markdown_html(markdown: str, remarks: Remarks, cell: Cell | None = None) -> str:
    """Return Markdown as clean HTML.

    Args:
        markdown: The text.
        remarks: Counts what cannot be shown.
        cell: The cell whose attachments the text refers to.
    """
    from mediakit.engines.rich_text.rendering import render_markdown

    attached: dict[str, NotebookImage] = {}
    text = mark_formulas(markdown)
    attachments = sorted(cell.attachments.items(), key=lambda item: -len(item[0])) if cell else ()
    for number, (name, forms) in enumerate(attachments, start=1):  # a name may begin with another one
        address = f"attachment-{number}"
        if image := read_attachment(forms):
            attached[address] = image
        for written in {name, name.replace(" ", "%20")}:
            text = text.replace(f"{SCHEME}{written}", address)
    html = _HEADING.sub(_with_jupyter_anchor, render_markdown(text))
    for _ in range(html.count('class="math-source"')):
        remarks.add("formula")
    return embed_images(html, attached, remarks)


def _with_jupyter_anchor(heading: re.Match[str]) -> str:
    """Return a heading with the anchor that Jupyter gives it, to which links in notebooks refer."""
    anchor = "-".join(unescape(_TAG.sub("", heading[2])).split())
    return f'<{heading[1]} id="{escape(anchor)}">{heading[2]}</{heading[1]}>'
