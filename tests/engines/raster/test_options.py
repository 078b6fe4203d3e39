"""Options of a conversion: `max_bytes`, `background`, `without_enlargement` and `keep_metadata`."""

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
    """Return a PNG that is red on the left and transparent on the right."""
    image = Image.new("RGBA", (80, 40))
    image.paste((255, 0, 0, 255), (0, 0, 40, 40))
    return encoded(image)


def color_at(content: bytes, x: int, y: int) -> tuple[int, ...]:
    pixel = opened(content).convert("RGBA").getpixel((x, y))
    assert isinstance(pixel, tuple)
    return pixel


def with_exif(orientation: int = 6) -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Artist] = "Ada Lovelace"
    exif[ExifTags.Base.Orientation] = orientation
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = "2026:01:02 03:04:05"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = "N"
    return encoded(noise(), "JPEG", exif=exif, xmp=XMP)


@pytest.mark.parametrize("kind", LOSSY)
@pytest.mark.parametrize("limit", [4000, 9000])
def test_max_bytes_finds_the_best_quality_that_fits(kind: OutputFormat, limit: int) -> None:
    result = convert(PHOTO, width=320, format=kind, max_bytes=limit)
    assert len(result.content) <= limit
    assert result.quality
    if result.quality < 95:
        assert len(convert(PHOTO, width=320, format=kind, quality=result.quality + 1).content) > limit
    assert opened(result.content).size == (320, 200)


def test_quality_is_the_highest_that_max_bytes_tries() -> None:
    result = convert(PHOTO, width=320, format="jpeg", quality=30, max_bytes=10**6)
    assert result.quality == 30
    assert result.content == convert(PHOTO, width=320, format="jpeg", quality=30).content


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "AVIF", "PNG"])
def test_result_with_max_bytes_is_never_larger_than_the_input(kind: str) -> None:
    content = encoded(noise(), kind, quality=50)
    assert len(convert(content, max_bytes=10**7).content) <= len(content)


def test_enlarged_image_may_be_larger_than_the_input() -> None:
    result = convert(encoded(noise((40, 40)), "JPEG", quality=40), width=800, max_bytes=10**7)
    assert result.quality == 95


def test_png_that_fits_max_bytes_is_lossless() -> None:
    image = Image.linear_gradient("L").resize((300, 200)).convert("RGB")
    result = convert(encoded(image, compress_level=1), max_bytes=10**6)
    assert opened(result.content).convert("RGB").tobytes() == image.tobytes()


def test_png_that_exceeds_max_bytes_gets_fewer_colors() -> None:
    whole = convert(PHOTO, width=300, format="png")
    result = convert(PHOTO, width=300, format="png", max_bytes=len(whole.content) // 3)
    assert len(result.content) <= len(whole.content) // 3
    colors = opened(result.content).convert("RGB").getcolors(256)
    assert colors
    assert len(colors) > 8


def test_png_with_fewer_colors_keeps_transparency() -> None:
    image = noise()
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    result = convert(encoded(image), max_bytes=30_000)
    alpha = opened(result.content).convert("RGBA").getchannel("A")
    assert len(result.content) <= 30_000
    assert min(alpha.tobytes()) < 60
    assert max(alpha.tobytes()) > 190


def test_max_bytes_applies_to_animations() -> None:
    frames = [noise((120, 80)) for _ in range(4)]
    content = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=80)
    result = convert(content, max_bytes=8000)
    assert len(result.content) <= 8000
    assert opened(result.content).n_frames == 4  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "avif"])
def test_max_bytes_error_names_smallest_possible_size(kind: OutputFormat) -> None:
    with pytest.raises(InvalidInput, match=r"^max_bytes: must be at least \d+ for this image, got 50\."):
        convert(encoded(noise()), format=kind, max_bytes=50)


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "avif"])
def test_background_fills_transparent_areas(kind: OutputFormat) -> None:
    result = convert(half_clear(), format=kind, quality=95, background="#00ff00")
    red, green, blue, alpha = color_at(result.content, 60, 20)
    assert (red < 20, green > 235, blue < 20, alpha) == (True, True, True, 255)


def test_background_surrounds_image_in_contain() -> None:
    result = convert(PHOTO, width=100, height=200, fit="contain", format="png", background="#0000ff")
    assert color_at(result.content, 50, 5) == (0, 0, 255, 255)
    assert opened(result.content).mode == "RGB"


def test_gray_image_gets_background_in_color() -> None:
    gray = encoded(Image.new("L", (40, 40), 128))
    result = convert(gray, width=40, height=80, fit="contain", format="png", background="#0000ff")
    assert color_at(result.content, 20, 2) == (0, 0, 255, 255)
    assert color_at(result.content, 20, 40) == (128, 128, 128, 255)


@pytest.mark.parametrize(
    ("options", "size"),
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
def test_without_enlargement_keeps_smaller_images(options: dict[str, Any], size: tuple[int, int]) -> None:
    result = convert(half_clear(), without_enlargement=True, **options)
    assert opened(result.content).size == (result.width, result.height) == size


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "avif"])
def test_keep_metadata_keeps_exif_without_orientation(kind: OutputFormat) -> None:
    image = opened(convert(with_exif(), width=150, format=kind, keep_metadata=True).content)
    exif = image.getexif()
    assert image.size == (150, 225)
    assert exif[ExifTags.Base.Artist] == "Ada Lovelace"
    assert exif.get(ExifTags.Base.Orientation, 1) == 1
    assert exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] == "2026:01:02 03:04:05"
    assert exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] == "N"


@pytest.mark.parametrize("kind", LOSSY)
def test_keep_metadata_keeps_xmp_with_upright_orientation(kind: OutputFormat) -> None:
    xmp = opened(convert(with_exif(), format=kind, keep_metadata=True).content).info["xmp"]
    assert b'dc:title="Dusk"' in xmp
    assert b'tiff:Orientation="1"' in xmp


@pytest.mark.parametrize("size", [(60, 40), (300, 200)])
def test_keep_metadata_works_for_every_png_encoder(size: tuple[int, int]) -> None:
    image = opened(convert(with_exif(1), width=size[0], format="png", keep_metadata=True).content)
    assert image.getexif()[ExifTags.Base.Artist] == "Ada Lovelace"


def test_keep_metadata_drops_tags_of_tiff_storage() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Copyright] = "Ada Lovelace"
    result = convert(encoded(noise(), "TIFF", exif=exif), width=50, format="jpeg", keep_metadata=True)
    kept = opened(result.content).getexif()
    assert kept[ExifTags.Base.Copyright] == "Ada Lovelace"
    assert ExifTags.Base.StripOffsets not in kept


def test_metadata_too_large_for_jpeg_is_omitted() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.ImageDescription] = "x" * 200_000
    result = convert(encoded(noise(), "WEBP", exif=exif), format="jpeg", keep_metadata=True)
    assert not opened(result.content).getexif()
