"""The `image_watermark` tool: pixels, positions, formats and errors. Results are read back with Pillow."""

import io
import re
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageCms, TiffImagePlugin

import mediakit
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.samples import LANDSCAPE, LOGO
from mediakit.tools.images.image_watermark import tool as tool_module

SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"><rect width="100" height="50" fill="#c00"/>
<image href="file:///etc/hostname" width="5" height="5"/></svg>"""


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def noise(width: int = 320, height: int = 200, channels: int = 3) -> np.ndarray:
    shape = (height, width, channels) if channels > 1 else (height, width)
    return np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)


def outside(shape: tuple[int, ...], box: list[int]) -> np.ndarray:
    mask = np.ones(shape[:2], bool)
    left, top, width, height = box
    mask[top : top + height, left : left + width] = False
    return mask


def frames_of(content: bytes) -> tuple[list[np.ndarray], list[float], int]:
    image = Image.open(io.BytesIO(content))
    pixels, delays = [], []
    for number in range(image.n_frames):  # type: ignore[attr-defined]
        image.seek(number)
        image.load()
        delays.append(image.info["duration"])
        pixels.append(np.asarray(image.convert("RGB")).astype(int))
    return pixels, delays, image.info["loop"]


@pytest.mark.parametrize(
    "background",
    [
        np.full((200, 320, 3), 255, np.uint8),
        np.zeros((200, 320, 3), np.uint8),
        np.full((200, 320, 3), 128, np.uint8),
        noise(),
    ],
    ids=["white", "black", "gray", "noise"],
)
@pytest.mark.parametrize("text", ["© Lake Survey", "机密 😀", "سري للغاية", "two\nlines"])
def test_mark_is_visible_and_pixels_outside_it_stay_equal(background: np.ndarray, text: str) -> None:
    result = mediakit.image_watermark(encoded(Image.fromarray(background)), text)
    before, after = background.astype(int), np.asarray(result.to_pil().convert("RGB")).astype(int)
    left, top, width, height = box = result.meta["box"]
    difference = np.abs(after - before)
    assert difference[top : top + height, left : left + width].mean() >= 8
    assert not difference[outside(before.shape, box)].any()
    assert width == 50  # a quarter of the shorter side
    assert result.meta["warnings"] == []


@pytest.mark.parametrize(
    ("position", "corner"),
    [
        ("center", (135, 87)),
        ("top", (135, 6)),
        ("right top", (264, 6)),
        ("top right", (264, 6)),
        ("right", (264, 87)),
        ("right bottom", (264, 169)),
        ("bottom", (135, 169)),
        ("left bottom", (6, 169)),
        ("left", (6, 87)),
        ("left top", (6, 6)),
    ],
)
def test_position_places_the_mark(position: Any, corner: tuple[int, int]) -> None:
    mark = encoded(Image.new("RGB", (100, 50), "red"))
    result = mediakit.image_watermark(encoded(Image.fromarray(noise())), mark=mark, position=position)
    assert result.meta["box"] == [*corner, 50, 25]


def test_logo_keeps_its_transparency_and_opacity() -> None:
    logo = Image.new("RGBA", (40, 40), (255, 0, 0, 0))
    logo.paste((255, 0, 0, 255), (0, 0, 20, 40))
    result = mediakit.image_watermark(
        encoded(Image.new("RGB", (100, 100), "white")), mark=encoded(logo), size_pct=40, opacity=0.5, position="center"
    )
    image = result.to_pil().convert("RGB")
    assert image.getpixel((35, 50)) == (255, 127, 127)
    assert image.getpixel((65, 50)) == (255, 255, 255)


def test_svg_mark_is_drawn_without_outside_files() -> None:
    result = mediakit.image_watermark(LANDSCAPE, mark=SVG, opacity=1, format="png")
    left, top, width, height = result.meta["box"]
    assert (width, height) == (250, 125)
    assert result.to_pil().convert("RGB").getpixel((left + 125, top + 60)) == (204, 0, 0)
    assert result.meta["warnings"] == ["mark: refers to other files, which are never opened; they are omitted."]


def test_tile_covers_the_whole_image_and_has_no_box() -> None:
    white = Image.new("RGB", (600, 400), "white")
    result = mediakit.image_watermark(encoded(white), "TILE", tile=True)
    changed = np.asarray(result.to_pil().convert("L")) < 250
    assert result.meta["box"] is None
    assert all(changed[y : y + 200, x : x + 200].any() for y in (0, 200) for x in (0, 200, 400))


def test_text_is_never_cut() -> None:
    result = mediakit.image_watermark(LANDSCAPE, "W" * 200, size_pct=100, position="center")
    left, _, width, _ = result.meta["box"]
    assert (left, width) == (300, 1000)


def test_mark_that_would_stand_outside_is_made_smaller() -> None:
    result = mediakit.image_watermark(LANDSCAPE, "a\nb\nc\nd\ne", size_pct=100)
    assert result.meta["box"][3] == 1000
    assert result.meta["warnings"] == ["size_pct: the mark would stand outside the image; it was made smaller."]


def test_opacity_zero_changes_nothing() -> None:
    pixels = noise()
    result = mediakit.image_watermark(encoded(Image.fromarray(pixels)), "text", opacity=0)
    assert (np.asarray(result.to_pil().convert("RGB")) == pixels).all()


def test_hardly_visible_mark_is_a_warning() -> None:
    white = encoded(Image.new("RGB", (200, 200), "white"))
    result = mediakit.image_watermark(white, mark=encoded(Image.new("RGB", (50, 50), "white")))
    assert "hardly be seen" in result.meta["warnings"][0]


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_sixteen_bit_png_stays_sixteen_bit(channels: int) -> None:
    from mediakit.engines.png import encode_deep
    from mediakit.engines.raster.deep import read_deep
    from mediakit.engines.raster.source import read_header

    pixels = np.random.default_rng(2).integers(0, 65536, (120, 161, channels), dtype=np.uint16)
    result = mediakit.image_watermark(encode_deep(pixels), "16 bits")
    after, _ = read_deep(read_header(result.content))
    assert result.content[24] == 16
    same = outside(pixels.shape, result.meta["box"])
    assert (after[same] == pixels[same]).all()
    assert (after[~same] != pixels[~same]).any()


def test_interlaced_sixteen_bit_png_is_read() -> None:
    import struct
    import zlib

    from mediakit.engines.png import SIGNATURE, chunk
    from mediakit.engines.raster.deep import read_deep
    from mediakit.engines.raster.source import read_header

    # First column and row, and steps of the passes (ISO/IEC 15948, 8.2).
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    pixels = np.random.default_rng(3).integers(0, 65536, (13, 11, 3), dtype=np.uint16)
    rows = [b"\0" + row.astype(">u2").tobytes() for x, y, dx, dy in passes for row in pixels[y::dy, x::dx] if row.size]
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 11, 13, 16, 2, 0, 0, 1))
    content = SIGNATURE + header + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b"")
    assert (read_deep(read_header(content))[0] == pixels).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_image_is_upright(orientation: int) -> None:
    image = Image.fromarray(noise(60, 40))
    exif = Image.Exif()
    exif[0x0112] = orientation
    result = mediakit.image_watermark(encoded(image, exif=exif), "up", opacity=0)
    from PIL import ImageOps

    expected = ImageOps.exif_transpose(Image.open(io.BytesIO(encoded(image, exif=exif)))).convert("RGB")
    assert (np.asarray(result.to_pil().convert("RGB")) == np.asarray(expected)).all()


@pytest.mark.parametrize(("kind", "options"), [("JPEG", {}), ("PNG", {}), ("WEBP", {"lossless": True}), ("AVIF", {})])
def test_profile_is_kept_and_other_metadata_is_removed(kind: str, options: dict[str, Any]) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    exif = Image.Exif()
    exif.get_ifd(0x8825)[2] = tuple(TiffImagePlugin.IFDRational(value, 1) for value in (52, 30, 0))
    content = encoded(Image.fromarray(noise()), kind, exif=exif, icc_profile=profile, **options)
    image = Image.open(io.BytesIO(mediakit.image_watermark(content, "text").content))
    assert image.format == kind
    assert image.info["icc_profile"] == profile
    assert not image.getexif()


def test_cmyk_is_converted_with_a_warning() -> None:
    result = mediakit.image_watermark(encoded(Image.new("CMYK", (200, 100), (0, 255, 255, 0)), "JPEG"), "CMYK")
    assert result.to_pil().mode == "RGB"
    assert result.meta["warnings"] == ["file: was converted from CMYK to sRGB."]


def test_jpeg_keeps_its_quality() -> None:
    content = encoded(Image.open(LANDSCAPE), "JPEG", quality=93)
    before, after = Image.open(io.BytesIO(content)), mediakit.image_watermark(content, "text").to_pil()
    again = Image.open(io.BytesIO(mediakit.image_watermark(content, "text").content))
    assert after.size == before.size
    assert again.quantization == before.quantization  # type: ignore[attr-defined]


@pytest.mark.parametrize(("kind", "options"), [("GIF", {}), ("WEBP", {"lossless": True}), ("PNG", {})])
def test_animation_keeps_frames_delays_and_loop(kind: str, options: dict[str, Any]) -> None:
    flat = [Image.new("RGB", (160, 120), color) for color in ("navy", "teal", "gold", "gold", "pink")]
    for number, frame in enumerate(flat):
        frame.paste((10 * number, 200, 90), (number, 5, number + 30, 40))
    delays = [40, 400, 80, 1000, 20]
    content = encoded(flat[0], kind, save_all=True, append_images=flat[1:], duration=delays, loop=3, **options)
    result = mediakit.image_watermark(content, "moves")
    before, after = frames_of(content), frames_of(result.content)
    assert result.meta["format"] == kind.lower()
    assert after[1:] == before[1:] == (delays, 3)
    mask = outside(before[0][0].shape, result.meta["box"])
    assert all((new[mask] == old[mask]).all() for new, old in zip(after[0], before[0], strict=True))
    assert all(np.abs(new - old)[~mask].mean() >= 8 for new, old in zip(after[0], before[0], strict=True))


def test_animation_as_jpeg_is_its_first_frame() -> None:
    flat = [Image.new("RGB", (60, 60), color) for color in ("navy", "gold")]
    content = encoded(flat[0], "GIF", save_all=True, append_images=flat[1:])
    result = mediakit.image_watermark(content, "one", format="jpeg")
    assert result.meta["frames"] == 1
    assert result.meta["warnings"] == ["format: jpeg has no animations; only the first frame is kept."]


def test_color_of_the_text_is_the_requested_one() -> None:
    white = encoded(Image.new("RGB", (400, 200), "white"))
    result = mediakit.image_watermark(white, "IIIII", color="red", opacity=1, size_pct=100, position="center")
    colors = result.to_pil().convert("RGB").getcolors(100_000) or []
    assert max((count, color) for count, color in colors if color != (255, 255, 255))[1] == (255, 0, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({}, "text: send text or mark."),
        ({"text": "a", "mark": LOGO}, "text: send text or mark."),
        ({"mark": b"%PDF-1.7"}, "mark: is not a picture."),
        ({"mark": b"hello"}, "mark: is not a picture."),
        ({"text": "\n".join("abcdef")}, "text: must have at most 5 lines, got 6."),
        ({"text": "  "}, "text: must have a character that can be seen."),
        ({"text": "a\0b"}, "text: must have no control characters except line breaks."),
        ({"text": "a", "file": b"hello"}, "file: is not a PNG, JPEG, WebP, AVIF, GIF or TIFF image."),
    ],
)
def test_bad_input_is_refused(call: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}") as error:
        mediakit.image_watermark(**{"file": LANDSCAPE, **call})
    assert error.value.message == message


def test_same_input_gives_the_same_bytes() -> None:
    calls = [mediakit.image_watermark(LANDSCAPE, "same 😀", rotate=12).content for _ in range(2)]
    assert calls[0] == calls[1]


def test_slow_work_is_not_convertible(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tool_module.WATERMARK.seconds == 10
    monkeypatch.setattr(tool_module, "WATERMARK", replace(tool_module.WATERMARK, seconds=0.01))
    message = "The image took longer than 0.01 seconds. Send a smaller image, or request format jpeg or webp."
    with pytest.raises(NotConvertible, match=f"^{re.escape(message)}$"):
        mediakit.image_watermark(encoded(Image.effect_noise((3000, 3000), 90)), "slow")


def test_animated_avif_does_not_depend_on_the_time() -> None:
    frames = [Image.new("RGB", (32, 24), (60 * number, 0, 90)) for number in range(3)]
    made = encoded(frames[0], "AVIF", save_all=True, append_images=frames[1:], duration=100)
    results = []
    for _ in range(2):
        results.append(mediakit.image_watermark(made, "x").content)
        time.sleep(1.1)  # the file format stores seconds
    assert results[0] == results[1]
    assert mediakit.image_info(results[0]).delays_ms == [100, 100, 100]
