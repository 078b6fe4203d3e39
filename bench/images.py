"""`images` beside sharp of npm: a photograph of 12 megapixels made small, in each format and as a square."""

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

import mediakit
from bench.photo import PHOTO, draw_photo
from bench.race import Bench, Case
from bench.serve import Job
from bench.similarity import similarity
from bench.worker import node_peer, ours

WIDTH = 800
ASKED = {"file": str(PHOTO), "width": WIDTH}


def with_mediakit(values: Mapping[str, Any]) -> Job:
    content = Path(values["file"]).read_bytes()
    wishes = {name: value for name, value in values.items() if name != "file"}
    return lambda: mediakit.images(content, **wishes).content


def compare(case: Case, content: bytes) -> str:
    """Say how large the picture is and, where nothing is cut off, how near it comes to the best one can do."""
    with Image.open(BytesIO(content)) as image:
        size = f"{image.width} x {image.height}"
        if "height" in case.values:
            return size
        return f"{size}, SSIM {similarity(image, _best(case.values['file'], image.size)):.3f}"


@cache
def _best(file: str, size: tuple[int, int]) -> Image.Image:
    """Scale all pixels at once, however long that takes."""
    with Image.open(file) as image:
        return image.resize(size, Image.Resampling.LANCZOS)


BENCHES = [
    Bench(
        tool="images",
        about=f"A JPEG of 4000 x 3000 pixels made {WIDTH} wide with the default quality; the square finds its subject.",
        cases=[
            *(Case(kind.upper(), {**ASKED, "format": kind}) for kind in ("jpeg", "webp", "png", "avif")),
            Case("square, JPEG", {**ASKED, "height": WIDTH, "position": "attention", "format": "jpeg"}),
        ],
        ours=ours("bench.images:with_mediakit"),
        peers=[node_peer("sharp", "images.cjs")],
        inspect=compare,
        set_up=draw_photo,
    )
]
