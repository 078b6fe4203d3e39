"""Recompressed PNG files keep every pixel and are smaller than those of slow encoders. Blank images are found."""

import io
import random
import struct
import zlib
from typing import Any

import pybase64
import pytest
from PIL import Image, ImageDraw

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.html import load_html
from mediakit.engines.browser.page import Resources
from mediakit.engines.browser.screenshots import is_blank
from mediakit.engines.png import SIGNATURE, STRIP_BYTES, chunk, encode_graphics, recompress
from mediakit.samples import CARD_HTML, TABLE_HTML


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def noise(mode: str, size: tuple[int, int]) -> Image.Image:
    length = len(Image.new(mode, size).tobytes())
    return Image.frombytes(mode, size, random.Random(7).randbytes(length))


def same(one: bytes, other: bytes) -> bool:
    first, second = (Image.open(io.BytesIO(content)) for content in (one, other))
    return (first.mode, first.size, first.tobytes()) == (second.mode, second.size, second.tobytes())


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
@pytest.mark.parametrize("size", [(1, 1), (1, 700), (700, 1), (1200, 630)])
def test_recompress_keeps_every_pixel(mode: str, size: tuple[int, int]) -> None:
    for image in (noise(mode, size), Image.new(mode, size)):
        fast = encoded(image, compress_level=0)

        assert same(recompress(fast), fast)
        assert len(recompress(fast)) <= len(fast)


def test_recompress_limits_memory_for_pixels_that_compress_to_almost_nothing() -> None:
    import tracemalloc

    fast = encoded(Image.new("L", (8000, 8000)), compress_level=1)
    tracemalloc.start()
    small = recompress(fast)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert same(small, fast)
    assert peak < 8 * STRIP_BYTES


def test_recompress_keeps_the_other_chunks() -> None:
    fast = encoded(Image.new("RGB", (50, 50)), compress_level=0, dpi=(144, 144))

    assert Image.open(io.BytesIO(recompress(fast))).info["dpi"] == pytest.approx((144, 144), abs=0.1)


def test_recompress_never_returns_a_larger_file() -> None:
    small = encoded(noise("RGB", (64, 64)))

    assert len(recompress(small)) <= len(small)
    assert same(recompress(small), small)


def with_differences(image: Image.Image, rows: int) -> bytes:
    """Encode an image whose first rows contain the differences from the row above, as Chromium does fast."""
    pixels = image.tobytes()
    size = len(pixels) // image.height
    lines = [pixels[start : start + size] for start in range(0, len(pixels), size)]
    above = [bytes(size), *lines]
    filtered = b"".join(
        b"\2" + bytes((value - other) % 256 for value, other in zip(line, above[y], strict=True))
        if y < rows
        else b"\0" + line
        for y, line in enumerate(lines)
    )
    header = struct.pack(">IIBBBBB", *image.size, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(filtered, 1)), (b"IEND", b""))
    return SIGNATURE + b"".join(chunk(*part) for part in parts)


@pytest.mark.parametrize("rows", [0, 250, 700], ids=["no row", "some rows", "all rows"])
@pytest.mark.parametrize("kind", ["noise", "lines", "gradient"])
def test_recompress_keeps_every_pixel_of_differences(kind: str, rows: int) -> None:
    image = noise("RGB", (900, 700))
    if kind == "lines":
        image = Image.new("RGB", (900, 700), "white")
        ImageDraw.Draw(image).text((20, 20), "Ada Lovelace\n" * 40, "black")
    elif kind == "gradient":
        image = Image.merge("RGB", [Image.linear_gradient("L").resize((900, 700)).rotate(turn) for turn in (0, 90, 30)])
    fast = with_differences(image, rows)

    assert Image.open(io.BytesIO(recompress(fast))).tobytes() == image.tobytes()
    assert len(recompress(fast)) <= len(fast)


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"\xff\xd8\xff"])
def test_recompress_rejects_other_formats(content: bytes) -> None:
    with pytest.raises(ValueError, match="not a PNG"):
        recompress(content)


@pytest.mark.browser
@pytest.mark.parametrize("page", [CARD_HTML, TABLE_HTML], ids=["card", "table"])
def test_recompressed_screenshot_is_smaller_than_that_of_chromium(page: str) -> None:
    async def both(tab: Tab) -> list[bytes]:
        with Resources(tab.cdp) as resources:
            await load_html(tab, page, resources)
        options_list = [{"format": "png", "optimizeForSpeed": fast} for fast in (True, False)]
        return [
            pybase64.b64decode((await tab.cdp.send("Page.captureScreenshot", options))["data"])
            for options in options_list
        ]

    async def screenshots() -> list[bytes]:
        return await shared().render(both, View(1200, 630), seconds=60)

    fast, small = runtime.run(screenshots())

    assert same(recompress(fast), small)
    assert len(recompress(fast)) <= len(small)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_png_of_one_color_is_blank(mode: str) -> None:
    image = Image.new(mode, (300, 200), "white")
    assert is_blank(encoded(image), "png")

    image.putpixel((299, 199), 0 if mode == "L" else (0,) * len(mode))
    assert not is_blank(encoded(image), "png")


@pytest.mark.parametrize("size", [(100, 100), (1280, 800), (3840, 2160), (1000, 90_000)])
def test_blank_png_of_any_size_is_blank(size: tuple[int, int]) -> None:
    assert is_blank(recompress(encoded(Image.new("RGB", size, "#fdfcfb"), compress_level=1)), "png")


def test_jpeg_of_one_color_is_blank() -> None:
    image = Image.new("RGB", (301, 203), "#2563eb")
    assert is_blank(encoded(image, "JPEG"), "jpeg")

    image.paste("white", (100, 100, 130, 110))
    assert not is_blank(encoded(image, "JPEG"), "jpeg")


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (800, 500)])
def test_encode_graphics_keeps_every_pixel(size: tuple[int, int]) -> None:
    image = Image.effect_noise(size, 80).convert("RGB")
    with Image.open(io.BytesIO(encode_graphics(image))) as again:
        assert (again.mode, again.size) == ("RGB", size)
        assert again.tobytes() == image.tobytes()


def test_encode_graphics_keeps_repeated_rows() -> None:
    image = Image.effect_noise((90, 40), 80).convert("RGB").resize((90, 120), Image.Resampling.NEAREST)
    with Image.open(io.BytesIO(encode_graphics(image))) as again:
        assert again.tobytes() == image.tobytes()
