"""What travels to the worker and back: plain values, without pikepdf."""

from dataclasses import dataclass, field
from typing import Literal

Level = Literal["lossless", "medium", "strong"]

UNCHANGED = "unchanged"
"""`level_used` of a file that cannot be made smaller."""


@dataclass(frozen=True)
class CompressJob:
    """A file to compress, and how."""

    content: bytes = field(repr=False)
    level: Level = "medium"
    max_bytes: int | None = None
    image_dpi: int | None = None
    image_quality: int | None = None
    grayscale: bool = False
    password: str | None = field(default=None, repr=False)


@dataclass
class ImageCount:
    """Images of one kind: how many there are, and how many were recompressed."""

    kind: str
    """`jpeg`, `jpeg2000`, `jbig2`, `ccitt` or `lossless`, as they are stored in the original."""
    count: int = 0
    recompressed: int = 0


@dataclass(frozen=True)
class Compressed:
    """The result."""

    content: bytes = field(repr=False)
    pages: int
    images: list[ImageCount]
    level_used: str
    warnings: list[str]
