"""Perceptual hashes, with the bits that the ImageHash library gives the same pixels."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIDE = 8
_COLOR_BITS = 3
_HUES = 6
_MAX_COLOR_PIXELS = 4_000_000
"""Pixels that the color hash counts; larger images are reduced."""


def average(gray: Image.Image) -> str:
    """Return which of 8 x 8 pixels are lighter than their mean, in 16 hexadecimal digits."""
    pixels = _pixels(gray, SIDE, SIDE)
    return _hex(pixels > pixels.mean())


def difference(gray: Image.Image) -> str:
    """Return which of 8 x 8 pixels are lighter than their left neighbor, in 16 hexadecimal digits."""
    pixels = _pixels(gray, SIDE + 1, SIDE)
    return _hex(pixels[:, 1:] > pixels[:, :-1])


def perceptual(gray: Image.Image) -> str:
    """Return which of the 8 x 8 lowest frequencies are above their median, in 16 hexadecimal digits."""
    basis = _cosines(SIDE * 4)
    low = (basis @ _pixels(gray, SIDE * 4, SIDE * 4).astype(float) @ basis.T)[:SIDE, :SIDE]
    return _hex(low > np.median(low))


def color(image: Image.Image) -> str:
    """Return the shares of black, gray and six hues, pale and bright, of RGB: 3 bits each, in 11 hexadecimal digits."""
    while image.width * image.height > _MAX_COLOR_PIXELS:
        image = image.reduce(2)
    hue, saturation, _ = (np.asarray(band).ravel() for band in image.convert("HSV").split())
    black = np.asarray(image.convert("L")).ravel() < 256 // 8
    gray = ~black & (saturation < 256 // 3)
    colored = ~black & ~gray
    faint, bright = colored & (saturation < 170), colored & (saturation > 170)
    edges = np.linspace(0, 255, _HUES + 1)
    counts = [np.histogram(hue[part], edges)[0] for part in (faint, bright)]
    shares = [black.mean(), gray.mean(), *(np.concatenate(counts) / max(1, colored.sum()))]
    levels = [min(2**_COLOR_BITS - 1, int(share * 2**_COLOR_BITS)) for share in shares]
    # The middle bit of a level is set by the highest one, too, as in ImageHash.
    bits = [bit for level in levels for bit in (level // 4 > 0, level // 2 % 4 > 0, level % 2 > 0)]
    return f"{int(''.join('01'[bit] for bit in bits), 2):011x}"


def distance(first: str, second: str) -> int:
    """Return the number of bits that differ in two hashes."""
    return (int(first, 16) ^ int(second, 16)).bit_count()


def _pixels(gray: Image.Image, width: int, height: int) -> Any:
    return np.asarray(gray.resize((width, height), Image.Resampling.LANCZOS))


def _hex(bits: NDArray[np.bool_]) -> str:
    return f"{int(''.join('01'[int(bit)] for bit in bits.ravel()), 2):016x}"


@cache
def _cosines(size: int) -> Any:
    """Return the matrix of the discrete cosine transform of type II, without norm."""
    places = np.arange(size)
    return 2 * np.cos(np.pi / size * np.outer(places, places + 0.5))
