"""Animations stay animated in WebP and become their first frame in other formats."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from mediakit.engines.raster import OutputFormat, read_header
from mediakit.errors import InvalidInput
from tests.support.raster_kit import convert

STEP = 30


def dot(number: int) -> Image.Image:
    """Return a frame with a red dot that moves to the right on a transparent background."""
    image = Image.new("RGBA", (200, 100))
    ImageDraw.Draw(image).ellipse((number * STEP, 40, number * STEP + 20, 60), fill=(255, 0, 0, 255))
    return image


def animated(kind: str, frames: int = 6, **options: object) -> bytes:
    first, *rest = [dot(number) for number in range(frames)]
    durations = list(range(50, 50 + 10 * frames, 10))
    buffer = BytesIO()
    first.save(buffer, kind, save_all=True, append_images=rest, duration=durations, disposal=2, **options)
    return buffer.getvalue()


def opened(content: bytes, frame: int = 0) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.seek(frame)
    image.load()
    return image


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "AVIF"])
def test_every_frame_is_resized_and_keeps_its_duration(kind: str) -> None:
    result = convert(animated(kind), width=100, format="webp")
    assert (result.format, result.width, result.height) == ("webp", 100, 50)
    for number in range(6):
        frame = opened(result.content, number)
        alpha = frame.convert("RGBA").getchannel("A").point(lambda value: 255 if value > 128 else 0)
        left, _, right, _ = alpha.getbbox() or (0, 0, 0, 0)
        assert frame.info["duration"] == 50 + 10 * number
        assert (left + right) / 2 == pytest.approx((number * STEP + 10) / 2, abs=1.5)


@pytest.mark.parametrize(("kind", "target"), [("GIF", "webp"), ("WEBP", "webp"), ("PNG", "png")])
def test_animation_defaults_to_webp(kind: str, target: str) -> None:
    assert convert(animated(kind), width=50).format == target


@pytest.mark.parametrize("target", ["png", "jpeg", "avif"])
def test_other_formats_contain_the_first_frame(target: OutputFormat) -> None:
    result = opened(convert(animated("GIF"), format=target).content)
    assert getattr(result, "n_frames", 1) == 1
    pixel = result.convert("RGB").getpixel((10, 50))
    assert isinstance(pixel, tuple)
    assert pixel[0] > 230
    assert pixel[1] < 30


@pytest.mark.parametrize(("options", "plays"), [({}, 1), ({"loop": 0}, 0), ({"loop": 3}, 4)])
def test_gif_keeps_its_play_count(options: dict[str, int], plays: int) -> None:
    assert opened(convert(animated("GIF", **options), width=50).content).info["loop"] == plays


@pytest.mark.parametrize("loop", [0, 5])
def test_webp_keeps_its_play_count(loop: int) -> None:
    assert opened(convert(animated("WEBP", loop=loop), width=50).content).info["loop"] == loop


def test_all_frames_get_the_same_crop() -> None:
    result = convert(animated("GIF"), width=100, height=100, position="attention")
    boxes = [opened(result.content, number).convert("RGBA").getchannel("A").getbbox() for number in (0, 1, 2)]
    lefts = [box[0] for box in boxes if box]
    assert lefts == pytest.approx([lefts[0], lefts[0] + STEP, lefts[0] + 2 * STEP], abs=2)


def test_exif_orientation_is_applied_to_animations() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    result = convert(animated("WEBP", exif=exif), width=50)
    assert (result.width, result.height, result.original_width, result.original_height) == (50, 100, 100, 200)
    assert opened(result.content, 3).size == (50, 100)


def test_contain_letterboxes_every_frame() -> None:
    result = convert(animated("GIF"), width=100, height=100, fit="contain")
    assert all(opened(result.content, number).size == (100, 100) for number in range(6))


def test_pages_of_a_tiff_are_not_frames() -> None:
    buffer = BytesIO()
    dot(0).save(buffer, "TIFF", save_all=True, append_images=[dot(1)])
    assert read_header(buffer.getvalue()).frames == 1
    assert convert(buffer.getvalue(), width=50).format == "png"


def test_stray_bytes_between_gif_frames_are_skipped() -> None:
    content = animated("GIF")
    control = b"\x21\xf9\x04"
    assert read_header(content.replace(control, b"\0\0" + control)).frames == 6
    assert opened(convert(content.replace(control, b"\0\0" + control), width=50).content, 5).size == (50, 25)


def test_more_than_1000_frames_are_rejected_with_a_hint() -> None:
    frame = b"!\xf9\x04\x04\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
    content = b"GIF89a\x01\0\x01\0\x80\0\0" + bytes(6) + frame * 50_000 + b";"
    with pytest.raises(InvalidInput, match=r"^file: has more than 1000 frames\. Use format jpeg"):
        convert(content, width=5)
    assert convert(content, width=5, format="png").width == 5


def test_pixel_limit_counts_all_frames() -> None:
    frames = [Image.new("L", (3000, 2000), shade) for shade in range(9)]
    buffer = BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=50)
    with pytest.raises(
        InvalidInput, match=r"^file: must have at most 50 megapixels in all .*, got 54\.0 in 9 frames\."
    ):
        convert(buffer.getvalue(), width=50)


def test_output_pixel_limit_counts_all_frames() -> None:
    with pytest.raises(InvalidInput, match=r"^file: would become 6000 x 3000 pixels in 6 frames; WEBP results are"):
        convert(animated("GIF"), width=6000)
