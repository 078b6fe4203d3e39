"""Sizes and positions of marks."""

from mediakit.core.fields import Position

Size = tuple[int, int]


def mark_size(image: Size, aspect: float, size_pct: float) -> tuple[Size, bool]:
    """Return width and height of a mark before it is rotated, and whether it was made smaller to fit.

    Args:
        image: Width and height of the image.
        aspect: Height of the mark divided by its width.
        size_pct: Width in percent of the image's shorter side.
    """
    width = max(1.0, min(image) * size_pct / 100)
    height = width * aspect
    scale = min(1.0, image[0] / width, image[1] / height)
    fitted = max(1, round(width * scale)), max(1, round(height * scale))
    return fitted, scale < 1


def offset(position: Position, image: Size, mark: Size, margin: int) -> Size:
    """Return left and top of a mark. A mark that fits never leaves the image, whatever the margin."""
    words = position.split()
    return (
        _on_axis(image[0] - mark[0], margin, at_start="left" in words, at_end="right" in words),
        _on_axis(image[1] - mark[1], margin, at_start="top" in words, at_end="bottom" in words),
    )


def _on_axis(free: int, margin: int, *, at_start: bool, at_end: bool) -> int:
    if not at_start and not at_end:
        return free // 2
    return max(0, min(free, margin if at_start else free - margin))
