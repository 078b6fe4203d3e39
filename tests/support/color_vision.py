"""Colors as they are perceived with each kind of color vision, and contrast ratios."""

import math
from collections.abc import Iterable
from itertools import combinations

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

VISION: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""
TO_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def multiply(matrix: Matrix, vector: Triple) -> Triple:
    a, b, c = (sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c


def linear(color: str) -> Triple:
    shares = (part / 255 for part in bytes.fromhex(color[1:]))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return red, green, blue


def perceived(color: str, vision: str) -> Triple:
    """Return a color in Oklab as it is perceived with a kind of color vision."""
    a, b, c = multiply(TO_CONES, tuple(min(1.0, max(0.0, part)) for part in multiply(VISION[vision], linear(color))))  # type: ignore[arg-type]
    return multiply(TO_LAB, (a ** (1 / 3), b ** (1 / 3), c ** (1 / 3)))


def contrast(one: str, other: str) -> float:
    light = sorted(
        sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other)
    )
    return (light[1] + 0.05) / (light[0] + 0.05)


def least_difference(colors: Iterable[str], vision: str) -> float:
    """Return the smallest difference of two colors, as their distance in Oklab."""
    lab = [perceived(color, vision) for color in colors]
    return min(math.dist(one, two) for one, two in combinations(lab, 2))
