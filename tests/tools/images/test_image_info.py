"""The tool `image_info`."""

import hashlib
import io
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import imagehash
import pytest
from PIL import ExifTags, Image, ImageCms, PngImagePlugin

import mediakit
from mediakit.core.inputs import FileBytes
from mediakit.errors import InvalidInput, MissingPackage
from mediakit.samples import LANDSCAPE, LOGO, REPORT
from mediakit.tools.images.image_info.inspection import inspect_image
from mediakit.tools.images.image_info.tool import ImageInfoRequest

FORMATS = {
    "PNG": "png", "JPEG": "jpeg", "WEBP": "webp", "AVIF": "avif", "GIF": "gif", "TIFF": "tiff", "BMP": "bmp",
    "ICO": "ico",
}  # fmt: skip
GPS = ExifTags.GPS


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def flat(*colors: str, side: int = 40) -> Image.Image:
    image = Image.new("RGB", (side * len(colors), side))
    for index, color in enumerate(colors):
        image.paste(color, (index * side, 0, (index + 1) * side, side))
    return image


def located(latitude: Any = (40.0, 25.0, 0.0), reference: str = "N") -> Image.Exif:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.GPSInfo).update(
        {
            GPS.GPSLatitudeRef: reference,
            GPS.GPSLatitude: latitude,
            GPS.GPSLongitudeRef: "W",
            GPS.GPSLongitude: (3.0, 42.0, 0.0),
            GPS.GPSAltitudeRef: b"\1",
            GPS.GPSAltitude: 12.5,
        }
    )
    return exif


def test_photo_has_size_format_and_no_location() -> None:
    info = mediakit.image_info(LANDSCAPE)
    assert (info.format, info.mime_type, info.extension) == ("jpeg", "image/jpeg", ".jpg")
    assert (info.width, info.height, info.megapixels, info.aspect_ratio) == (1600, 1000, 1.6, "8:5")
    assert (info.color_mode, info.bit_depth, info.has_alpha, info.animated) == ("rgb", 8, False, False)
    assert (info.has_gps, info.gps, info.palette, info.hashes, info.truncated) == (False, None, None, None, False)
    assert info.size_bytes == LANDSCAPE.stat().st_size
    assert info.meta == {"warnings": []}


@pytest.mark.parametrize(("kind", "name"), FORMATS.items())
def test_formats_are_recognized(kind: str, name: str) -> None:
    info = mediakit.image_info(encoded(flat("#123456", "#fedcba", side=32), kind, sizes=[(64, 32)]))
    assert (info.format, info.width, info.height) == (name, 64, 32)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_size_is_upright(orientation: int) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    info = mediakit.image_info(encoded(Image.new("RGB", (30, 20)), "JPEG", exif=exif))
    assert (info.width, info.height) == ((30, 20) if orientation < 5 else (20, 30))
    assert (info.stored_width, info.stored_height, info.orientation) == (30, 20, orientation)


def test_location_is_read_and_warned_of() -> None:
    info = mediakit.image_info(encoded(flat("red"), "JPEG", exif=located(reference="S")))
    assert info.gps == {"latitude": pytest.approx(-40.4166667, abs=1e-5), "longitude": -3.7, "altitude": -12.5}
    assert info.meta["warnings"] == ["The picture tells where it was taken (GPS)."]


def test_location_with_denominators_of_zero_is_null() -> None:
    content = encoded(flat("red"), "JPEG", exif=located((40.0, 25.0, 0.0)))
    broken = content.replace(struct.pack(">II", 40, 1), struct.pack(">II", 40, 0))
    broken = broken.replace(struct.pack("<II", 40, 1), struct.pack("<II", 40, 0))
    assert broken != content
    info = mediakit.image_info(broken)
    assert (info.has_gps, info.gps) == (True, None)


def test_exif_false_omits_values_but_not_the_warning() -> None:
    info = mediakit.image_info(encoded(flat("red"), "JPEG", exif=located()), exif=False)
    assert info.has_gps
    assert not {"exif", "gps"} & info.to_dict().keys()
    assert info.meta["warnings"] == ["The picture tells where it was taken (GPS)."]


