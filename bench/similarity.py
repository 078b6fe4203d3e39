"""Structural similarity (SSIM; Wang, Bovik, Sheikh and Simoncelli, 2004) on blocks of 8 x 8 pixels."""

from typing import Any

from PIL import Image, ImageMath

BLOCK = 8
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


def similarity(one: Image.Image, other: Image.Image) -> float:
    """Return the mean structural similarity of the brightness of two images of equal size; 1.0 if they are equal."""
    a, b = (image.convert("L").convert("F") for image in (one, other))
    means = {"a": a, "b": b, "aa": _product(a, a), "bb": _product(b, b), "ab": _product(a, b)}
    blocks = {name: image.reduce(BLOCK) for name, image in means.items()}
    ssim = ImageMath.lambda_eval(lambda bands: _ssim(**{name: bands[name] for name in blocks}), **blocks)
    mean = ssim.resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
    return float(mean)


def _product(one: Image.Image, other: Image.Image) -> Image.Image:
    product: Image.Image = ImageMath.lambda_eval(lambda bands: bands["x"] * bands["y"], x=one, y=other)
    return product


def _ssim(a: Any, b: Any, aa: Any, bb: Any, ab: Any) -> Any:
    """Return the similarity of each block from the means of values, squares and products."""
    variances = (aa - a * a) + (bb - b * b)
    covariance = ab - a * b
    return (2 * a * b + _C1) * (2 * covariance + _C2) / ((a * a + b * b + _C1) * (variances + _C2))
