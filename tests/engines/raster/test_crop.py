"""The strategies `entropy` and `attention` crop to the subject of an image."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from mediakit.engines.raster.geometry import Position
from tests.support.raster_kit import convert

SKIN = (224, 172, 140)


def scene(center: tuple[int, int], *, size: tuple[int, int] = (600, 300)) -> bytes:
    """Return an image of a face on a plain sky."""
    image = Image.new("RGB", size, (120, 150, 200))
    draw = ImageDraw.Draw(image)
    x, y = center
    draw.ellipse((x - 40, y - 50, x + 40, y + 50), fill=SKIN, outline="black", width=3)
    for eye in (x - 15, x + 15):
        draw.ellipse((eye - 5, y - 20, eye + 5, y - 10), fill="black")
    return png(image)


def png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def skin_columns(content: bytes) -> tuple[int, int]:
    """Return the first and last column of the face."""
    image = Image.open(BytesIO(content)).convert("RGB")
    mask = Image.new("L", image.size)
    mask.putdata([255 if max(abs(a - b) for a, b in zip(p, SKIN, strict=True)) < 12 else 0 for p in pixels(image)])
    box = mask.getbbox()
    assert box, "the face was cut off"
    return box[0], box[2]


def pixels(image: Image.Image) -> list[tuple[int, ...]]:
    raw = image.tobytes()
    return [tuple(raw[start : start + 3]) for start in range(0, len(raw), 3)]


@pytest.mark.parametrize("position", ["entropy", "attention"])
@pytest.mark.parametrize("x", [70, 300, 530])
def test_strategy_keeps_the_face_at_any_position(position: Position, x: int) -> None:
    result = convert(scene((x, 150)), width=150, height=150, position=position, format="png")
    assert (result.width, result.height) == (150, 150)
    left, right = skin_columns(result.content)
    assert right - left >= 35


def test_center_crop_misses_the_face() -> None:
    result = convert(scene((70, 150)), width=150, height=150, format="png")
    with pytest.raises(AssertionError, match="cut off"):
        skin_columns(result.content)


@pytest.mark.parametrize("position", ["entropy", "attention"])
def test_strategy_ignores_transparent_areas(position: Position) -> None:
    hidden = Image.open(BytesIO(scene((70, 150)))).convert("RGBA")
    hidden.putalpha(0)
    shown = Image.open(BytesIO(scene((530, 150)))).convert("RGBA")
    hidden.paste(shown.crop((300, 0, 600, 300)), (300, 0))
    result = convert(png(hidden), width=150, height=150, position=position, format="png")
    left, right = skin_columns(result.content)
    assert right - left >= 35


@pytest.mark.parametrize("position", ["entropy", "attention"])
@pytest.mark.parametrize("size", [(8000, 1), (1, 8000), (3000, 2000), (5, 5)])
def test_strategy_accepts_any_aspect_ratio(position: Position, size: tuple[int, int]) -> None:
    result = convert(png(Image.new("L", size, 90)), width=40, height=30, position=position)
    assert Image.open(BytesIO(result.content)).size == (40, 30)


def test_large_result_is_searched_on_a_smaller_copy() -> None:
    result = convert(scene((530, 150)), width=1500, height=1500, position="attention", format="png")
    left, right = skin_columns(result.content)
    assert right - left >= 350


@pytest.mark.parametrize("position", ["entropy", "attention"])
def test_strategy_crops_an_image_of_one_color(position: Position) -> None:
    result = convert(png(Image.new("RGB", (90, 40))), width=20, height=20, position=position)
    assert Image.open(BytesIO(result.content)).convert("RGB").getcolors() == [(400, (0, 0, 0))]
