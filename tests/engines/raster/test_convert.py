"""Conversion returns the requested size, format and colors."""

from io import BytesIO

import pytest
from PIL import ExifTags, Image, ImageChops, ImageCms, ImageDraw

from mediakit.engines.raster import Fit, InputFormat, OutputFormat, read_header
from mediakit.engines.raster.geometry import Position
from mediakit.engines.raster.source import SourceImage
from tests.support.raster_kit import convert

RED, GREEN, BLUE, YELLOW = (230, 20, 20), (20, 200, 40), (30, 40, 220), (240, 220, 30)
CORNERS = {(0, 0): RED, (1, 0): GREEN, (0, 1): BLUE, (1, 1): YELLOW}
INPUTS: tuple[InputFormat, ...] = ("png", "jpeg", "webp", "avif", "gif", "tiff")
OUTPUTS: tuple[OutputFormat, ...] = ("jpeg", "png", "webp", "avif")


def quarters(size: tuple[int, int] = (120, 80)) -> Image.Image:
    """Return an image with four colors that show its orientation."""
    image = Image.new("RGB", (2, 2))
    for place, color in CORNERS.items():
        image.putpixel(place, color)
    return image.resize(size, Image.Resampling.NEAREST)


def encoded(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def at(image: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """Return the color at a position, given as fractions of the sides."""
    pixel = image.convert("RGBA").getpixel((int(x * (image.width - 1)), int(y * (image.height - 1))))
    assert isinstance(pixel, tuple)
    return pixel


def near(color: tuple[int, ...], expected: tuple[int, ...], tolerance: int = 14) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(color, expected, strict=False))


def difference(first: Image.Image, second: Image.Image) -> int:
    """Return the largest difference of a value between two images."""
    return max(ImageChops.difference(first.convert("RGB"), second.convert("RGB")).tobytes())


def shows_quarters(image: Image.Image) -> bool:
    return all(near(at(image, 0.25 + x / 2, 0.25 + y / 2), color) for (x, y), color in CORNERS.items())


@pytest.mark.parametrize("source", INPUTS)
@pytest.mark.parametrize("target", OUTPUTS)
def test_every_input_format_converts_to_every_output_format(source: InputFormat, target: OutputFormat) -> None:
    result = convert(encoded(quarters(), source.upper()), width=60, format=target)
    image = opened(result.content)
    assert (result.format, image.format) == (target, target.upper())
    assert (result.width, result.height) == image.size == (60, 40)
    assert (result.original_format, result.original_width, result.original_height) == (source, 120, 80)
    assert shows_quarters(image)


@pytest.mark.parametrize(
    ("source", "target"),
    [("png", "png"), ("jpeg", "jpeg"), ("webp", "webp"), ("avif", "avif"), ("gif", "png"), ("tiff", "png")],
)
def test_default_format_is_that_of_the_input_or_lossless(source: InputFormat, target: OutputFormat) -> None:
    assert convert(encoded(quarters(), source.upper()), width=60).format == target


@pytest.mark.parametrize("source", INPUTS)
@pytest.mark.parametrize(
    ("size", "options", "expected"),
    [((400, 300), {"height": 30}, (40, 30)), ((1000, 750), {"width": 100}, (100, 75))],
)
def test_resize_keeps_exact_aspect_ratio_of_every_input_format(
    source: InputFormat, size: tuple[int, int], options: dict[str, int], expected: tuple[int, int]
) -> None:
    result = convert(encoded(quarters(size), source.upper()), **options)
    assert opened(result.content).size == (result.width, result.height) == expected


def test_read_header_returns_size_and_transparency() -> None:
    content = encoded(quarters().convert("RGBA"))
    assert read_header(content) == SourceImage(content, "png", 120, 80, frames=1, has_alpha=True, orientation=1)


@pytest.mark.parametrize("fit", ["cover", "contain", "fill"])
@pytest.mark.parametrize("target", OUTPUTS)
def test_fit_returns_requested_size(fit: Fit, target: OutputFormat) -> None:
    result = convert(encoded(quarters()), width=50, height=90, fit=fit, format=target)
    assert opened(result.content).size == (50, 90)


@pytest.mark.parametrize(
    ("position", "color"), [("left top", RED), ("right top", GREEN), ("left bottom", BLUE), ("right bottom", YELLOW)]
)
def test_cover_keeps_requested_corner(position: Position, color: tuple[int, int, int]) -> None:
    tall = convert(encoded(quarters()), width=20, height=80, position=position)
    wide = convert(encoded(quarters()), width=120, height=20, position=position)
    horizontal, vertical = ("left" in position, "top" in position)
    assert near(at(opened(tall.content), 0.5, 0.1 if vertical else 0.9), color)
    assert near(at(opened(wide.content), 0.1 if horizontal else 0.9, 0.5), color)


def test_cover_equals_scaling_then_cropping() -> None:
    content = encoded(quarters((301, 203)))
    whole = opened(convert(content, height=88).content)
    part = opened(convert(content, width=50, height=88).content)
    offset = (whole.width - 50 + 1) // 2
    assert difference(part, whole.crop((offset, 0, offset + 50, 88))) <= 3


@pytest.mark.parametrize(
    ("target", "border"),
    [("jpeg", (255, 255, 255, 255)), ("png", (0, 0, 0, 0)), ("webp", (0, 0, 0, 0)), ("avif", (0, 0, 0, 0))],
)
def test_contain_adds_transparent_or_white_borders(target: OutputFormat, border: tuple[int, ...]) -> None:
    result = convert(encoded(quarters()), width=60, height=90, fit="contain", format=target, position="bottom")
    image = opened(result.content)
    assert at(image, 0.5, 0) == border
    assert shows_quarters(image.crop((0, 50, 60, 90)))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(kind: str, orientation: int) -> None:
    stored = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    image = quarters() if orientation == 1 else quarters().transpose(stored[orientation])
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    content = encoded(image, kind, exif=exif)
    result = convert(content, width=60, format="png")
    assert (result.width, result.height, result.original_width, result.original_height) == (60, 40, 120, 80)
    assert shows_quarters(opened(result.content))
    covered = convert(content, width=30, height=60, position="left", format="png")
    assert near(at(opened(covered.content), 0.5, 0.25), RED)


@pytest.mark.parametrize("target", OUTPUTS)
def test_metadata_is_removed(target: OutputFormat) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Artist] = "Ada Lovelace"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = "N"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    content = encoded(quarters(), "JPEG", exif=exif, icc_profile=profile, comment=b"secret", dpi=(300, 300))
    image = opened(convert(content, quality=70, format=target).content)
    assert not image.getexif()
    assert image.info.keys().isdisjoint({"icc_profile", "exif", "xmp", "comment"})


