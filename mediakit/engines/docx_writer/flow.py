"""Where a block stands: its style, indentation, list and alignment."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.docx_writer.spans import PLAIN, Format
from mediakit.engines.docx_writer.style_elements import QUOTE_INDENT

Alignment = Literal["left", "center", "right", "both"]

ALIGNMENTS: Mapping[str, Alignment] = {"left": "left", "center": "center", "right": "right", "justify": "both"}
"""Alignments by the values of CSS and of the attribute `align`."""

STYLE_INDENTS = {"Quote": QUOTE_INDENT, "Definition": 360}
"""Indentation that paragraph styles have by themselves, in twips."""


@dataclass(frozen=True)
class Flow:
    """The place of a block."""

    width: int
    """Width of the area that the block is in, in twips."""
    style: str | None = None
    """ID of the style of paragraphs; None for Normal."""
    indent: int = 0
    """Indentation of the block, in twips."""
    list_level: int = -1
    """Level of the innermost list, from 0."""
    format: Format = PLAIN
    align: Alignment | None = None
    rtl: bool = False
    is_document_rtl: bool = False

    @property
    def text_width(self) -> int:
        """Width of a line of the block, in twips."""
        return max(400, self.width - self.indent)

    @property
    def style_indent(self) -> int:
        """Indentation that the style of the block has by itself, in twips."""
        style = self.style or ""
        return QUOTE_INDENT if style.startswith("Alert") else STYLE_INDENTS.get(style, 0)
