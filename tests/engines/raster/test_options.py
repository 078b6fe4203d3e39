"""`max_bytes`, `background`, `without_enlargement` and `keep_metadata` do what they say."""

from io import BytesIO
from typing import Any

import pytest
from PIL import ExifTags, Image

from mediakit.engines.raster import OutputFormat
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE
from tests.support.raster_kit import convert

PHOTO = LANDSCAPE.read_bytes()
LOSSY: tuple[OutputFormat, ...] = ("jpeg", "webp", "avif")
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a tiff:Orientation="6" dc:title="Dusk"/></x:xmpmeta>'


def encoded(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def noise(size: tuple[int, int] = (300, 200)) -> Image.Image:
    return Image.merge("RGB", [Image.effect_noise(size, sigma) for sigma in (40, 60, 80)])


def half_clear() -> bytes:
    """Draw red on the left, nothing on the right."""
    image = Image.new("RGBA", (80, 40))
    image.paste((255, 0, 0, 255), (0, 0, 40, 40))
    return encoded(image)


def colour_at(content: bytes, x: int, y: int) -> tuple[int, ...]:
    pixel = opened(content).convert("RGBA").getpixel((x, y))
    assert isinstance(pixel, tuple)
    return pixel


def with_exif(orientation: int = 6) -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Artist] = "Somebody"
    exif[ExifTags.Base.Orientation] = orientation
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = "2026:01:02 03:04:05"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = "N"
    return encoded(noise(), "JPEG", exif=exif, xmp=XMP)


@pytest.mark.parametrize("kind", LOSSY)
@pytest.mark.parametrize("limit", [4000, 9000])
def test_finds_the_best_quality_that_fits(kind: OutputFormat, limit: int) -> None:
    made = convert(PHOTO, width=320, format=kind, max_bytes=limit)
    assert len(made.content) <= limit
    assert made.quality
    if made.quality < 95:
        assert len(convert(PHOTO, width=320, format=kind, quality=made.quality + 1).content) > limit
    assert opened(made.content).size == (320, 200)


def test_the_given_quality_is_the_highest_that_is_tried() -> None:
    made = convert(PHOTO, width=320, format="jpeg", quality=30, max_bytes=10**6)
    assert made.quality == 30
    assert made.content == convert(PHOTO, width=320, format="jpeg", quality=30).content


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "AVIF", "PNG"])
def test_with_a_limit_it_never_outgrows_the_original(kind: str) -> None:
    content = encoded(noise(), kind, quality=50)
    assert len(convert(content, max_bytes=10**7).content) <= len(content)


def test_an_enlarged_picture_may_outgrow_the_original() -> None:
    made = convert(encoded(noise((40, 40)), "JPEG", quality=40), width=800, max_bytes=10**7)
    assert made.quality == 95


def test_a_png_that_fits_loses_nothing() -> None:
    image = Image.linear_gradient("L").resize((300, 200)).convert("RGB")
    made = convert(encoded(image, compress_level=1), max_bytes=10**6)
    assert opened(made.content).convert("RGB").tobytes() == image.tobytes()


def test_a_png_that_does_not_fit_gets_fewer_colours() -> None:
    whole = convert(PHOTO, width=300, format="png")
    made = convert(PHOTO, width=300, format="png", max_bytes=len(whole.content) // 3)
    assert len(made.content) <= len(whole.content) // 3
    colours = opened(made.content).convert("RGB").getcolors(256)
    assert colours
    assert len(colours) > 8


def test_a_png_keeps_its_transparency_with_fewer_colours() -> None:
    image = noise()
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    made = convert(encoded(image), max_bytes=30_000)
    alpha = opened(made.content).convert("RGBA").getchannel("A")
    assert len(made.content) <= 30_000
    assert min(alpha.tobytes()) < 60
    assert max(alpha.tobytes()) > 190


def test_an_animation_fits_too() -> None:
    frames = [noise((120, 80)) for _ in range(4)]
    content = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=80)
    made = convert(content, max_bytes=8000)
    assert len(made.content) <= 8000
    assert opened(made.content).n_frames == 4  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "avif"])