@pytest.mark.parametrize("kind", ["1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK", "YCbCr"])
def test_every_color_mode_is_read(kind: str) -> None:
    image = quarters().convert("L").convert("LA") if kind == "LA" else quarters().convert(kind)
    result = opened(convert(encoded(image, "TIFF"), width=60).content)
    expected = image.convert("RGB").resize((60, 40))
    gray = [at(other.convert("L"), 0.25, 0.25)[0] for other in (result, expected.resize((6, 4)).resize((60, 40)))]
    assert kind == "1" or abs(gray[0] - gray[1]) < 20
    assert result.size == (60, 40)


def test_cmyk_and_lab_keep_their_colors() -> None:
    lab = ImageCms.profileToProfile(
        quarters(), ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB"
    )
    assert lab
    for content in (encoded(quarters().convert("CMYK"), "JPEG", quality=95), encoded(lab, "TIFF")):
        assert shows_quarters(opened(convert(content, format="png").content))


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_16_bit_values_scale_to_8_bits_without_clipping(kind: str) -> None:
    ramp = Image.new("I;16", (256, 4))
    for x in range(256):
        ramp.paste(x * 257, (x, 0, x + 1, 4))
    result = opened(convert(encoded(ramp, kind), format="webp", quality=100).content).convert("L")
    assert max(abs(x - value) for x, value in enumerate(result.crop((0, 0, 256, 1)).tobytes())) <= 2


@pytest.mark.parametrize("mode", ["I", "F"])
def test_integer_and_float_values_are_normalized_to_black_and_white(mode: str) -> None:
    measured = Image.new(mode, (2, 1), -500)
    measured.putpixel((1, 0), 100_000)
    assert opened(convert(encoded(measured, "TIFF"), format="png").content).convert("L").tobytes() == b"\0\xff"


def test_gray_image_stays_gray() -> None:
    content = encoded(Image.linear_gradient("L"))
    assert [opened(convert(content, width=50, format=kind).content).mode for kind in ("jpeg", "png")] == ["L", "L"]


def test_wide_gamut_is_converted_to_srgb() -> None:
    display_p3 = swapped_primaries()
    result = opened(
        convert(encoded(Image.new("RGB", (20, 20), (200, 30, 60)), icc_profile=display_p3), width=10).content
    )
    assert near(at(result, 0.5, 0.5), (30, 200, 60), 6)


