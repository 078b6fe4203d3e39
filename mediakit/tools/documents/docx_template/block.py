"""What a preview shows: plain values, without lxml."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Block:
    """A paragraph, or the rows of a table."""

    text: str = ""
    level: int = 0
    """The level of a heading, from 1; 0 for text."""
    rows: list[list[str]] = field(default_factory=list)
