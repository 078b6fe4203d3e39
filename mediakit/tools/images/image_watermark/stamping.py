"""Puts a mark on pixels. Pixels that the mark does not cover stay equal."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

STRIP_PIXELS = 4_000_000
"""Pixels of an image that are processed at once, to limit memory."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


@dataclass(frozen=True)
class Stamp:
    """A mark with its place."""

    mark: Image.Image
    """RGBA."""
    left: int = 0
    top: int = 0
    gap_pct: float | None = None
    """If set, the mark is repeated over the whole image, with gaps in percent of the mark."""

    def parts(self, size: tuple[int, int]) -> Iterator[tuple[Box, Image.Image]]:
        """Yield boxes of an image, each with the RGBA image that goes over it."""
        if self.gap_pct is None:
            box = self.left, self.top, self.left + self.mark.width, self.top + self.mark.height
            yield box, self.mark
            return
        cell = _cell(self.mark, self.gap_pct)
        width, height = size
        rows = max(1, STRIP_PIXELS // width)
        columns = np.arange(width) % cell.shape[1]
        for top in range(0, height, rows):
            bottom = min(height, top + rows)
            strip = cell[np.arange(top, bottom) % cell.shape[0]][:, columns]
            yield (0, top, width, bottom), Image.fromarray(strip)


def stamp_image(image: Image.Image, stamp: Stamp) -> Image.Image:
    """Return an image (L, LA, RGB or RGBA) with the stamp on it, in the same mode."""
    result = image.copy()
    for box, over in stamp.parts(image.size):
        under = image.crop(box).convert("RGBA")
        under.alpha_composite(over)
        result.paste(_converted(under, image.mode), box[:2])
    return result


def stamp_deep(pixels: NDArray[np.uint16], stamp: Stamp) -> NDArray[np.uint16]:
    """Return 16-bit pixels (1 to 4 channels) with the stamp on them."""
    result = pixels.copy()
    height, width, channels = pixels.shape
    for (left, top, right, bottom), over in stamp.parts((width, height)):
        mark = np.asarray(over)
        colors = mark[..., :1] if channels < 3 else mark[..., :3]
        area = result[top:bottom, left:right]
        area[...] = _over(area, colors.astype(np.float64) * 257, mark[..., 3:].astype(np.float64) / 255)
    return result


def _over(under: NDArray[np.uint16], colors: NDArray[np.float64], alpha: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Composite colors over pixels (Porter and Duff's operator "over")."""
    if under.shape[2] in (1, 3):
        mixed = under + (colors - under) * alpha
    else:
        below = under[..., -1:] / 65535
        total = alpha + below * (1 - alpha)
        weight = np.divide(alpha, total, out=np.zeros_like(alpha), where=total > 0)
        mixed = np.concatenate((under[..., :-1] + (colors - under[..., :-1]) * weight, total * 65535), axis=2)
    return np.where(alpha > 0, mixed.round(), under).astype(np.uint16)


def _converted(image: Image.Image, mode: str) -> Image.Image:
    if mode == "L":
        return image.getchannel("R")
    if mode == "LA":
        return Image.merge("LA", (image.getchannel("R"), image.getchannel("A")))
    return image.convert(mode) if mode == "RGB" else image


def _cell(mark: Image.Image, gap_pct: float) -> NDArray[np.uint8]:
    """Return two rows of the pattern: the second is shifted by half the distance."""
    width = mark.width + max(1, round(mark.width * gap_pct / 100))
    height = mark.height + max(1, round(mark.height * gap_pct / 100))
    row = np.zeros((height, width, 4), np.uint8)
    row[: mark.height, : mark.width] = np.asarray(mark)
    return np.concatenate((row, np.roll(row, width // 2, axis=1)))
