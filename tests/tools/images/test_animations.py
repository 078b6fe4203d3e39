"""Animations keep frames, delays, plays and transparency in every tool, as Chromium's ImageDecoder shows them."""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

import mediakit
from mediakit.results.files import ImageResult
from tests.support.animation_kit import Part, decoding_page, gif, png, seen_by_chromium, webp

SIZE = (24, 18)
WHOLE = (0, 0, *SIZE)
BLUE, GREEN, YELLOW, GRAY = (0, 0, 250), (0, 180, 0), (220, 220, 0), (90, 90, 90)

BOXES = {
    "whole frames": [WHOLE] * 4,
    "first frame covers a part": [(4, 2, 10, 8), (0, 0, 8, 8), WHOLE, (10, 6, 12, 12)],
    "frames beside each other": [(0, 0, 6, 6), (8, 6, 6, 6), (16, 12, 6, 6), (2, 10, 6, 6)],
    "frames over each other": [WHOLE, (4, 4, 12, 10), (8, 6, 12, 10), (6, 2, 6, 14)],
}
DISPOSALS = {"left": (0, 0, 0, 0), "cleared": (1, 1, 1, 1), "restored": (0, 2, 2, 1)}
WRITERS: dict[str, Callable[..., bytes]] = {"gif": gif, "png": png, "webp": webp}


def parts_of(boxes: str, disposals: str) -> list[Part]:
    colors, delays = (BLUE, GREEN, YELLOW, GRAY), (70, 110, 20, 1500)
    each = zip(BOXES[boxes], colors, DISPOSALS[disposals], delays, strict=True)
    return [Part(*values, blends=number % 2 == 0) for number, values in enumerate(each)]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with decoding_page() as opened:
        yield opened


def assert_looks_the_same(page: Page, source: bytes, kind: str, result: ImageResult, *, tolerance: int) -> None:
    before = seen_by_chromium(page, source, f"image/{kind}")
    after = seen_by_chromium(page, result.content, result.mime_type)
    assert (after.delays_ms, after.repetitions) == (before.delays_ms, before.repetitions)
    assert len(after.frames) == len(before.frames) == 4
    for one, other in zip(before.frames, after.frames, strict=True):
        assert (one[..., 3] == other[..., 3]).all()
        seen = one[..., 3] > 0
        distance = np.abs(one[seen].astype(int) - other[seen])
        # Lossy WebP halves the resolution of colors, so that edges differ.
        assert np.percentile(distance, 50 if tolerance else 100) <= tolerance


@pytest.mark.browser
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("disposals", DISPOSALS)
@pytest.mark.parametrize("boxes", BOXES)
def test_every_frame_looks_as_in_chromium(page: Page, boxes: str, disposals: str, kind: str) -> None:
    parts = parts_of(boxes, disposals)
    plays = (1, 2, 0)[len(boxes) % 3]
    source = WRITERS[kind](SIZE, parts, plays)
    targets: tuple[Any, ...] = ("gif", "png", "webp")
    for target in targets:
        result = mediakit.image_animate(source, format=target, quality=100)
        assert_looks_the_same(page, source, kind, result, tolerance=0)
    converted = mediakit.images(source, format="webp", quality=100)
    assert_looks_the_same(page, source, kind, converted, tolerance=30)


@pytest.mark.browser
def test_frame_beyond_the_canvas_is_clipped_as_in_chromium(page: Page) -> None:
    parts = [Part(WHOLE, BLUE, 0, 50), Part((16, 10, 20, 20), GREEN, 1, 50), *[Part((2, 2, 6, 6), GRAY, 2, 50)] * 2]
    source = gif(SIZE, parts, 0)
    assert_looks_the_same(page, source, "gif", mediakit.image_animate(source, format="png"), tolerance=0)


