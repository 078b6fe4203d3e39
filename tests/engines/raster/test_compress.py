"""Results of compression alone are never larger than the input, and carry no metadata of it."""

import struct
from io import BytesIO
from typing import Any

import pytest
from PIL import ExifTags, Image, ImageChops, ImageCms, PngImagePlugin

from mediakit.engines.raster import OutputFormat
from tests.support.raster_kit import convert

FORMATS: tuple[OutputFormat, ...] = ("jpeg", "png", "webp", "avif")
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a dc:title="Dusk"/></x:xmpmeta>'


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def noise(size: tuple[int, int] = (240, 160)) -> Image.Image:
    return Image.merge("RGB", [Image.effect_noise(size, sigma) for sigma in (40, 60, 80)])


def smallest(kind: str, **options: object) -> bytes:
    """Encode an image so small that encoding it again makes it grow."""
    smooth = noise((60, 40)).resize((240, 160), Image.Resampling.BICUBIC)
    settings: dict[str, dict[str, Any]] = {
        "jpeg": {"quality": 12, "optimize": True, "progressive": True},
        "png": {"optimize": True, "transparency": 0},
        "webp": {"quality": 8, "method": 6},
        "avif": {"quality": 12, "speed": 2},
    }
    image = smooth.quantize(200) if kind == "png" else smooth
    return encoded(image, kind.upper(), **settings[kind], **options)


def exif(orientation: int = 1) -> Image.Exif:
    result = Image.Exif()
    result[ExifTags.Base.Artist] = "Ada Lovelace"
    result[ExifTags.Base.Orientation] = orientation
    return result


