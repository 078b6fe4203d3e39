"""Take screenshots of page elements for the documentation, as small files that only change when the page does."""

# ruff: noqa: INP001  # used by scripts, not part of a package

import io
import os
import re
from pathlib import Path

from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Locator, Page

from mediakit.samples import LANDSCAPE

DEVICE_SCALE_FACTOR = 2
"""Image pixels per displayed pixel."""

PLACEHOLDERS = (
    (r"mk_live_\w+", "mk_live_3fKq"),
    (r"127\.0\.0\.1:(?!8000)\d+", "127.0.0.1:8765"),
    (r"\b\d\d:\d\d:\d\d\b", "09:41:07"),
    (r"\b\d+ ms\b", "6 ms"),
    (r"in \d+ seconds", "in 60 seconds"),
    (r"on Linux-\S+", "on Linux-6.12-x86_64"),
    (r"\b20(?:2[6-9]|[3-9]\d)-\d\d-\d\d\b", "2027-01-01"),
    (re.escape(f"{LANDSCAPE.parent}{os.sep}"), ""),
)
"""Patterns of text that differs between runs, each with the text that the documentation shows instead.

Dates before 2026 are those of samples, which stay. Samples are named without their folder.
"""

REPLACE_TEXT = """(element, placeholders) => {
  const replaced = text =>
    placeholders.reduce((start, [pattern, placeholder]) => start.replace(new RegExp(pattern, 'g'), placeholder), text);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) walker.currentNode.data = replaced(walker.currentNode.data);
  for (const field of element.querySelectorAll('textarea')) field.value = replaced(field.value);
}"""

MAX_INVISIBLE_DIFFERENCE = 0.6
"""Root mean square difference of two images, of 255, that is not visible."""

MARGIN_PIXELS = 4
"""Background that stays right of and below the content, in displayed pixels."""

FADE_PIXELS = 60
"""Height of the fade at the end of a cropped image, in displayed pixels."""


def with_placeholders(text: str) -> str:
    """Replace keys, ports and times with fixed text."""
    for pattern, placeholder in PLACEHOLDERS:
        text = re.sub(pattern, placeholder, text)
    return text


def wait_for_images(page: Page) -> None:
    """Wait until every image of the page is decoded and painted."""
    page.evaluate("Promise.all([...document.images].map(image => image.decode().catch(() => {})))")
    page.wait_for_timeout(400)


def take(element: Locator, *placeholders: tuple[str, str]) -> Image.Image:
    """Return a screenshot of an element, without empty background at the right and bottom."""
    element.evaluate(REPLACE_TEXT, [*PLACEHOLDERS, *placeholders])
    return trim(Image.open(io.BytesIO(element.screenshot(animations="disabled"))).convert("RGB"))


def trim(image: Image.Image) -> Image.Image:
    """Crop empty background at the right and bottom, except for a small margin."""
    background = Image.new("RGB", image.size, _background(image))
    box = ImageChops.difference(image, background).getbbox() or (0, 0, *image.size)
    margin = MARGIN_PIXELS * DEVICE_SCALE_FACTOR
    return image.crop((0, 0, min(box[2] + margin, image.width), min(box[3] + margin, image.height)))


def limit_height(image: Image.Image, height: int) -> Image.Image:
    """Crop an image to a height in displayed pixels, and fade out its end if anything was cropped."""
    height *= DEVICE_SCALE_FACTOR
    if image.height <= height:
        return image
    fade = FADE_PIXELS * DEVICE_SCALE_FACTOR
    cropped = image.crop((0, 0, image.width, height))
    mask = Image.linear_gradient("L").resize((cropped.width, fade))
    cropped.paste(Image.new("RGB", mask.size, _background(image)), (0, height - fade), mask)
    return cropped


def _background(image: Image.Image) -> tuple[int, int, int]:
    color: tuple[int, int, int] = image.getpixel((image.width - 1, image.height - 1))  # type: ignore[assignment]
    return color


def write(image: Image.Image, stem: Path) -> Path:
    """Write an image as PNG or JPEG, unless the existing file looks the same, and return its path."""
    for old in (stem.with_suffix(".png"), stem.with_suffix(".jpg")):
        if old.is_file() and _looks_like(old, image):
            return old
        old.unlink(missing_ok=True)
    suffix, content = _encode_small(image)
    target = stem.with_suffix(suffix)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return target


def _looks_like(old: Path, image: Image.Image) -> bool:
    with Image.open(old) as stored:
        if stored.size != image.size:
            return False
        new = Image.open(io.BytesIO(_encode_small(image)[1])).convert("RGB")
        return _difference(stored.convert("RGB"), new) < MAX_INVISIBLE_DIFFERENCE


def _difference(one: Image.Image, other: Image.Image) -> float:
    return max(ImageStat.Stat(ImageChops.difference(one, other)).rms)


def _encode_small(image: Image.Image) -> tuple[str, bytes]:
    jpeg = _encode(image, "JPEG", quality=86, subsampling=0, optimize=True)
    for candidate in (image, image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)):
        png = _encode(candidate, "PNG", optimize=True)
        if len(png) < 1.2 * len(jpeg) and _difference(candidate.convert("RGB"), image) < 1.2:
            return ".png", png
    return ".jpg", jpeg


def _encode(image: Image.Image, image_format: str, **options: object) -> bytes:
    target = io.BytesIO()
    image.save(target, image_format, **options)
    return target.getvalue()
