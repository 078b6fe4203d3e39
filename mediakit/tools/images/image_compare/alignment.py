"""Finds how far an image is shifted against another one, by phase correlation."""

from typing import Any

from PIL import Image

MAX_SHIFT = 0.05
"""Largest shift, as a share of the width and the height."""
_COARSE_SIDE = 640
_CANDIDATES = 12
_MAX_COMPARED_PIXELS = 1_500_000


def find_shift(first: Image.Image, second: Image.Image) -> tuple[int, int]:
    """Return how far the content of the second image is to the right of and below that of the first one, in pixels.

    Args:
        first: Grayscale image.
        second: Grayscale image; the sizes may differ.
    """
    limits = tuple(int(max(sides) * MAX_SHIFT) for sides in zip(first.size, second.size, strict=True))
    factor = max(1, -(-max(*first.size, *second.size) // _COARSE_SIDE))
    small = [image.reduce(factor) if factor > 1 else image for image in (first, second)]
    bounds = tuple(-(-limit // factor) for limit in limits)
    best = _best(small, [(0, 0), *_peaks(small[0], small[1], bounds)])
    while factor > 1:
        finer = max(1, factor // 2)
        reduced = [image.reduce(finer) if finer > 1 else image for image in (first, second)]
        scale = factor / finer
        center = [round(shift * scale) for shift in best]
        around = range(-2, 3)
        best = _best(reduced, [(0, 0), *((center[0] + x, center[1] + y) for x in around for y in around)])
        factor = finer
    x, y = best
    return (x, y) if abs(x) <= limits[0] and abs(y) <= limits[1] else (0, 0)


def _peaks(first: Image.Image, second: Image.Image, bounds: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the shifts with the highest phase correlation."""
    import numpy as np

    height, width = (max(sides) for sides in zip(first.size[::-1], second.size[::-1], strict=True))
    spectra = [np.fft.rfft2(_windowed(image), (height, width)) for image in (first, second)]
    cross = spectra[1] * spectra[0].conj()
    correlation = np.fft.irfft2(cross / (np.abs(cross) + 1e-9), (height, width))
    xs, ys = (np.arange(-bound, bound + 1) for bound in bounds)
    near = correlation[np.ix_(ys % height, xs % width)]
    order = np.argsort(-near, axis=None, kind="stable")[:_CANDIDATES]
    return [(int(xs[place % len(xs)]), int(ys[place // len(xs)])) for place in order]


def _windowed(image: Image.Image) -> Any:
    """Return pixels that fade to their mean at the edges, which would correlate otherwise."""
    import numpy as np

    pixels = np.asarray(image, np.float32)
    window = np.outer(*(np.hanning(side + 2)[1:-1] for side in pixels.shape))
    return (pixels - pixels.mean()) * window


def _best(images: list[Image.Image], shifts: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the shift with the least mean difference; the first one of equals."""
    import numpy as np

    first, second = (np.asarray(image) for image in images)
    step = max(1, first.size // _MAX_COMPARED_PIXELS)

    def difference(shift: tuple[int, int]) -> float:
        one, other = overlap((first.shape[1], first.shape[0]), (second.shape[1], second.shape[0]), shift)
        x0, y0, x1, y1 = one
        if x1 <= x0 or y1 <= y0:
            return 256.0
        part = first[y0:y1:step, x0:x1].astype(np.int16) - second[other[1] : other[3] : step, other[0] : other[2]]
        return float(np.abs(part).mean())

    return min(shifts, key=difference)


Box = tuple[int, int, int, int]


def overlap(first: tuple[int, int], second: tuple[int, int], shift: tuple[int, int]) -> tuple[Box, Box]:
    """Return the common part of two images in each of them: left, top, right, bottom.

    Args:
        first: Width and height.
        second: Width and height.
        shift: How far the content of the second image is to the right of and below that of the first one.
    """
    left, top = max(0, -shift[0]), max(0, -shift[1])
    right, bottom = min(first[0], second[0] - shift[0]), min(first[1], second[1] - shift[1])
    x, y = shift
    return (left, top, right, bottom), (left + x, top + y, right + x, bottom + y)
