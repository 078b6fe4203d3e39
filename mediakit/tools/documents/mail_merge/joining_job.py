"""What travels to the worker that joins PDFs, and back."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class JoinJob:
    """PDFs and the titles of their bookmarks."""

    contents: Sequence[bytes] = field(repr=False)
    titles: Sequence[str]


@dataclass(frozen=True)
class Joined:
    """One PDF of all."""

    content: bytes = field(repr=False)
    pages: int
    warnings: list[str]
