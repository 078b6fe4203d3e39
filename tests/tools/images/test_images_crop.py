"""The option `crop` of the `images` tool."""

import io
from typing import Any

import pytest
from PIL import ExifTags, Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE


def grid(form: str = "PNG", **options: Any) -> bytes:
    """An image of 160 x 120 pixels; red is the column and green the row."""
    image = Image.new("RGB", (160, 120))
    image.putdata([(x, y, 90) for y in range(120) for x in range(160)])
    image.save(file := io.BytesIO(), form, **options)
    return file.getvalue()


def corners(content: bytes) -> list[tuple[int, int]]:
    image = Image.open(io.BytesIO(content)).convert("RGB")
    points = ((0, 0), (image.width - 1, image.height - 1))
    return [image.getpixel(point)[:2] for point in points]  # type: ignore[index,misc]


@pytest.mark.parametrize(
    "crop", ["20,30,80,60", (20, 30, 80, 60), [20, "30", 80, 60], " 20 , 30, 80 ,60", (20.0, 30, 80, 60)]
)
def test_crop_in_pixels_keeps_exact_area(crop: Any) -> None:
    result = mediakit.images(grid(), crop=crop)
    assert (result.width, result.height) == (80, 60)
    assert corners(result.content) == [(20, 30), (99, 89)]
    assert result.meta["original_width"] == 160


@pytest.mark.parametrize("crop", ["12.5%,25%,50%,50%", ("12.5%", "25%", "50%", "50%"), "20,25%,80,60"])
def test_crop_in_percent_keeps_exact_area(crop: Any) -> None:
    result = mediakit.images(grid(), crop=crop)
    assert (result.width, result.height) == (80, 60)
    assert corners(result.content) == [(20, 30), (99, 89)]


def test_crop_happens_before_resizing() -> None:
    result = mediakit.images(grid(), crop="40,20,80,80", width=40, height=20)
    assert (result.width, result.height) == (40, 20)
    assert corners(result.content) == [pytest.approx((40, 40), abs=2), pytest.approx((118, 79), abs=2)]


def test_crop_applies_to_upright_image() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6  # turned clockwise to be upright
    result = mediakit.images(grid("JPEG", exif=exif, quality=100, subsampling=0), crop="0,0,30,40", format="png")
    assert (result.width, result.height) == (30, 40)
    (red, green), (last_red, last_green) = corners(result.content)
    assert (red, green) == pytest.approx((0, 119), abs=6)
    assert (last_red, last_green) == pytest.approx((39, 90), abs=6)


@pytest.mark.parametrize("width", [40, 200, 700])
def test_crop_of_reduced_jpeg_equals_crop_of_whole_image(width: int) -> None:
    whole = mediakit.images(LANDSCAPE, format="png").to_pil().convert("RGB")
    left, top = whole.width // 3, whole.height // 4
    area = (left, top, whole.width // 2, whole.height // 2)
    result = mediakit.images(LANDSCAPE, crop=area, width=width, format="png").to_pil().convert("RGB")
    expected = whole.crop((left, top, left + area[2], top + area[3])).resize(result.size, Image.Resampling.LANCZOS)
    differences = [abs(a - b) for a, b in zip(result.tobytes(), expected.tobytes(), strict=True)]
    assert sum(differences) / len(differences) < 4


def test_crop_of_animation_applies_to_every_frame() -> None:
    frames = [Image.new("RGB", (60, 40), color) for color in ("#ff0000", "#0000ff")]
    for frame in frames:
        frame.paste("#00ff00", (0, 0, 30, 40))
    frames[0].save(file := io.BytesIO(), "GIF", save_all=True, append_images=frames[1:], duration=100)
    result = mediakit.images(file.getvalue(), crop="50%,0,50%,40", format="webp")
    with Image.open(io.BytesIO(result.content)) as animation:
        assert (animation.size, animation.n_frames) == ((30, 40), 2)  # type: ignore[attr-defined]
        animation.seek(1)
        red, green, blue = animation.convert("RGB").getpixel((2, 20))  # type: ignore[misc]
    assert blue > 200
    assert max(red, green) < 60


def test_crop_of_whole_image_only_compresses() -> None:
    content = grid()
    assert len(mediakit.images(content, crop="0,0,100%,100%").content) <= len(content)


def test_tiny_percentages_keep_one_pixel() -> None:
    result = mediakit.images(grid(), crop="100%,100%,0.001%,0.001%")
    assert (result.width, result.height) == (1, 1)
    assert corners(result.content)[0] == (159, 119)


@pytest.mark.parametrize("crop", ["100,0,61,10", "0,100,10,21", "160,0,1,1", "50%,0,60%,10", "0,0,99999,1"])
def test_crop_outside_image_is_rejected(crop: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^crop: must be inside the image of 160 x 120 pixels, got {crop}\.$"):
        mediakit.images(grid(), crop=crop)


@pytest.mark.parametrize(
    "crop",
    [
        "",
        "1,2,3",
        "1,2,3,4,5",
        "-1,0,10,10",
        "a,0,1,1",
        "0,0,0,10",
        "0,0,10,0%",
        "1.5,0,1,1",
        (1, 2, 3),
        5,
        True,
        {},
        [[1], 2, 3, 4],
        (0.5, 0, 1, 1),
    ],
)
def test_invalid_crop_is_rejected(crop: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^crop: must be left,top,width,height in pixels or percent"):
        mediakit.images(grid(), crop=crop)


def test_crop_is_in_snippets() -> None:
    result = mediakit.images(LANDSCAPE, crop=(10, 20, 300, 200))
    assert 'crop="10,20,300,200"' in result.code()
    assert "crop=10%2C20%2C300%2C200" in result.code("curl") or "crop=10,20,300,200" in result.code("curl")
