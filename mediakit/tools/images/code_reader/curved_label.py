"""Flattening of codes on cylinders: the bow is measured at the edges of the code, and the bend is varied."""

import math
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from mediakit.tools.images.code_reader import scan_passes
from mediakit.tools.images.code_reader.detection import Point
from mediakit.tools.images.code_reader.scan_passes import MapBack

Array = np.ndarray[Any, np.dtype[Any]]

MARGIN = 0.16
"""Margin of a view on each side relative to the longer side of its region."""

BENDS = (0.8, 0.9, 0.7, 0.95)
"""Sines of the angle between the center of a code and its edges."""

BINS = 16
"""Parts of the width of a code in which its upper and lower edges are measured."""

MIN_INK = 0.12
"""Minimum share of dark pixels in a column of a code, relative to the median of all columns."""

THRESHOLD_RADIUS = 40

QUIET_PIXELS = 24
"""Width of the border that replaces the quiet zone."""


def flatten(view: Image.Image, bend: float) -> tuple[Image.Image, MapBack] | None:
    """Return the code of a view without its curvature; None if the view has no code-like area.

    Args:
        view: A code with its quiet zone, approximately upright.
        bend: Sine of the angle between the center of the code and its left or right edge, on the cylinder.
    """
    ink = np.asarray(scan_passes.threshold(THRESHOLD_RADIUS, 12)(view)) == 0
    columns = ink.sum(0)
    filled = np.flatnonzero(columns > MIN_INK * np.median(columns[columns > 0])) if columns.any() else columns[:0]
    if filled.size < 2 * BINS:
        return None
    left, right = int(filled[0]), int(filled[-1]) + 1
    bow = _bow(ink[:, left:right], bend)
    flat, back = scan_passes.flatten_cylinder(bend, bow)(view.crop((left, 0, right, view.height)))

    def back_to_view(point: Point) -> Point:
        x, y = back((point[0] - QUIET_PIXELS, point[1] - QUIET_PIXELS))
        return x + left, y

    light = int(np.percentile(np.asarray(flat), 90))
    return ImageOps.expand(flat, QUIET_PIXELS, light), back_to_view


def _bow(ink: Array, bend: float) -> float:
    """Return how far the edges of a code rise from the center to the ends, relative to its width."""
    height, width = ink.shape
    starts = np.linspace(0, width, BINS + 1).astype(int)
    angle = (np.arange(BINS) + 0.5) / BINS * 2 - 1
    shape = 1 - np.sqrt(1 - (angle * bend) ** 2)
    basis = np.stack((np.ones(BINS), angle, shape / (1 - math.sqrt(1 - bend * bend))), 1)
    bows = []
    for rows in (ink, ink[::-1]):
        first = np.where(rows.any(0), rows.argmax(0), height)
        edge = np.minimum.reduceat(first, starts[:-1])
        bows.append(float(np.linalg.lstsq(basis, edge, rcond=None)[0][2]))
    upper, lower = bows
    return (lower - upper) / 2 / float(width)