def test_max_bytes_error_names_smallest_possible_size(kind: OutputFormat) -> None:
    with pytest.raises(InvalidInput, match=r"^max_bytes: must be at least \d+ for this image, got 50\."):
        convert(encoded(noise()), format=kind, max_bytes=50)


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "avif"])
def test_transparency_lies_on_the_background(kind: OutputFormat) -> None:
    made = convert(half_clear(), format=kind, quality=95, background="#00ff00")
    red, green, blue, alpha = colour_at(made.content, 60, 20)
    assert (red < 20, green > 235, blue < 20, alpha) == (True, True, True, 255)


def test_the_background_surrounds_what_is_contained() -> None:
    made = convert(PHOTO, width=100, height=200, fit="contain", format="png", background="#0000ff")
    assert colour_at(made.content, 50, 5) == (0, 0, 255, 255)
    assert opened(made.content).mode == "RGB"


def test_a_grey_picture_gets_a_background_in_colour() -> None:
    grey = encoded(Image.new("L", (40, 40), 128))
    made = convert(grey, width=40, height=80, fit="contain", format="png", background="#0000ff")
    assert colour_at(made.content, 20, 2) == (0, 0, 255, 255)
    assert colour_at(made.content, 20, 40) == (128, 128, 128, 255)


@pytest.mark.parametrize(
    ("wishes", "size"),
    [
        ({"width": 400}, (80, 40)),
        ({"height": 400}, (80, 40)),
        ({"width": 60, "height": 400}, (60, 40)),
        ({"width": 400, "height": 400, "fit": "inside"}, (80, 40)),
        ({"width": 400, "height": 100, "fit": "outside"}, (80, 40)),
        ({"width": 400, "height": 20, "fit": "fill"}, (80, 20)),
        ({"width": 100, "height": 100, "fit": "contain"}, (100, 100)),
        ({"width": 40}, (40, 20)),
    ],
)
def test_nothing_is_enlarged_when_that_is_unwanted(wishes: dict[str, Any], size: tuple[int, int]) -> None:
    made = convert(half_clear(), without_enlargement=True, **wishes)
    assert opened(made.content).size == (made.width, made.height) == size


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "avif"])
def test_keeps_exif_without_the_orientation(kind: OutputFormat) -> None:
    image = opened(convert(with_exif(), width=150, format=kind, keep_metadata=True).content)
    exif = image.getexif()
    assert image.size == (150, 225)
    assert exif[ExifTags.Base.Artist] == "Somebody"
    assert exif.get(ExifTags.Base.Orientation, 1) == 1
    assert exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] == "2026:01:02 03:04:05"
    assert exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] == "N"


@pytest.mark.parametrize("kind", LOSSY)
def test_keeps_xmp_of_an_upright_picture(kind: OutputFormat) -> None:
    xmp = opened(convert(with_exif(), format=kind, keep_metadata=True).content).info["xmp"]
    assert b'dc:title="Dusk"' in xmp
    assert b'tiff:Orientation="1"' in xmp


@pytest.mark.parametrize("size", [(60, 40), (300, 200)])
def test_a_png_of_any_kind_holds_the_exif(size: tuple[int, int]) -> None:
    image = opened(convert(with_exif(1), width=size[0], format="png", keep_metadata=True).content)
    assert image.getexif()[ExifTags.Base.Artist] == "Somebody"


def test_metadata_of_a_tiff_says_nothing_of_its_strips() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Copyright] = "Somebody"
    made = convert(encoded(noise(), "TIFF", exif=exif), width=50, format="jpeg", keep_metadata=True)
    kept = opened(made.content).getexif()
    assert kept[ExifTags.Base.Copyright] == "Somebody"
    assert ExifTags.Base.StripOffsets not in kept


def test_metadata_too_large_for_a_jpeg_is_left_out() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.ImageDescription] = "x" * 200_000
    made = convert(encoded(noise(), "WEBP", exif=exif), format="jpeg", keep_metadata=True)
    assert not opened(made.content).getexif()
