"""Images of the differences, and what a notebook shows."""

from io import BytesIO
from itertools import chain
from pathlib import Path

import numpy as np
import pybase64
from PIL import Image

from mediakit.display import facts_html, view_html
from mediakit.engines.png import encode_indexed
from mediakit.engines.raster.encode import encode
from mediakit.engines.symbol import equal_rows
from mediakit.results.result import Bundle
from mediakit.tools.images.image_compare.differences import ANTIALIASED, DIFFERENT, Codes
from mediakit.tools.images.image_compare.tool import ComparisonResult, Differences

IGNORED = 3
"""Code of a pixel that was not compared, beside those of `matching`."""

_OPACITY = 0.2
"""Opacity of the first image behind the differences."""
_SHADES = 24
COLORS = {ANTIALIASED: (255, 212, 0), DIFFERENT: (224, 0, 32), IGNORED: (186, 208, 240)}
_LEVELS = (255 - round(_OPACITY * (255 - shade * 255 / (_SHADES - 1))) for shade in range(_SHADES))
_PALETTE = bytes([*(level for level in _LEVELS for _ in range(3)), *(255, 255, 255), *chain(*COLORS.values())])
"""The shades, white, and the colors by their code."""
_LEVEL = 2
"""Level of zlib-ng: images of the differences are as small as at level 1 of zlib, in two thirds of the time."""

_GAP = 16
_MAX_PIXELS = 24_000_000
"""Pixels of the images side by side; larger ones are scaled down."""
_MAX_BLINK_SIDE = 1600
_BLINK_MS = 700

_TILE = 8
_WHITE, _GRAY = 255, 191
"""Levels of the checkerboard behind transparent pixels."""


def diff_image(gray: Image.Image, codes: Codes) -> Image.Image:
    """Return the pale first image with different pixels in red, antialiased ones in yellow, ignored areas in blue."""
    height, width = codes.shape
    canvas = Image.new("L", (width, height), 255)
    canvas.paste(gray)
    indexes = np.array(canvas.point([round(level * (_SHADES - 1) / 255) for level in range(256)]))
    for code in COLORS:
        indexes[codes == code] = _SHADES + code
    drawn = Image.fromarray(indexes)
    drawn.putpalette(_PALETTE)
    return drawn


def encode_diff(image: Image.Image) -> bytes:
    """Encode the image of the differences as PNG."""
    return encode_indexed(image.width, equal_rows(image.tobytes(), image.width), _PALETTE, depth=8, level=_LEVEL)


def side_by_side(images: list[Image.Image]) -> tuple[bytes, float]:
    """Return a PNG of images from left to right, and the scale at which it shows them."""
    width, height = sum(image.width for image in images), max(image.height for image in images)
    scale = min(1.0, (_MAX_PIXELS / (width * height)) ** 0.5)
    shown = [_scaled(image, scale) for image in images]
    gaps = _GAP * (len(shown) - 1)
    canvas = Image.new("RGB", (sum(one.width for one in shown) + gaps, max(one.height for one in shown)), "white")
    left = 0
    for image in shown:
        canvas.paste(image, (left, 0))
        left += image.width + _GAP
    return encode(canvas, "png"), scale


def blink(first: Image.Image, second: Image.Image) -> tuple[bytes, float]:
    """Return an animated WebP that alternates between two images, and the scale at which it shows them."""
    size = max(first.width, second.width), max(first.height, second.height)
    scale = min(1.0, _MAX_BLINK_SIDE / max(size))
    frames = []
    for image in (first, second):
        canvas = Image.new("RGB", [max(1, round(side * scale)) for side in size], "white")
        canvas.paste(_scaled(image, scale))
        frames.append(canvas)
    target = BytesIO()
    frames[0].save(
        target, "WEBP", save_all=True, append_images=frames[1:], duration=_BLINK_MS, loop=0, quality=80, method=2
    )
    return target.getvalue(), scale


def _scaled(image: Image.Image, scale: float) -> Image.Image:
    flat = on_checkerboard(image).convert("RGB")
    if scale == 1:
        return flat
    size = (max(1, round(flat.width * scale)), max(1, round(flat.height * scale)))
    return flat.resize(size, Image.Resampling.BOX, reducing_gap=2.0)


_TEMPLATE = Path(__file__).with_name("view.html")
_MAX_LISTED = 5

_MEANINGS = {
    COLORS[DIFFERENT]: "different",
    COLORS[ANTIALIASED]: "smoothed edges, not counted",
    COLORS[IGNORED]: "ignored",
}


def bundle(result: ComparisonResult | Differences) -> Bundle:
    """Return the MIME bundle of a comparison: the numbers as HTML, and the image."""
    image = result if isinstance(result, ComparisonResult) else None
    data, metadata = ({}, {}) if image is None else image._bundle()
    regions = []
    for one in result.regions:
        (left, top, width, height), pixels = one["box"], one["pixels"]
        regions.append(f"{width} × {height} at {left}, {top} ({pixels:,} {'pixel' if pixels == 1 else 'pixels'})")
    offset = result.offset
    rest = len(regions) - _MAX_LISTED
    more = f" and {rest} more" if rest > 0 else ""
    facts = (
        ("Similarity", f"{result.similarity:.4f}"),
        ("Hash distance", f"{result.hash_distance} of 64 bits"),
        ("Shift", f"{offset[0]}, {offset[1]} pixels" if any(offset) else ""),
        ("Regions", "; ".join(regions[:_MAX_LISTED]) + more),
    )
    verdict = f"{'✓' if result.same else '≠'} {result.verdict}"
    html = view_html(
        _TEMPLATE,
        facts=facts_html(verdict, f"{result.width} × {result.height}", facts, result.meta["warnings"]),
        images=[(kind, pybase64.b64encode(data[kind]).decode()) for kind in data if kind.startswith("image/")],
        alt=result.alt or "Differences of the images",
        meanings=_MEANINGS if image is not None and image.mime_type == "image/png" else {},
    )
    return {**data, "text/html": html}, metadata


def on_checkerboard(image: Image.Image) -> Image.Image:
    """Return an image without transparency, on a checkerboard of white and gray."""
    if image.mode != "RGBA":
        return image
    odd_columns, odd_rows = (np.arange(side) // _TILE % 2 == 1 for side in image.size)
    levels = np.where(odd_rows[:, None] ^ odd_columns, np.uint8(_GRAY), np.uint8(_WHITE))
    board = Image.fromarray(levels).convert("RGB")
    board.paste(image.convert("RGB"), mask=image.getchannel("A"))
    return board
