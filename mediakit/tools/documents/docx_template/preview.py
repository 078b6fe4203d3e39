"""The text of a Word document as HTML, for notebooks. It runs and loads nothing."""

from collections.abc import Sequence
from html import escape

from mediakit.core.runtime import runtime
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import MediakitError
from mediakit.tools.documents.docx_template.block import Block

MAX_CHARACTERS = 12_000
"""Characters that are saved in the notebook file."""

_BOX = (
    "max-height:30em;overflow:auto;margin:10px 0 0;padding:10px 0 0;border-top:1px solid rgba(128,128,128,.25);"
    "overflow-wrap:anywhere;background:none;color:inherit"
)
_TEXT = "margin:0 0 6px;white-space:pre-wrap"
_HEADING = "margin:{above}px 0 5px;font-size:{size}px;font-weight:600;line-height:1.3"
_SIZES = {1: 18, 2: 15}
_TABLE = "border-collapse:collapse;margin:4px 0 10px;font-variant-numeric:tabular-nums;background:none"
_CELL = (
    "border:0;border-bottom:1px solid rgba(128,128,128,.28);padding:4px 14px 4px 0;text-align:left;"
    "vertical-align:top;white-space:pre-wrap;overflow-wrap:break-word"
)


def preview_html(content: bytes) -> str:
    """Return the first paragraphs and tables of a document; empty if it cannot be read."""
    try:
        work = "mediakit.tools.documents.docx_template.outline:outline"
        blocks = runtime.run(run_guarded(work, content, returns=list[Block], guard=Guard(seconds=10)))
    except MediakitError:  # the file itself is what the call returned, and can be saved
        return ""
    shown, characters = [], 0
    for block in blocks:
        characters += len(block.text) + sum(len(cell) for row in block.rows for cell in row)
        if characters > MAX_CHARACTERS:
            shown.append(f'<div style="{_TEXT};opacity:.7">…</div>')
            break
        shown.append(_table(block.rows) if block.rows else _paragraph(block, is_first=not shown))
    if not shown:
        return ""
    return f'<div tabindex="0" role="region" aria-label="Document" style="{_BOX}" dir="auto">{"".join(shown)}</div>'


def _paragraph(block: Block, *, is_first: bool) -> str:
    style = _TEXT
    if block.level:
        style = _HEADING.format(size=_SIZES.get(block.level, 14), above=0 if is_first else 12)
    return f'<div style="{style}" dir="auto">{escape(block.text)}</div>'


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = ("".join(f'<td style="{_CELL}" dir="auto">{escape(cell)}</td>' for cell in row) for row in rows)
    return f'<table style="{_TABLE}">{"".join(f"<tr>{line}</tr>" for line in lines)}</table>'