def test_photograph_has_camera_exposure_and_time() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Make], exif[ExifTags.Base.Model] = "ACME", "ACME Model 7"
    exif.get_ifd(ExifTags.IFD.Exif).update(
        {
            ExifTags.Base.ExposureTime: 1 / 250,
            ExifTags.Base.FNumber: 5.6,
            ExifTags.Base.ISOSpeedRatings: 200,
            ExifTags.Base.FocalLength: 35.0,
            ExifTags.Base.DateTimeOriginal: "2024:02:29 12:34:56",
            ExifTags.Base.LensModel: "35 mm",
            ExifTags.Base.UserComment: b"ASCII\0\0\0" + b"x" * 900,
            ExifTags.Base.MakerNote: b"secret",
        }
    )
    info = mediakit.image_info(encoded(flat("red"), "JPEG", exif=exif))
    assert (info.camera, info.lens, info.taken_at) == ("ACME Model 7", "35 mm", "2024-02-29T12:34:56")
    assert info.exposure == {"time": "1/250", "f_number": 5.6, "iso": 200, "focal_mm": 35}
    assert info.exif is not None
    assert (len(info.exif["UserComment"]), info.exif.get("MakerNote")) == (500, None)


@pytest.mark.parametrize(
    ("mode", "kind", "expected"),
    [
        ("1", "PNG", ("gray", 1)),
        ("L", "PNG", ("gray", 8)),
        ("I;16", "PNG", ("gray", 16)),
        ("P", "PNG", ("palette", 8)),
        ("CMYK", "JPEG", ("cmyk", 8)),
        ("CMYK", "TIFF", ("cmyk", 8)),
        ("LAB", "TIFF", ("lab", 8)),
        ("P", "GIF", ("palette", 8)),
        ("L", "BMP", ("palette", 8)),
    ],
)
def test_color_mode_and_bit_depth_are_those_of_the_file(mode: str, kind: str, expected: tuple[str, int]) -> None:
    image = Image.effect_noise((20, 20), 90).convert("RGB").quantize(256) if mode == "P" else Image.new(mode, (20, 20))
    info = mediakit.image_info(encoded(image, kind))
    assert (info.color_mode, info.bit_depth) == expected


def test_png_of_16_bits_in_rgb_is_told_from_its_header() -> None:
    rows = zlib.compress((b"\0" + bytes(range(12)) * 2) * 4)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", 4, 4, 16, 2, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    info = mediakit.image_info(content)
    assert (info.bit_depth, info.color_mode) == (16, "rgb")


@pytest.mark.parametrize(("alpha", "transparent"), [(255, False), (254, True), (0, True)])
def test_transparent_needs_a_pixel_that_is(alpha: int, transparent: bool) -> None:
    info = mediakit.image_info(encoded(Image.new("RGBA", (9, 9), (1, 2, 3, alpha))))
    assert (info.has_alpha, info.transparent) == (True, transparent)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
@pytest.mark.parametrize("loop", [0, 3])
def test_animation_has_frames_delays_and_loop(kind: str, loop: int) -> None:
    frames = [Image.new("RGB", (20, 10), color) for color in ("red", "lime", "blue")]
    content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], duration=[40, 100, 250], loop=loop)
    info = mediakit.image_info(content)
    assert (info.animated, info.frames, info.loop) == (True, 3, loop)
    assert (info.delays_ms, info.duration_ms) == ([40, 100, 250], 390)


def test_default_image_of_png_is_not_a_frame() -> None:
    frames = [Image.new("RGB", (20, 10), color) for color in ("red", "lime", "blue")]
    content = encoded(frames[0], save_all=True, append_images=frames[1:], duration=50, default_image=True)
    assert mediakit.image_info(content).delays_ms == [50, 50]


