"""Blocks: what a written page consists of, and how they stand below each other."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "heading", "list", "quote", "code", "table", "rule", "definitions", "notes"]


@dataclass(slots=True)
class Block:
    """One block, finished."""

    kind: Kind
    text: str
    parts: list[str] = field(default_factory=list)
    """Items of a list or paragraphs of a quote, of which the first ones alone make a block, too."""
    marker: str = ""
    """How the items of a list begin: `-`, `*`, `.` or `)`."""


def joined(blocks: Iterable[Block]) -> str:
    """Write blocks below each other."""
    return "\n\n".join(block.text for block in blocks)


def indented(text: str, indent: str) -> str:
    """Put spaces before every line but the first and the empty ones."""
    return text.replace("\n", f"\n{indent}").replace(f"\n{indent}\n", "\n\n") if indent else text


def prefixed(text: str, prefix: str) -> str:
    """Put a prefix before every line."""
    return "\n".join(f"{prefix}{line}".rstrip() if not line else f"{prefix}{line}" for line in text.split("\n"))
