"""`images` compared with sharp (npm): a photo of 12 megapixels, resized to each format and to a square."""

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.photo import PHOTO, draw_photo
from bench.race import Bench, Case
from bench.similarity import similarity
from bench.worker import node_peer, ours

WIDTH = 800
BASE_VALUES = {"file": str(PHOTO), "width": WIDTH}


def with_mediakit(values: Mapping[str, Any]) -> Job:
    content = Path(values["file"]).read_bytes()
    options = {name: value for name, value in values.items() if name != "file"}
    return lambda: mediakit.images(content, **options).content


def compare(case: Case, content: bytes) -> str:
    """Return the size of the image and, unless it is cropped, its similarity to the reference image."""
    with Image.open(BytesIO(content)) as image:
        size = f"{image.width} x {image.height}"
        if "height" in case.values:
            return size
        return f"{size}, SSIM {similarity(image, _reference(case.values['file'], image.size)):.3f}"


@cache
def _reference(file: str, size: tuple[int, int]) -> Image.Image:
    """Return the photo resized in one high-quality step from all its pixels."""
    with Image.open(file) as image:
        return image.resize(size, Image.Resampling.LANCZOS)


BENCHES = [
    Bench(
        tool="images",
        about=f"A JPEG of 4000 x 3000 pixels resized to {WIDTH} pixels; the square is cropped around the subject.",
        cases=[
            *(Case(kind.upper(), {**BASE_VALUES, "format": kind}) for kind in ("jpeg", "webp", "png", "avif")),
            Case("square, JPEG", {**BASE_VALUES, "height": WIDTH, "position": "attention", "format": "jpeg"}),
        ],
        ours=ours("bench.images:with_mediakit"),
        peers=[node_peer("sharp", "images.cjs")],
        inspect=compare,
        set_up=draw_photo,
    )
]
