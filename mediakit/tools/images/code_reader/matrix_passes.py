"""Passes over the surroundings of a probable matrix code.

All views have one size, so that the filters fit their modules.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader import scan_passes
from mediakit.tools.images.code_reader.detection import Point
from mediakit.tools.images.code_reader.matrix_regions import MatrixRegion

Array = np.ndarray[Any, np.dtype[Any]]

VIEW_PIXELS = 320
"""Longer side of a view in pixels; modules are 4 to 12 pixels wide."""

MARGIN = 0.25
"""Margin on each side relative to the longer side of a region; deblurring requires the quiet zone."""

PAD = 16
"""Pixels by which a view is extended for its Fourier transform, which is periodic."""


class MatrixView:
    """A region of an image with its margin, resized.

    Args:
        gray: The image.
        region: The region.
        margin: Margin on each side relative to the longer side of the region.
    """

    def __init__(self, gray: Image.Image, region: MatrixRegion, margin: float = MARGIN) -> None:
        across, down = region.width / 2 + margin * region.side, region.height / 2 + margin * region.side
        self._left, self._top = max(0, int(region.x - across)), max(0, int(region.y - down))
        right, bottom = min(gray.width, int(region.x + across) + 1), min(gray.height, int(region.y + down) + 1)
        self._scale = VIEW_PIXELS / max(right - self._left, bottom - self._top)
        size = (
            max(1, round((right - self._left) * self._scale)),
            max(1, round((bottom - self._top) * self._scale)),
        )
        self.image = gray.crop((self._left, self._top, right, bottom)).resize(
            size, Image.Resampling.BICUBIC, reducing_gap=2.0
        )

    def back(self, point: Point) -> Point:
        """Map a point of the view to the image."""
        return self._left + point[0] / self._scale, self._top + point[1] / self._scale

    def deblurred(self, response: Array, noise: float) -> Image.Image:
        """Return the view without a blur (Wiener filter).

        Args:
            response: Frequency response of the blur, for `frequencies`.
            noise: Noise power relative to that of the modules; lower values make the filter stronger.
        """
        padded = np.fft.irfft2(self._spectrum * (response / (response * response + noise)), self._padded.shape)
        pixels = np.clip(padded[PAD:-PAD, PAD:-PAD], 0, 255).astype(np.uint8)
        return Image.fromarray(np.ascontiguousarray(pixels))

    @cached_property
    def frequencies(self) -> tuple[Array, Array]:
        """Horizontal and vertical frequencies of the spectrum, in cycles per pixel."""
        height, width = self._padded.shape
        return np.fft.rfftfreq(width)[None], np.fft.fftfreq(height)[:, None]

    @cached_property
    def _padded(self) -> Array:
        return np.pad(np.asarray(self.image, np.float32), PAD, mode="edge")

    @cached_property
    def _spectrum(self) -> Array:
        return np.fft.rfft2(self._padded).astype(np.complex64)


@dataclass(frozen=True, slots=True)
class MatrixPass:
    """A named filter of a view."""

    name: str
    filter: Callable[[MatrixView], Image.Image]
    restores: bool = True
    """Whether the filter amplifies noise, in which the smallest symbologies are misread."""


def unfiltered(view: MatrixView) -> Image.Image:
    """Return the view without a filter."""
    return view.image


def thresholded(radius: int) -> Callable[[MatrixView], Image.Image]:
    """Return a filter that compares pixels with their mean within `radius` pixels."""
    change = scan_passes.threshold(radius, 3)
    return lambda view: change(view.image)


def softened(view: MatrixView) -> Image.Image:
    """Return the view with blurred noise and printed dots."""
    return scan_passes.soften(2)(view.image)


def remove_blur(blur: float, noise: float) -> Callable[[MatrixView], Image.Image]:
    """Return a filter that removes a Gaussian blur with a standard deviation of `blur` pixels of the view."""

    def change(view: MatrixView) -> Image.Image:
        across, down = view.frequencies
        response = np.exp(-2 * (np.pi * blur) ** 2 * (across**2 + down**2)).astype(np.float32)
        return view.deblurred(response, noise)

    return change


def remove_motion_blur(length: float, *, upright: bool) -> Callable[[MatrixView], Image.Image]:
    """Return a filter that removes a horizontal or vertical motion blur of `length` pixels of the view."""

    def change(view: MatrixView) -> Image.Image:
        response = np.sinc(view.frequencies[1 if upright else 0] * length).astype(np.float32)
        return view.deblurred(response, 0.01)

    return change


EARLY_PASSES = (
    MatrixPass("matrix", unfiltered, restores=False),
    MatrixPass("matrix, thresholded", thresholded(12), restores=False),
    MatrixPass("matrix, softened", softened, restores=False),
    MatrixPass("matrix, deblurred", remove_blur(5, 0.01)),
)
"""Filters that find the most codes."""

LATE_PASSES = (
    *(
        MatrixPass(f"matrix, deblurred by {blur}", remove_blur(blur, noise))
        for blur, noise in ((2, 0.03), (4, 0.001), (5, 1e-4), (7, 1e-4), (8, 1e-4))
    ),
    *(
        MatrixPass(f"matrix, deblurred by motion of {length}", remove_motion_blur(length, upright=upright))
        for length in (12, 20)
        for upright in (False, True)
    ),
)
"""Filters for strong blur."""