def swapped_profile() -> bytes:
    """Return an RGB profile that is not sRGB."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    tags = {bytes(profile[at : at + 4]): at for at in range(132, 132 + 12 * profile[131], 12)}
    red, green = tags[b"rXYZ"], tags[b"gXYZ"]
    entry = slice(red + 4, red + 12), slice(green + 4, green + 12)
    profile[entry[0]], profile[entry[1]] = profile[entry[1]], profile[entry[0]]
    return bytes(profile).replace("sRGB".encode("utf-16-be"), "test".encode("utf-16-be"))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("options", [{"quality": 95}, {"format": "same"}, {"quality": 95, "width": 240}])
def test_compression_is_never_larger_than_the_input(kind: OutputFormat, options: dict[str, Any]) -> None:
    content = smallest(kind)
    result = convert(content, **{name: kind if value == "same" else value for name, value in options.items()})
    assert len(result.content) <= len(content)
    assert result.format == kind
    assert opened(result.content).size == (240, 160)


@pytest.mark.parametrize("kind", FORMATS)
def test_image_data_of_the_input_is_kept_where_encoding_would_grow_it(kind: OutputFormat) -> None:
    content = smallest(kind)
    result = convert(content, quality=98, format=kind)
    assert result.content == content
    assert (
        ImageChops.difference(opened(result.content).convert("RGB"), opened(content).convert("RGB")).getbbox() is None
    )
    assert result.quality is None


def test_grayscale_png_of_two_shades_stays_as_small_as_it_was() -> None:
    content = encoded(Image.effect_noise((300, 200), 90).convert("1"), "PNG", optimize=True)
    assert convert(content, format="png").content == content


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
def test_kept_image_data_carries_no_metadata(kind: OutputFormat) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    details: dict[str, Any] = {"exif": exif(), "icc_profile": profile}
    if kind == "png":
        details["pnginfo"] = PngImagePlugin.PngInfo()
        details["pnginfo"].add_text("Comment", "secret")
    else:
        details["xmp"] = XMP
    if kind == "jpeg":
        details["comment"] = b"secret"
    content = smallest(kind, **details)
    result = convert(content + b"trailing secret", quality=98)
    assert result.reencoded is False
    assert len(result.content) < len(content)
    assert not any(word in result.content for word in (b"Ada Lovelace", b"Dusk", b"secret", b"sRGB"))
    kept = opened(result.content)
    assert kept.info.keys().isdisjoint({"icc_profile", "exif", "xmp", "comment", "Comment"})
    assert kept.convert("RGB").tobytes() == opened(content).convert("RGB").tobytes()


@pytest.mark.parametrize("kind", FORMATS)
def test_kept_image_data_carries_exif_and_xmp_on_request(kind: OutputFormat) -> None:
    details: dict[str, Any] = {"exif": exif()} | ({} if kind == "png" else {"xmp": XMP})
    content = smallest(kind, **details)
    result = convert(content, quality=98, keep_metadata=True)
    kept = opened(result.content)
    assert result.reencoded is False
    assert kept.getexif()[ExifTags.Base.Artist] == "Ada Lovelace"
    assert kind == "png" or b"Dusk" in kept.info["xmp"]


def test_animated_webp_is_kept_whole() -> None:
    frames = [noise((40, 30)) for _ in range(3)]
    content = encoded(
        frames[0], "WEBP", save_all=True, append_images=frames[1:], duration=70, quality=5, method=6, exif=exif()
    )
    result = convert(content, quality=95)
    assert result.reencoded is False
    assert b"Ada Lovelace" not in result.content
    assert len(result.content) < len(content)
    assert opened(result.content).n_frames == 3  # type: ignore[attr-defined]


def test_animated_png_is_kept_whole() -> None:
    frames = [noise((40, 30)).quantize(16) for _ in range(3)]
    content = encoded(frames[0], "PNG", save_all=True, append_images=frames[1:], duration=70)
    result = convert(content, quality=95)
    assert result.reencoded is False
    assert getattr(opened(result.content), "n_frames", 1) == 3


@pytest.mark.parametrize("kind", ["jpeg", "webp"])
def test_rotated_image_gets_a_lower_quality_instead_of_growing(kind: OutputFormat) -> None:
    content = encoded(noise(), kind.upper(), quality=50, exif=exif(6))
    result = convert(content, quality=95)
    assert opened(result.content).size == (160, 240)
    assert len(result.content) <= len(content)
    assert result.quality
    assert result.quality < 95
    assert result.reencode_reason == "the EXIF orientation was applied"


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_wide_gamut_is_converted_to_srgb(kind: str) -> None:
    content = encoded(noise(), kind, quality=12, optimize=True, icc_profile=swapped_profile())
    result = convert(content, quality=95)
    assert result.reencode_reason == "the colors were converted to 8-bit sRGB"
    assert "icc_profile" not in opened(result.content).info


def test_rotated_image_of_two_shades_is_stored_in_one_bit_a_pixel() -> None:
    content = encoded(Image.effect_noise((320, 240), 90).convert("1"), "PNG", optimize=True, exif=exif(6))
    result = convert(content, format="png")
    assert len(result.content) <= len(content) * 1.01
    assert opened(result.content).size == (240, 320)


def test_background_is_applied_to_a_transparent_png_of_unchanged_size() -> None:
    image = noise((40, 40)).convert("RGBA")
    image.putalpha(0)
    result = convert(encoded(image, "PNG", optimize=True), format="png", background="#00ff00")
    assert opened(result.content).convert("RGBA").getpixel((5, 5)) == (0, 255, 0, 255)


def test_progressive_jpeg_with_fill_bytes_and_restarts_is_copied_whole() -> None:
    content = encoded(noise(), "JPEG", quality=10, progressive=True, optimize=True, restart_marker_blocks=4)
    filled = content[:2] + b"\xff\xff" + content[2:]
    result = convert(filled, quality=95)
    assert result.content in (filled, content)
    assert opened(result.content).tobytes() == opened(content).tobytes()


def test_jpeg_thumbnail_of_jfif_is_removed() -> None:
    content = smallest("jpeg")
    header = b"JFIF\0\1\2\0\0\1\0\1\1\1abc"
    with_thumbnail = content[:2] + b"\xff\xe0" + struct.pack(">H", len(header) + 2) + header + content[20:]
    result = convert(with_thumbnail, quality=95)
    assert result.reencoded is False
    assert b"abc" not in result.content[:40]
    assert opened(result.content).tobytes() == opened(content).tobytes()


def test_image_within_max_bytes_keeps_its_quality() -> None:
    content = encoded(noise(), "JPEG", quality=50)
    assert convert(content, max_bytes=10**7).content == content


def test_png_within_max_bytes_loses_no_color() -> None:
    content = encoded(noise(), "PNG", optimize=True)
    result = convert(content, max_bytes=len(content) + 10)
    assert opened(result.content).tobytes() == opened(content).tobytes()


def test_image_that_cannot_be_as_small_as_the_input_may_grow_up_to_max_bytes() -> None:
    content = encoded(Image.new("1", (300, 300)), "PNG", optimize=True)
    result = convert(content, max_bytes=10_000, width=299)
    assert len(content) < len(result.content) <= 10_000