def plays_of(content: bytes) -> int:
    """Return how often an animation plays, by the bytes of its file; 0: endlessly."""
    if content.startswith(b"GIF"):
        place = content.find(b"NETSCAPE2.0\x03\x01")
        stored = -1 if place < 0 else int.from_bytes(content[place + 13 : place + 15], "little")
        return stored and stored + 1 if place >= 0 else 1
    if content.startswith(b"RIFF"):
        place = content.find(b"ANIM")
        return int.from_bytes(content[place + 12 : place + 14], "little")
    return int(struct.unpack_from(">I", content, content.find(b"acTL") + 8)[0])


@pytest.mark.parametrize("plays", [0, 1, 2, 5])
@pytest.mark.parametrize("kind", WRITERS)
def test_every_tool_keeps_the_number_of_plays(kind: str, plays: int) -> None:
    source = WRITERS[kind](SIZE, parts_of("whole frames", "left"), plays)
    assert plays_of(source) == plays
    targets: tuple[Any, ...] = ("gif", "png", "webp")
    results = [mediakit.image_animate(source, format=target) for target in targets]
    results += [mediakit.image_watermark(source, "x", format=target) for target in targets]
    results.append(mediakit.images(source, format="webp"))
    assert [plays_of(result.content) for result in results] == [plays] * 7
    assert [result.meta["loop"] for result in results[:3]] == [plays] * 3


@pytest.mark.parametrize("target", ["gif", "png", "webp"])
@pytest.mark.parametrize("plays", [0, 1, 3])
def test_requested_loop_is_the_number_of_plays(target: Any, plays: int) -> None:
    images = [Image.new("RGB", (8, 8), color) for color in ("red", "blue")]
    assert plays_of(mediakit.image_animate(images, loop=plays, format=target).content) == plays


@pytest.mark.parametrize("loop_name", [b"ANIMEXTS1.0", b"NETSCAPE2.0"])
def test_both_loop_extensions_of_gif_are_read(loop_name: bytes) -> None:
    source = gif(SIZE, parts_of("whole frames", "left"), 4).replace(b"NETSCAPE2.0", loop_name)
    assert plays_of(mediakit.image_animate(source, format="png").content) == 4


def test_written_gif_looks_right_in_pillow_too() -> None:
    source = png(SIZE, parts_of("first frame covers a part", "cleared"), 0)
    with Image.open(io.BytesIO(mediakit.image_animate(source, format="gif").content)) as image:
        for number, corner in enumerate([(0, 0, 0, 0), (*GREEN, 255), (*YELLOW, 255), (0, 0, 0, 0)]):
            image.seek(number)
            pixel = image.convert("RGBA").getpixel((0, 0))
            assert isinstance(pixel, tuple)
            assert pixel[3] == corner[3]
            assert not corner[3] or pixel == corner


@pytest.mark.parametrize("target", ["png", "webp", "avif"])
def test_still_gif_is_transparent_where_its_frame_does_not_reach(target: Any) -> None:
    source = gif(SIZE, [Part((4, 4, 12, 9), BLUE, 0, 0)], 1)
    result = mediakit.images(source, format=target)
    image = result.to_pil().convert("RGBA")
    corner, middle = image.getpixel((0, 0)), image.getpixel((5, 5))
    assert isinstance(corner, tuple)
    assert isinstance(middle, tuple)
    assert corner[3] == 0
    assert middle[3] == 255
    assert np.abs(np.array(middle[:3]) - BLUE).max() < 12
    assert mediakit.image_info(source).transparent


class Half(Part):
    """A frame that is half transparent."""

    def pixels(self) -> Any:
        return np.full((8, 8, 4), (*self.color, 128), np.uint8)


def test_blended_frames_of_a_png_are_composited_by_their_opacity() -> None:
    parts = [Half((0, 0, 8, 8), BLUE, 0, delay) for delay in (50, 60, 70)]
    result = mediakit.image_animate(png((8, 8), parts, 0), format="png")
    with Image.open(io.BytesIO(result.content)) as image:
        image.seek(1)
        pixel = image.convert("RGBA").getpixel((4, 4))
    assert isinstance(pixel, tuple)
    assert pixel[3] == pytest.approx(192, abs=2)


def frames_of(content: bytes) -> int:
    with Image.open(io.BytesIO(content)) as image:
        return getattr(image, "n_frames", 1)