def test_broken_or_mismatched_profile_is_ignored() -> None:
    for profile in (b"nonsense", swapped_primaries()):
        content = encoded(Image.new("L", (20, 20), 90), icc_profile=profile)
        assert at(opened(convert(content, width=10).content), 0.5, 0.5) == (90, 90, 90, 255)


def swapped_primaries() -> bytes:
    """Return an RGB profile with red and green swapped, so that its effect is visible."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    tags = {bytes(profile[at : at + 4]): at for at in range(132, 132 + 12 * profile[131], 12)}
    red, green = tags[b"rXYZ"], tags[b"gXYZ"]
    profile[red + 4 : red + 12], profile[green + 4 : green + 12] = (
        profile[green + 4 : green + 12],
        profile[red + 4 : red + 12],
    )
    return bytes(profile).replace("sRGB".encode("utf-16-be"), "test".encode("utf-16-be"))


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparency_becomes_white_in_jpeg_and_is_kept_elsewhere(mode: str) -> None:
    image = Image.new("LA" if mode == "LA" else "RGBA", (40, 40))
    ImageDraw.Draw(image).rectangle((20, 0, 39, 39), fill=(50, 255) if mode == "LA" else (50, 50, 50, 255))
    content = encoded(image.quantize(4) if mode == "P" else image)
    for target in OUTPUTS:
        result = opened(convert(content, width=20, format=target).content)
        assert near(at(result, 0.1, 0.5), (255, 255, 255, 255)) if target == "jpeg" else at(result, 0.1, 0.5)[3] == 0
        assert near(at(result, 0.9, 0.5), (50, 50, 50, 255))


def test_edges_of_transparency_have_no_dark_fringe() -> None:
    image = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle((21, 0, 63, 63), fill=(255, 255, 255, 255))
    result = opened(convert(encoded(image), width=16, format="jpeg", quality=100).content)
    assert result.convert("L").getextrema() == (255, 255)


@pytest.mark.parametrize("target", ["jpeg", "webp", "avif"])
def test_lower_quality_returns_smaller_file(target: OutputFormat) -> None:
    content = encoded(Image.effect_noise((200, 200), 60))
    sizes = [len(convert(content, format=target, quality=quality).content) for quality in (1, 40, 100)]
    assert sizes == sorted(set(sizes))


def test_png_ignores_quality_and_is_lossless() -> None:
    image = Image.merge("RGB", [Image.effect_noise((90, 90), 90) for _ in range(3)])
    contents = [convert(encoded(image), quality=quality).content for quality in (1, 100)]
    assert contents[0] == contents[1]
    assert difference(opened(contents[0]), image) == 0


def test_png_of_few_colors_gets_exact_palette() -> None:
    image = quarters((400, 300))
    result = opened(convert(encoded(image), format="png").content)
    assert result.mode == "P"
    assert difference(result, image) == 0


@pytest.mark.parametrize("target", OUTPUTS)
def test_equal_input_returns_equal_bytes(target: OutputFormat) -> None:
    content = encoded(Image.effect_noise((300, 200), 60).convert("RGB"), "JPEG")
    assert len({convert(content, width=120, format=target).content for _ in range(3)}) == 1


@pytest.mark.parametrize("size", [(1, 1), (8000, 1), (1, 8000)])
@pytest.mark.parametrize("target", OUTPUTS)
def test_images_one_pixel_wide_or_high_are_converted(size: tuple[int, int], target: OutputFormat) -> None:
    result = convert(encoded(Image.new("RGB", size, RED)), width=9, height=7, format=target)
    assert near(at(opened(result.content), 0.5, 0.5), RED)


def test_strip_covers_8000_pixel_square_without_scaling_the_whole_image() -> None:
    result = convert(encoded(Image.new("L", (1, 8000), 77)), width=8000, height=8000, format="jpeg", quality=30)
    assert (result.width, result.height) == opened(result.content).size == (8000, 8000)


def test_jpeg_decoded_at_a_fraction_shows_the_same_image() -> None:
    scene = Image.radial_gradient("L").resize((1601, 1203), Image.Resampling.BICUBIC)
    result = opened(convert(encoded(scene, "JPEG", quality=95), width=190, quality=100).content)
    expected = scene.resize(result.size, Image.Resampling.LANCZOS)
    assert difference(result, expected) <= 4
