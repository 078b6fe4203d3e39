"""The structural similarity of two images."""

from typing import Any

from PIL import Image

_SIDE = 256
"""Images are reduced to about this length of the shorter side, as the authors of SSIM advise."""
_RADIUS, _SIGMA = 5, 1.5
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


def ssim(first: Image.Image, second: Image.Image) -> float:
    """Return the mean SSIM (Wang et al., 2004) of two grayscale images of one size, 0 to 1.

    The window is a Gaussian of 11 x 11 pixels; images that are smaller have a smaller one.
    """
    import numpy as np

    factor = max(1, round(min(first.size) / _SIDE))
    reduced = (image.reduce(factor) if factor > 1 else image for image in (first, second))
    x, y = (np.asarray(image, np.float64) for image in reduced)
    radius = min(_RADIUS, (min(x.shape) - 1) // 2)
    places = np.arange(-radius, radius + 1)
    weights = np.exp(-(places**2) / (2 * _SIGMA**2))
    weights /= weights.sum()
    mean_x, mean_y = _filtered(x, weights), _filtered(y, weights)
    variance_x = _filtered(x * x, weights) - mean_x**2
    variance_y = _filtered(y * y, weights) - mean_y**2
    covariance = _filtered(x * y, weights) - mean_x * mean_y
    likeness = (2 * mean_x * mean_y + _C1) * (2 * covariance + _C2)
    scale = (mean_x**2 + mean_y**2 + _C1) * (variance_x + variance_y + _C2)
    return float(np.clip((likeness / scale).mean(), 0, 1))


def _filtered(pixels: Any, weights: Any) -> Any:
    """Return the weighted means of all windows that are inside the image."""
    size = len(weights)
    rows = sum(weight * pixels[place : pixels.shape[0] - size + 1 + place] for place, weight in enumerate(weights))
    return sum(weight * rows[:, place : rows.shape[1] - size + 1 + place] for place, weight in enumerate(weights))