def test_animated_png_stays_animated() -> None:
    # A default image that is not a frame counts as one in Pillow.
    source = mediakit.image_animate(gif(SIZE, parts_of("whole frames", "left"), 3), format="png").content
    for options in ({"width": 12}, {"format": "png"}, {"format": "webp"}, {"max_bytes": 600}, {"crop": "2,2,10,10"}):
        result = mediakit.images(source, **options)
        assert (frames_of(result.content), plays_of(result.content)) == (4, 3)
        assert "first_frame_only" not in [each["code"] for each in result.meta.get("warnings", [])]
    assert frames_of(mediakit.image_watermark(source, "x").content) == 4


@pytest.mark.parametrize(("kind", "target"), [("png", "jpeg"), ("png", "avif"), ("gif", "png"), ("webp", "jpeg")])
def test_lost_frames_are_named(kind: str, target: Any) -> None:
    result = mediakit.images(WRITERS[kind](SIZE, parts_of("whole frames", "left"), 0), format=target)
    (warning,) = result.meta["warnings"]
    assert warning["code"] == "first_frame_only"
    assert "only the first of 4 frames" in warning["message"]
    assert frames_of(result.content) == 1


@pytest.mark.parametrize("kind", WRITERS)
def test_code_reader_says_that_it_reads_one_frame(kind: str) -> None:
    result = mediakit.code_reader(WRITERS[kind](SIZE, parts_of("whole frames", "left"), 0))
    assert [each["code"] for each in result.meta["warnings"]] == ["first_frame_only"]


@pytest.mark.parametrize(("width", "target", "limit"), [(70_000, "webp", 16383), (70_000, "gif", 65535)])
def test_side_beyond_the_format_is_a_clear_error(width: int, target: Any, limit: int) -> None:
    images = [Image.new("RGB", (width, 8), color) for color in ("red", "blue")]
    with pytest.raises(mediakit.errors.InvalidInput, match=rf"^width: .*{limit}.*format png\.$"):
        mediakit.image_animate(images, format=target)
    assert mediakit.image_animate(images, format=target, width=1000).width == 1000


def test_gif_without_delays_keeps_them() -> None:
    parts = [
        part._replace(delay_ms=delay)
        for part, delay in zip(parts_of("whole frames", "left"), (0, 0, 10, 30), strict=True)
    ]
    for target in ("gif", "png", "webp"):
        result = mediakit.image_animate(gif(SIZE, parts, 0), format=target)
        assert mediakit.image_info(result).delays_ms == [0, 0, 10, 30]


def test_fourth_disposal_of_gif_restores_as_the_third_in_browsers() -> None:
    third = gif(SIZE, parts_of("frames over each other", "restored"), 0)
    fourth = third.replace(b"!\xf9\x04\x0d", b"!\xf9\x04\x11")
    assert third != fourth
    assert mediakit.image_animate(third, format="png").content == mediakit.image_animate(fourth, format="png").content


def test_delays_of_hours_fit_or_are_reduced() -> None:
    hours = [part._replace(delay_ms=20_000_000) for part in parts_of("whole frames", "left")]
    source = png(SIZE, [part._replace(delay_ms=65_000) for part in hours], 0)
    source = source.replace(struct.pack(">HH", 65_000, 1000), struct.pack(">HH", 20_000, 1))
    fixed = b"".join(_with_checksums(source))
    assert mediakit.image_info(mediakit.image_animate(fixed, format="png")).delays_ms == [20_000_000] * 4
    assert mediakit.image_info(mediakit.image_animate(fixed, format="webp")).delays_ms == [0xFFFFFF] * 4


def _with_checksums(content: bytes) -> Iterator[bytes]:
    """Yield a PNG with right checksums."""
    yield content[:8]
    start = 8
    while start < len(content):
        end = start + 8 + int.from_bytes(content[start : start + 4])
        yield content[start:end] + struct.pack(">I", zlib.crc32(content[start + 4 : end]))
        start = end + 4
