"""`image_compare` compared with pixelmatch (npm): a photo of 12 megapixels and changed copies of it."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageChops, ImageEnhance

import mediakit
from bench.package_worker import Job
from bench.packages import PEERS
from bench.photo import PHOTO, draw_photo
from bench.race import Bench, Case
from bench.worker import node_peer, ours

PAIRS = {"equal": "photo", "one changed area": "area", "every pixel changed": "grain", "another image": "turned"}


def draw_pairs() -> None:
    """Write the photo and its copies as PNG, if they do not exist."""
    draw_photo()
    with Image.open(PHOTO) as opened:
        photo = opened.convert("RGB")
    if all(_file(name).exists() for name in PAIRS.values()):
        return
    area = photo.copy()
    area.paste((200, 30, 30), (1000, 800, 1600, 1200))
    grain = Image.effect_noise(photo.size, 12).convert("RGB")
    copies = {
        "photo": photo,
        "area": area,
        "grain": ImageChops.add(photo, grain, offset=-128),
        "turned": ImageEnhance.Brightness(photo.transpose(Image.Transpose.ROTATE_180)).enhance(0.8),
    }
    for name, image in copies.items():
        image.save(_file(name), compress_level=3)


def _file(name: str) -> Path:
    return PEERS / f"compare-{name}.png"


def with_mediakit(values: Mapping[str, Any]) -> Job:
    first, second = Path(values["file"]).read_bytes(), Path(values["file2"]).read_bytes()
    return lambda: mediakit.image_compare(first, second).content


def read_back(_case: Case, content: bytes) -> str:
    """Return the size of the image of the differences, and the share of its red pixels."""
    with Image.open(BytesIO(content)) as image:
        red, green, blue = (np.asarray(channel, "i2") for channel in image.convert("RGB").split())
    share = np.mean((red - green > 120) & (red - blue > 120))
    return f"{image.width} x {image.height}, {share:.2%} red"


BENCHES = [
    Bench(
        tool="image_compare",
        about="Two PNG files of 4000 x 3000 pixels. mediakit also returns the regions and the similarity.",
        cases=[
            Case(name, {"file": str(_file("photo")), "file2": str(_file(changed))}) for name, changed in PAIRS.items()
        ],
        ours=ours("bench.image_compare:with_mediakit"),
        peers=[node_peer("pixelmatch", "image_compare.cjs", "pngjs")],
        inspect=read_back,
        set_up=draw_pairs,
    )
]