def test_pages_of_a_tiff_are_counted() -> None:
    pages = [Image.new("L", (20, 10), level) for level in (0, 90, 200)]
    info = mediakit.image_info(encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    assert (info.frames, info.animated, info.delays_ms) == (3, False, None)


@pytest.mark.parametrize("quality", [10, 35, 50, 75, 90, 95, 100])
def test_quality_of_jpeg_is_estimated(quality: int) -> None:
    image = Image.open(LANDSCAPE).reduce(8)
    assert mediakit.image_info(encoded(image, "JPEG", quality=quality)).quality == quality


def test_resolution_is_that_of_the_file_only() -> None:
    assert mediakit.image_info(encoded(flat("red"), "JPEG", dpi=(300, 150))).dpi == [300, 150]
    assert mediakit.image_info(encoded(flat("red"), "PNG", dpi=(300, 300))).dpi == [300, 300]
    assert mediakit.image_info(encoded(flat("red"), "JPEG")).dpi is None


@pytest.mark.parametrize(("kind", "options"), [("JPEG", {"progressive": True}), ("JPEG", {}), ("WEBP", {})])
def test_progressive_is_null_for_other_formats(kind: str, options: dict[str, bool]) -> None:
    expected = options.get("progressive", False) if kind == "JPEG" else None
    assert mediakit.image_info(encoded(flat("red"), kind, **options)).progressive is expected


def test_profile_is_described() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    info = mediakit.image_info(encoded(flat("red"), icc_profile=profile))
    assert (info.icc_profile, info.wide_gamut) == ("sRGB built-in", False)
    assert mediakit.image_info(encoded(flat("red"), icc_profile=b"x" * 200)).icc_profile == "unreadable profile"


def wide_profile() -> bytes:
    """Return the sRGB profile of LittleCMS with the red and green primaries of Display P3, adapted to D50."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    primaries = {b"rXYZ": (0.51512, 0.2412, -0.00105), b"gXYZ": (0.29198, 0.69225, 0.04189)}
    content = bytearray(profile)
    for index in range(int.from_bytes(profile[128:132])):
        name, offset, _ = struct.unpack_from(">4sII", profile, 132 + index * 12)
        if name in primaries:
            content[offset + 8 : offset + 20] = struct.pack(">3i", *(round(x * 65536) for x in primaries[name]))
    return bytes(content)


def test_wide_gamut_is_told_from_the_primaries() -> None:
    info = mediakit.image_info(encoded(flat("red"), icc_profile=wide_profile()))
    assert info.wide_gamut
    warning = "Colours are wider than sRGB; browsers without colour management show them dull."
    assert info.meta["warnings"] == [warning]


def test_texts_are_read() -> None:
    about = PngImagePlugin.PngInfo()
    about.add_itxt("Title", "Ünïcode")
    about.add_text("Comment", "x" * 900)
    info = mediakit.image_info(encoded(flat("red"), pnginfo=about))
    assert info.text == {"Title": "Ünïcode", "Comment": "x" * 500}
    assert mediakit.image_info(encoded(flat("red"), "JPEG", comment="Hello")).text == {"comment": "Hello"}


def test_palette_has_the_colors_by_share() -> None:
    image = flat("#ff0000", "#ff0000", "#ff0000", "#0000ff", "#00aa00", "#00aa00")
    info = mediakit.image_info(encoded(image), palette=2)
    assert info.palette == [{"color": "#ff0000", "share": 0.5}, {"color": "#00aa00", "share": 0.3333}]
    assert info.meta["palette_rest"] == pytest.approx(0.1667, abs=1e-4)


def test_palette_of_a_photo_covers_most_of_it() -> None:
    info = mediakit.image_info(LANDSCAPE, palette=10)
    assert info.palette is not None
    shares = [one["share"] for one in info.palette]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) + info.meta["palette_rest"] == pytest.approx(1, abs=1e-3)
    assert sum(shares) > 0.6


def test_hashes_are_those_of_imagehash() -> None:
    content = LANDSCAPE.read_bytes()
    info = mediakit.image_info(content, hashes=True)
    image = Image.open(LANDSCAPE)
    assert info.hashes == {
        "average": str(imagehash.average_hash(image)),
        "perceptual": str(imagehash.phash(image)),
        "difference": str(imagehash.dhash(image)),
        "color": str(imagehash.colorhash(image)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF", "GIF", "TIFF", "BMP"])
@pytest.mark.parametrize("percent", [40, 60, 90])
def test_truncated_file_is_described(kind: str, percent: int) -> None:
    content = encoded(Image.open(LANDSCAPE).reduce(4), kind)
    info = mediakit.image_info(content[: len(content) * percent // 100])
    assert (info.width, info.height, info.truncated) == (400, 250, True)
    assert info.meta["warnings"][0].startswith("The file is truncated")


def test_damaged_file_is_an_error_with_its_rows() -> None:
    image = Image.effect_noise((300, 1000), 90)
    content = bytearray(encoded(image))
    content[len(content) * 6 // 10] ^= 255
    with pytest.raises(InvalidInput, match=r"^file: is damaged after (?:4|5|6)\d % of its rows\.$"):
        mediakit.image_info(bytes(content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (REPORT.read_bytes(), "file: is not a picture that can be read (it is a PDF)."),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "file: SVG is a drawing; use /capture."),
        (encoded(Image.new("1", (11_000, 8000))), "file: must have at most 50 megapixels, got 88.0."),
        (b"GIF89a", "file: is damaged and cannot be decoded as GIF."),
    ],
)
def test_unusable_files_are_errors(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        mediakit.image_info(content)
    assert message in str(raised.value)


def test_frames_are_limited_together() -> None:
    frames = [Image.new("P", (5000, 5000), index) for index in range(9)]
    content = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100)
    with pytest.raises(InvalidInput, match=r"^file: has 225 megapixels in 9 frames, at most 200\.$"):
        mediakit.image_info(content)


def test_name_of_another_format_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "lake.png"
    path.write_bytes(LANDSCAPE.read_bytes())
    assert mediakit.image_info(path).meta["warnings"] == ["The file's name says .png, it is a JPEG."]


def test_frame_has_one_row() -> None:
    (row,) = mediakit.image_info(LOGO, palette=2, hashes=True).to_frame().to_dict("records")
    assert (row["format"], row["width"], row["transparent"]) == ("png", 512, True)
    assert row["sha256"] == hashlib.sha256(LOGO.read_bytes()).hexdigest()


def test_notebook_shows_thumbnail_swatches_and_facts() -> None:
    about = PngImagePlugin.PngInfo()
    about.add_text("Title", "<b>x</b>")
    info = mediakit.image_info(encoded(flat("#ff0000", "#00ff00"), pnginfo=about), palette=2)
    shown = info._repr_mimebundle_()[0]["text/html"]  # what IPython calls
    assert "data:image/webp;base64," in shown
    assert 'aria-label="Main colors: #00ff00 50%, #ff0000 50%"' in shown
    assert "&lt;b&gt;x&lt;/b&gt;" in shown
    assert "Camera" not in shown
    assert repr(info) == "<ImageInfo PNG 80x40>"


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(50)


def test_heic_without_pillow_heif_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(
        MissingPackage, match=r"^file: a HEIC image requires pillow-heif, which is not .* pip install 'pillow-heif"
    ):
        inspect_image(ImageInfoRequest(FileBytes.named(HEIC, "photo.heic")))


def test_heic_is_read_with_pillow_heif() -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    exif = Image.Exif()
    exif[0x0110] = "Camera 1"
    photo = pillow_heif.from_pillow(Image.new("RGB", (64, 48), "#ff8000"))
    photo.save(made := io.BytesIO(), exif=exif.tobytes())
    info = mediakit.image_info(made.getvalue(), palette=1)
    assert (info.format, info.mime_type, info.extension) == ("heic", "image/heic", ".heic")
    assert (info.width, info.height, info.camera, info.truncated) == (64, 48, "Camera 1", False)
    assert info.palette
    assert info.palette[0]["share"] == 1
    red, green, blue = bytes.fromhex(info.palette[0]["color"][1:])
    assert max(abs(red - 255), abs(green - 128), abs(blue)) < 8
    with pytest.raises(InvalidInput, match="file: is damaged and cannot be decoded as HEIC"):
        mediakit.image_info(HEIC)
