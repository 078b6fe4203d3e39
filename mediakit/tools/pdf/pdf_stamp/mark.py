"""A mark: what is drawn on a page, before it has a place."""

from dataclasses import dataclass
from typing import Literal

import pikepdf


@dataclass(frozen=True)
class Mark:
    """A form XObject of the result with its box; the origin is the bottom left."""

    form: pikepdf.Object
    width: float
    """Width of the box at scale 1, in points."""
    height: float


ArtifactKind = Literal["Header", "Footer", "Watermark"]
"""Kinds of pagination artifacts (ISO 32000-2, 14.8.2.2)."""
