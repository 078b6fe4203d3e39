"""The main colors of an image: clusters in OKLab, of which those that look alike are joined."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.engines.animations.frames import packed
from mediakit.engines.animations.gif import COLOR_MASK, MIN_OPAQUE_ALPHA
from mediakit.engines.animations.palette import Histogram, cluster, histogram, means, nearest
from mediakit.engines.raster.color import oklab_of_bytes

_MAX_PIXELS = 1_000_000
"""Pixels that are counted; of larger images a sample on a grid."""
_CLUSTERS = 24
_ROUNDS = 8
_MAX_COLORS = 20_000
"""Colors that are clustered; more are reduced to 5 bits per channel."""
_SAME = 0.035
"""Distance in OKLab below which two clusters are one color."""
_SOLID_SHARE = 0.4
"""Share of a cluster from which its most frequent color stands for it, instead of the mean."""
_MIN_SHARE = 0.0005


def main_colors(image: Image.Image, count: int) -> tuple[list[dict[str, Any]], float]:
    """Return the main colors with their shares, largest first, and the share of the pixels that are none of them.

    Pixels that are more than half transparent do not count.
    """
    if image.width * image.height > _MAX_PIXELS:
        factor = (_MAX_PIXELS / (image.width * image.height)) ** 0.5
        size = (max(1, int(image.width * factor)), max(1, int(image.height * factor)))
        image = image.resize(size, Image.Resampling.NEAREST)
    pixels = np.asarray(image.convert("RGBA"))
    keys = packed(pixels)[pixels[..., 3] >= MIN_OPAQUE_ALPHA] & COLOR_MASK
    if not keys.size:
        return [], 0.0
    colors, counts = np.unique(keys, return_counts=True)
    levels = np.stack([colors >> shift & 255 for shift in (0, 8, 16)], axis=1)
    if len(colors) > _MAX_COLORS:
        coarse = histogram(keys)
        levels, counts = np.rint(coarse.colors).astype(np.uint32), coarse.counts.astype(np.int64)
    labels = _clusters(levels, counts)
    shares = np.bincount(labels, counts) / counts.sum()
    largest = [one for one in np.argsort(-shares, kind="stable")[:count] if shares[one] >= _MIN_SHARE]
    found: list[dict[str, Any]] = [
        {"color": _color_of(levels[labels == one], counts[labels == one]), "share": round(float(shares[one]), 4)}
        for one in largest
    ]
    return found, round(max(0.0, 1 - sum(one["share"] for one in found)), 4)


def _clusters(levels: NDArray[np.uint32], counts: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the number of the cluster of each color. Clusters that look alike are joined, the nearest two first."""
    source = Histogram(np.stack(oklab_of_bytes(*levels.T), axis=1), counts.astype(np.float32))
    labels = nearest(source.colors, cluster(source, _CLUSTERS, _ROUNDS))
    while len(used := np.unique(labels)) > 1:
        centers = means(source, labels, np.zeros((_CLUSTERS, 3), np.float32))[used]
        distances = np.sqrt(((centers[:, None] - centers[None]) ** 2).sum(axis=2)) + np.eye(len(centers)) * 9
        one, other = np.unravel_index(distances.argmin(), distances.shape)
        if distances[one, other] > _SAME:
            break
        labels[labels == used[other]] = used[one]
    return labels


def _color_of(levels: NDArray[np.uint32], counts: NDArray[np.int64]) -> str:
    """Return the color that stands for a cluster."""
    top = counts.argmax()
    if counts[top] >= counts.sum() * _SOLID_SHARE:
        return f"#{bytes(levels[top].tolist()).hex()}"
    # The mean of light, not of levels, is what the eye sees of small dots.
    light = np.average(levels.astype(float) ** 2.2, axis=0, weights=counts) ** (1 / 2.2)
    return f"#{bytes(light.round().astype(int).tolist()).hex()}"
