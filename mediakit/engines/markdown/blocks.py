"""Written blocks, and helpers to join and indent them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "heading", "list", "quote", "code", "table", "rule", "definitions", "footnotes"]


@dataclass(slots=True)
class Block:
    """One written block."""

    kind: Kind
    text: str
    parts: list[str] = field(default_factory=list)
    """Items of a list, rows of a table or paragraphs of a quote. The first ones alone are a valid block too."""
    marker: str = ""
    """List marker: `-`, `*`, `.` or `)`."""


def join_blocks(blocks: Iterable[Block]) -> str:
    """Return the blocks' text, separated by blank lines."""
    return "\n\n".join(block.text for block in blocks)


def indent_lines(text: str, indent: str) -> str:
    """Indent all lines except the first one and empty ones."""
    return text.replace("\n", f"\n{indent}").replace(f"\n{indent}\n", "\n\n") if indent else text


def prefix_lines(text: str, prefix: str) -> str:
    """Put a prefix before each line."""
    return "\n".join(f"{prefix}{line}".rstrip() if not line else f"{prefix}{line}" for line in text.split("\n"))
