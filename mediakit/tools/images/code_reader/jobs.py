"""What workers are asked to do. Who asks imports this alone, and leaves the heavy parts to the worker."""

from collections.abc import Sequence
from typing import Any

from mediakit.tools.images.code_reader.wish import Wish

Mark = tuple[int, int | None, list[tuple[int, int]]]
"""Number, page and corners of a code."""


def read(content: bytes, wish: Wish) -> dict[str, Any]:
    """Read the codes of a file; see `reading.read`."""
    from mediakit.tools.images.code_reader import reading

    return reading.read(content, wish)


def drawn(content: bytes, marks: Sequence[Mark], scale: float) -> list[bytes]:
    """Draw a file with its codes framed; see `overlay.drawn`."""
    from mediakit.tools.images.code_reader import overlay

    return overlay.drawn(content, marks, scale)
