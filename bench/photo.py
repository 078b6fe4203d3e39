"""A JPEG like one from a camera: 12 megapixels with edges, soft gradients and grain of different sizes."""

import random

from PIL import Image, ImageChops

from bench.packages import PEERS
from mediakit.samples import LANDSCAPE

PHOTO = PEERS / "photo.jpg"
SIZE = (4000, 3000)
GRAIN_SIZES = (1, 3, 12, 60)
"""Grain sizes in pixels."""


def draw_photo() -> None:
    """Write the file if it does not exist; it is equal on all machines with the same Pillow version."""
    if not PHOTO.exists():
        PEERS.mkdir(exist_ok=True)
        unfinished = PHOTO.with_suffix(".part")
        _draw().save(unfinished, "JPEG", quality=88)
        unfinished.rename(PHOTO)


def _draw() -> Image.Image:
    with Image.open(LANDSCAPE) as landscape:
        image = landscape.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS, box=(133, 0, 1467, 1000))
    source = random.Random(12)
    for grain in GRAIN_SIZES:
        noise = _noise(source, grain)
        image = ImageChops.add(image, Image.merge("RGB", (noise,) * 3), offset=-128)
    return image


def _noise(source: random.Random, grain: int) -> Image.Image:
    """Return gray noise around 128; finer noise is weaker."""
    width, height = SIZE[0] // grain, SIZE[1] // grain
    noise = Image.frombytes("L", (width, height), source.randbytes(width * height))
    strength = 0.05 + 0.03 * GRAIN_SIZES.index(grain)
    return noise.point(lambda value: 128 + (value - 128) * strength).resize(SIZE, Image.Resampling.BICUBIC)
