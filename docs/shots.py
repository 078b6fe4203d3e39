"""Pictures of a page in a browser, small enough for the documents and the same when nothing has changed."""

# ruff: noqa: INP001  # beside the documents, not a package

import io
import re
from pathlib import Path

from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Locator, Page

SHARPNESS = 2
"""Pixels of a picture for each one that it is shown at."""

PASSING = (
    (r"mk_live_\w+", "mk_live_3fKq"),
    (r"127\.0\.0\.1:(?!8000)\d+", "127.0.0.1:8765"),
    (r"\b\d\d:\d\d:\d\d\b", "09:41:07"),
    (r"\b\d+ ms\b", "6 ms"),
    (r"again in \d+ seconds", "again in 60 seconds"),
    (r"on Linux-\S+", "on Linux-6.12-x86_64"),
    (r"begins \d{4}-\d\d-\d\d", "begins 2027-01-01"),
)
"""What differs from run to run, and what the documents say in its place."""

STEADY = """(element, passing) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    for (const [pattern, text] of passing)
      walker.currentNode.data = walker.currentNode.data.replace(new RegExp(pattern, 'g'), text);
}"""

SAME = 0.6
"""Mean difference of two pictures, of 255, that no reader sees."""


def steady(text: str) -> str:
    """Put something that stays in the place of keys, ports and times."""
    for pattern, instead in PASSING:
        text = re.sub(pattern, instead, text)
    return text


def settle(page: Page) -> None:
    """Wait until every picture is decoded, and drawn."""
    page.evaluate("Promise.all([...document.images].map(image => image.decode().catch(() => {})))")
    page.wait_for_timeout(400)


def shoot(element: Locator, *passing: tuple[str, str]) -> Image.Image:
    """Photograph an element, without the empty paper at its right and below."""
    element.evaluate(STEADY, [*PASSING, *passing])
    return trimmed(Image.open(io.BytesIO(element.screenshot(animations="disabled"))).convert("RGB"))


def trimmed(picture: Image.Image) -> Image.Image:
    """Cut off what is empty at the right and below, up to a small margin."""
    paper = Image.new("RGB", picture.size, picture.getpixel((picture.width - 1, picture.height - 1)))
    box = ImageChops.difference(picture, paper).getbbox() or (0, 0, *picture.size)
    margin = 4 * SHARPNESS
    return picture.crop((0, 0, min(box[2] + margin, picture.width), min(box[3] + margin, picture.height)))


def faded(picture: Image.Image, height: int) -> Image.Image:
    """Cut a tall picture off at a height, in pixels as shown, and let its end fade out."""
    height *= SHARPNESS
    if picture.height <= height:
        return picture
    fade = 60 * SHARPNESS
    cut = picture.crop((0, 0, picture.width, height))
    veil = Image.linear_gradient("L").resize((cut.width, fade))
    cut.paste(
        Image.new("RGB", veil.size, picture.getpixel((picture.width - 1, picture.height - 1))), (0, height - fade), veil
    )
    return cut


def write(picture: Image.Image, stem: Path) -> Path:
    """Write a picture as PNG or JPEG, whichever suits it, and leave a file that looks the same as it is."""
    for old in (stem.with_suffix(".png"), stem.with_suffix(".jpg")):
        if old.is_file() and _looks_like(old, picture):
            return old
        old.unlink(missing_ok=True)
    suffix, content = _compact(picture)
    target = stem.with_suffix(suffix)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return target


def _looks_like(old: Path, picture: Image.Image) -> bool:
    with Image.open(old) as stored:
        if stored.size != picture.size:
            return False
        again = Image.open(io.BytesIO(_compact(picture)[1])).convert("RGB")
        return _difference(stored.convert("RGB"), again) < SAME


def _difference(one: Image.Image, other: Image.Image) -> float:
    return max(ImageStat.Stat(ImageChops.difference(one, other)).rms)


def _compact(picture: Image.Image) -> tuple[str, bytes]:
    jpeg = _encoded(picture, "JPEG", quality=86, subsampling=0, optimize=True)
    for drawn in (picture, picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)):
        png = _encoded(drawn, "PNG", optimize=True)
        if len(png) < 1.2 * len(jpeg) and _difference(drawn.convert("RGB"), picture) < 1.2:
            return ".png", png
    return ".jpg", jpeg


def _encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    target = io.BytesIO()
    picture.save(target, kind, **options)
    return target.getvalue()
