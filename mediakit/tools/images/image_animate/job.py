"""What travels to the worker and back: plain values."""

from dataclasses import dataclass, field
from typing import Literal

Format = Literal["webp", "gif", "png"]
Fit = Literal["contain", "cover", "fill"]


@dataclass(frozen=True)
class AnimateJob:
    """Images, or one animation, and how to show them."""

    files: list[bytes] = field(repr=False)
    delay_ms: int | list[int] | None = None
    loop: int | None = None
    format: Format = "webp"
    width: int | None = None
    height: int | None = None
    fit: Fit = "contain"
    background: str | None = None
    quality: int = 80
    crossfade_ms: int = 0
    bounce: bool = False
    max_bytes: int | None = None


@dataclass(frozen=True)
class Timeline:
    """What all results tell."""

    width: int
    height: int
    delays_ms: list[int]
    loop: int
    warnings: list[str]


@dataclass(frozen=True)
class Animated:
    """An animation."""

    content: bytes = field(repr=False)
    timeline: Timeline
    colors: int | None
    """Size of the largest palette of a GIF, or of a PNG that was reduced to a palette."""
    quality: int | None
    """Quality of a WebP; 100 if it is lossless."""


@dataclass(frozen=True)
class Separated:
    """The frames as PNG files."""

    images: list[bytes] = field(repr=False)
    timeline: Timeline
