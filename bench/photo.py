"""A JPEG as a camera makes it: 12 megapixels, edges, soft gradients and grain of every size."""

import random

from PIL import Image, ImageChops

from bench.packages import PEERS
from mediakit.samples import LANDSCAPE

PHOTO = PEERS / "photo.jpg"
SIZE = (4000, 3000)
GRAINS = (1, 3, 12, 60)
"""Sides of the grains, in pixels."""


def draw_photo() -> None:
    """Write the file, unless it is there; it is the same on every machine with the same Pillow."""
    if not PHOTO.exists():
        PEERS.mkdir(exist_ok=True)
        unfinished = PHOTO.with_suffix(".part")
        _draw().save(unfinished, "JPEG", quality=88)
        unfinished.rename(PHOTO)


def _draw() -> Image.Image:
    with Image.open(LANDSCAPE) as landscape:
        picture = landscape.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS, box=(133, 0, 1467, 1000))
    source = random.Random(12)
    for grain in GRAINS:
        noise = _noise(source, grain)
        picture = ImageChops.add(picture, Image.merge("RGB", (noise,) * 3), offset=-128)
    return picture


def _noise(source: random.Random, grain: int) -> Image.Image:
    """Draw grey noise around 128, the weaker the finer."""
    width, height = SIZE[0] // grain, SIZE[1] // grain
    noise = Image.frombytes("L", (width, height), source.randbytes(width * height))
    strength = 0.05 + 0.03 * GRAINS.index(grain)
    return noise.point(lambda value: 128 + (value - 128) * strength).resize(SIZE, Image.Resampling.BICUBIC)
