"""Pictures that move keep moving where the result can."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from mediakit.engines.raster import OutputFormat, read
from mediakit.errors import InvalidInput
from tests.support.raster_kit import convert

STEP = 30


def dot(number: int) -> Image.Image:
    """Draw a red dot that wanders to the right over nothing."""
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
def test_every_frame_is_resized_and_keeps_its_time(kind: str) -> None:
    made = convert(animated(kind), width=100, format="webp")
    assert (made.format, made.width, made.height) == ("webp", 100, 50)
    for number in range(6):
        frame = opened(made.content, number)
        alpha = frame.convert("RGBA").getchannel("A").point(lambda value: 255 if value > 128 else 0)
        left, _, right, _ = alpha.getbbox() or (0, 0, 0, 0)
        assert frame.info["duration"] == 50 + 10 * number
        assert (left + right) / 2 == pytest.approx((number * STEP + 10) / 2, abs=1.5)


@pytest.mark.parametrize(("kind", "target"), [("GIF", "webp"), ("WEBP", "webp"), ("PNG", "png")])
def test_chooses_webp_for_what_moves(kind: str, target: str) -> None:
    assert convert(animated(kind), width=50).format == target


@pytest.mark.parametrize("target", ["png", "jpeg", "avif"])
def test_the_other_formats_hold_the_first_frame(target: OutputFormat) -> None:
    made = opened(convert(animated("GIF"), format=target).content)
    assert getattr(made, "n_frames", 1) == 1
    pixel = made.convert("RGB").getpixel((10, 50))
    assert isinstance(pixel, tuple)
    assert pixel[0] > 230
    assert pixel[1] < 30


@pytest.mark.parametrize(("options", "plays"), [({}, 1), ({"loop": 0}, 0), ({"loop": 3}, 4)])
def test_a_gif_plays_as_often_as_before(options: dict[str, int], plays: int) -> None:
    assert opened(convert(animated("GIF", **options), width=50).content).info["loop"] == plays


@pytest.mark.parametrize("loop", [0, 5])
def test_a_webp_plays_as_often_as_before(loop: int) -> None:
    assert opened(convert(animated("WEBP", loop=loop), width=50).content).info["loop"] == loop


def test_one_crop_serves_all_frames() -> None:
    made = convert(animated("GIF"), width=100, height=100, position="attention")
    boxes = [opened(made.content, number).convert("RGBA").getchannel("A").getbbox() for number in (0, 1, 2)]
    lefts = [box[0] for box in boxes if box]
    assert lefts == pytest.approx([lefts[0], lefts[0] + STEP, lefts[0] + 2 * STEP], abs=2)


def test_an_animation_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    made = convert(animated("WEBP", exif=exif), width=50)
    assert (made.width, made.height, made.original_width, made.original_height) == (50, 100, 100, 200)
    assert opened(made.content, 3).size == (50, 100)


def test_contain_letterboxes_every_frame() -> None:
    made = convert(animated("GIF"), width=100, height=100, fit="contain")
    assert all(opened(made.content, number).size == (100, 100) for number in range(6))


def test_pages_of_a_tiff_do_not_move() -> None:
    buffer = BytesIO()
    dot(0).save(buffer, "TIFF", save_all=True, append_images=[dot(1)])
    assert read(buffer.getvalue()).frames == 1
    assert convert(buffer.getvalue(), width=50).format == "png"


def test_stray_bytes_between_frames_do_not_end_the_animation() -> None:
    content = animated("GIF")
    control = b"\x21\xf9\x04"
    assert read(content.replace(control, b"\0\0" + control)).frames == 6
    assert opened(convert(content.replace(control, b"\0\0" + control), width=50).content, 5).size == (50, 25)


def test_refuses_a_thousand_and_one_frames_and_says_what_to_do() -> None:
    frame = b"!\xf9\x04\x04\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
    content = b"GIF89a\x01\0\x01\0\x80\0\0" + bytes(6) + frame * 50_000 + b";"
    with pytest.raises(InvalidInput, match=r"^file: has more than 1000 frames\. Ask for format png or jpeg"):
        convert(content, width=5)
    assert convert(content, width=5, format="png").width == 5


def test_counts_the_pixels_of_all_frames() -> None:
    frames = [Image.new("L", (3000, 2000), shade) for shade in range(9)]
    buffer = BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=50)
    with pytest.raises(InvalidInput, match=r"^file: has 54\.0 megapixels in 9 frames; at most 50 are allowed\."):
        convert(buffer.getvalue(), width=50)


def test_counts_the_pixels_of_all_frames_of_the_result() -> None:
    with pytest.raises(InvalidInput, match=r"^file: would become 6000 x 3000 pixels in 6 frames; WEBP is made of"):
        convert(animated("GIF"), width=6000)
