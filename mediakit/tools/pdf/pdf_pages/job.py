"""What travels to the worker and back: plain values, without pikepdf."""

from dataclasses import dataclass, field
from typing import Literal

from mediakit.engines.paper import PaperFormat

Paper = PaperFormat | Literal["first"]


@dataclass(frozen=True)
class PagesJob:
    """A PDF, and what becomes of its pages."""

    file: bytes = field(repr=False)
    pages: str | None = None
    """Pages of the result in their order; None for all."""
    remove: str | None = None
    """Pages to leave out."""
    rotate: int = 0
    """Degrees clockwise."""
    rotate_pages: str | None = None
    n_up: int = 1
    """Pages on a sheet."""
    paper: Paper | None = None
    crop: tuple[float, float, float, float] | None = None
    """Millimeters at the top, right, bottom and left."""
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Arranged:
    """The result."""

    content: bytes = field(repr=False)
    pages: int
    original_pages: int
    warnings: list[str]
