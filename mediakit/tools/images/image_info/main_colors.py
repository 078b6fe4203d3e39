"""The main colors of an image: k-means in OKLab, seeded by median cut."""

from dataclasses import dataclass
from typing import Any

from PIL import Image

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


@dataclass(frozen=True)
class Cluster:
    """A main color."""

    color: str
    """`#rrggbb`."""
    share: float
    """Share of the visible pixels, 0 to 1."""


def main_colors(image: Image.Image, count: int) -> tuple[list[Cluster], float]:
    """Return the main colors, largest share first, and the share of the pixels that are none of them.

    Args:
        image: RGB or RGBA; pixels that are more than half transparent do not count.
        count: Maximum number of colors.
    """
    import numpy as np

    packed = _packed(image)
    if not packed.size:
        return [], 0.0
    colors, counts = np.unique(packed, return_counts=True)
    if len(colors) > _MAX_COLORS:
        colors, counts = _coarse(packed)
    labels = _cluster(colors, counts)
    shares = np.bincount(labels, counts) / counts.sum()
    order = np.argsort(-shares, kind="stable")[:count]
    found = [Cluster(_color_of(colors[labels == one], counts[labels == one]), float(shares[one])) for one in order]
    rounded = [Cluster(one.color, round(one.share, 4)) for one in found if one.share >= 0.0005]
    return rounded, round(max(0.0, 1 - sum(one.share for one in rounded)), 4)


def _packed(image: Image.Image) -> Any:
    """Return the visible pixels as integers 0xRRGGBB."""
    import numpy as np

    if image.width * image.height > _MAX_PIXELS:
        factor = (_MAX_PIXELS / (image.width * image.height)) ** 0.5
        size = (max(1, int(image.width * factor)), max(1, int(image.height * factor)))
        image = image.resize(size, Image.Resampling.NEAREST)
    pixels = np.asarray(image.convert("RGBA")).reshape(-1, 4)
    visible = pixels[pixels[:, 3] >= 128].astype(np.uint32)
    return visible[:, 0] << 16 | visible[:, 1] << 8 | visible[:, 2]


def _coarse(packed: Any) -> tuple[Any, Any]:
    """Return the mean color of each cell of 5 bits per channel, and their counts."""
    import numpy as np

    _, cells, counts = np.unique(packed & 0xF8F8F8, return_inverse=True, return_counts=True)
    means = [np.rint(np.bincount(cells, packed >> shift & 255) / counts) for shift in (16, 8, 0)]
    red, green, blue = (mean.astype(np.uint32) for mean in means)
    return red << 16 | green << 8 | blue, counts


def _lab(colors: Any) -> Any:
    import numpy as np

    return np.stack(oklab_of_bytes(colors >> 16 & 255, colors >> 8 & 255, colors & 255), axis=1)


def _cluster(colors: Any, counts: Any) -> Any:
    """Return the number of each color's cluster."""
    import numpy as np

    points = _lab(colors)
    labels = _median_cut(points, counts)
    for _ in range(_ROUNDS):
        centers = _centers(points, counts, labels)
        distances = ((points[:, None, :] - centers[None]) ** 2).sum(axis=2)
        moved = distances.argmin(axis=1)
        if (moved == labels).all():
            break
        labels = np.unique(moved, return_inverse=True)[1]
    return _merged(points, counts, labels)


def _median_cut(points: Any, counts: Any) -> Any:
    """Return clusters made by halving the one of the largest spread, at its weighted median."""
    import numpy as np

    labels = np.zeros(len(points), np.intp)
    spreads = {0: _spread(points, counts)}
    while len(spreads) < _CLUSTERS and max(spreads.values()) > 0:
        widest = max(spreads, key=spreads.__getitem__)
        members = np.flatnonzero(labels == widest)
        inside, weights = points[members], counts[members]
        mean = np.average(inside, axis=0, weights=weights)
        axis = ((inside - mean) ** 2 * weights[:, None]).sum(axis=0).argmax()
        order = inside[:, axis].argsort(kind="stable")
        total = weights[order].cumsum()
        cut = min(max(1, int(total.searchsorted(total[-1] / 2)) + 1), len(order) - 1)
        upper = members[order[cut:]]
        labels[upper] = len(spreads)
        for number in (widest, len(spreads)):
            part = labels == number
            spreads[number] = _spread(points[part], counts[part])
    return labels


def _spread(points: Any, counts: Any) -> float:
    """Return the weighted sum of the squared distances from the mean; 0 for a single color."""
    import numpy as np

    if len(points) < 2:
        return 0.0
    mean = np.average(points, axis=0, weights=counts)
    return float((((points - mean) ** 2).sum(axis=1) * counts).sum())


def _centers(points: Any, counts: Any, labels: Any) -> Any:
    import numpy as np

    weights = np.bincount(labels, counts)
    return np.stack([np.bincount(labels, counts * points[:, axis]) / weights for axis in range(3)], axis=1)


def _merged(points: Any, counts: Any, labels: Any) -> Any:
    """Return the clusters with those that look alike joined, the nearest two first."""
    import numpy as np

    while labels.max() > 0:
        centers = _centers(points, counts, labels)
        distances = np.sqrt(((centers[:, None] - centers[None]) ** 2).sum(axis=2)) + np.eye(len(centers)) * 9
        one, other = np.unravel_index(distances.argmin(), distances.shape)
        if distances[one, other] > _SAME:
            break
        labels[labels == other] = one
        labels = np.unique(labels, return_inverse=True)[1]
    return labels


def _color_of(colors: Any, counts: Any) -> str:
    """Return the color that stands for a cluster."""
    import numpy as np

    top = counts.argmax()
    if counts[top] >= counts.sum() * _SOLID_SHARE:
        return f"#{int(colors[top]):06x}"
    # The mean of light, not of levels, is what the eye sees of small dots.
    channels = [np.average((colors >> shift & 255).astype(float) ** 2.2, weights=counts) for shift in (16, 8, 0)]
    return "#" + "".join(f"{round(channel ** (1 / 2.2)):02x}" for channel in channels)
