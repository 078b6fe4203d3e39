"""What an image has is kept, or a warning names it: bits, pages, resolution, color data, rows of damaged files."""

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning

UPRIGHT = (40, 20)


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def deep_png(channels: int = 1, *extra: bytes) -> bytes:
    """Return a PNG with 16 bits per channel and more than 256 different values."""
    width, height = 64, 48
    ramp = np.arange(width * height * channels, dtype=">u2").reshape(height, width * channels) * 11
    rows = b"".join(b"\0" + row.tobytes() for row in ramp)
    color_type = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    header = struct.pack(">IIBBBBB", width, height, 16, color_type, 0, 0, 0)
    parts = (chunk(b"IHDR", header), *extra, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def deep_tiff() -> bytes:
    values = np.arange(64 * 48, dtype=np.uint16).reshape(48, 64) * 11
    Image.fromarray(values).save(file := io.BytesIO(), "TIFF")
    return file.getvalue()


def photo(width: int = 160, height: int = 120) -> Image.Image:
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.stack([x * 255 // width, y * 255 // height, (x * 7 + y * 3) % 256], axis=2)
    return Image.fromarray(pixels.astype(np.uint8))


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    image.save(file := io.BytesIO(), kind, **options)
    return file.getvalue()


def codes(result: Any) -> list[str]:
    warnings: list[ResultWarning] = result.meta.get("warnings", [])
    return [each["code"] for each in warnings]


def bits(content: bytes) -> int:
    assert content.startswith(b"\x89PNG")
    return content[24]


# 16 bits per channel


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "options",
    [
        {"format": "png"},
        {"width": 32},
        {"width": 100, "height": 100, "fit": "contain"},
        {"width": 20, "height": 20, "position": "attention"},
        {"crop": "3,3,30,30"},
        {"width": 80, "background": "#ffeecc"},
    ],
)
def test_png_keeps_16_bits(channels: int, options: dict[str, Any]) -> None:
    result = mediakit.images(deep_png(channels), **options)
    assert (bits(result.content), codes(result)) == (16, [])


@pytest.mark.parametrize("source", [deep_png(), deep_tiff()])
def test_values_of_16_bits_stay_exact(source: bytes) -> None:
    result = mediakit.images(source, format="png", crop="0,0,64,48")
    with Image.open(io.BytesIO(result.content)) as image:
        assert len(np.unique(np.asarray(image))) == 64 * 48


def test_resized_16_bits_are_as_those_of_8_bits() -> None:
    deep = np.asarray(mediakit.images(deep_png(3), width=32).to_pil())
    plain = mediakit.images(encoded(Image.open(io.BytesIO(deep_png(3))).convert("RGB"), "PNG"), width=32)
    assert np.abs(deep.astype(int) - np.asarray(plain.to_pil().convert("RGB"))).max() <= 3


@pytest.mark.parametrize("target", ["jpeg", "webp", "avif"])
@pytest.mark.parametrize("source", [deep_png(), deep_png(4), deep_tiff()])
def test_lost_bits_are_named(source: bytes, target: Any) -> None:
    result = mediakit.images(source, format=target)
    assert "has 16 bits per channel, the result has 8; png keeps them." in result.meta["warnings"][0]["message"]
    assert codes(result) == ["reduced_bit_depth"]


def test_bits_that_do_not_fit_are_named() -> None:
    result = mediakit.images(deep_png(3), format="png", max_bytes=900)
    assert (bits(result.content) < 16, codes(result)) == (True, ["reduced_to_fit"])


def test_animation_and_watermark_name_lost_bits() -> None:
    animated = mediakit.image_animate([deep_png(3), deep_png(3)])
    assert animated.meta["warnings"] == [f"files[{n}]: has 16 bits per channel, the result has 8." for n in (0, 1)]
    assert "png keeps them" in mediakit.image_watermark(deep_png(), "x", format="jpeg").meta["warnings"][0]
    compared = mediakit.image_compare(deep_png(), deep_png())
    assert compared.meta["warnings"][0] == "file: has 16 bits per channel; it is compared with 8."


# Pages of a TIFF


def tiff(pages: list[Image.Image], **options: Any) -> bytes:
    return encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:], **options)


def code(text: str, kind: Any = "code128") -> Image.Image:
    return mediakit.barcode(text, type=kind).to_pil().convert("L")


@pytest.mark.parametrize("compression", ["raw", "tiff_lzw", "tiff_deflate"])
def test_codes_of_all_pages_are_read(compression: str) -> None:
    blank = Image.new("L", (300, 200), 255)
    pages = [blank, code("PAGE-2"), code("PAGE-3", "datamatrix"), blank, code("PAGE-5")]
    result = mediakit.code_reader(tiff(pages, compression=compression))
    assert [(each.page, each.text) for each in result] == [(2, "PAGE-2"), (3, "PAGE-3"), (5, "PAGE-5")]
    assert (result.meta["kind"], result.meta["pages_read"]) == ("image", [1, 2, 3, 4, 5])


def test_pages_of_a_tiff_can_be_selected() -> None:
    source = tiff([code(f"PAGE-{number}") for number in range(1, 26)])
    with pytest.raises(InvalidInput, match=r"^pages: is required, because the TIFF has 25 pages\."):
        mediakit.code_reader(source)
    assert mediakit.code_reader(source, pages="24-").texts == ["PAGE-24", "PAGE-25"]


def test_single_page_has_no_number() -> None:
    (found,) = mediakit.code_reader(tiff([code("ONE")]))
    assert (found.text, found.page) == ("ONE", None)


def test_further_pages_are_named() -> None:
    source = tiff([photo(), photo(), photo()])
    warning = "has 3 pages; only the first page is used."
    assert mediakit.images(source, width=20).meta["warnings"][0]["message"] == f"file: {warning}"
    assert f"file: {warning}" in mediakit.image_watermark(source, "x").meta["warnings"]
    assert f"files[1]: {warning}" in mediakit.image_animate([encoded(photo(), "PNG"), source]).meta["warnings"]


# Orientation of a TIFF


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("big", [False, True])
def test_sizes_of_a_turned_tiff(orientation: int, big: bool) -> None:
    stored = UPRIGHT if orientation < 5 else UPRIGHT[::-1]
    source = encoded(photo(*stored), "TIFF", tiffinfo={274: orientation}, dpi=(100, 200), big_tiff=big)
    info = mediakit.image_info(source)
    assert (info.width, info.height) == UPRIGHT
    assert (info.stored_width, info.stored_height) == stored
    assert info.orientation == orientation
    assert info.dpi == ([100, 200] if orientation < 5 else [200, 100])
    assert mediakit.images(source, width=40).height == 20


# Damaged files whose rows are all there


def jpeg(**options: Any) -> bytes:
    return encoded(photo(), "JPEG", quality=90, **options)


JPEGS: dict[str, Callable[[], bytes]] = {
    "sequential": jpeg,
    "progressive": lambda: jpeg(progressive=True),
    "gray": lambda: encoded(photo().convert("L"), "JPEG"),
    "4:4:4": lambda: jpeg(subsampling=0),
    "CMYK": lambda: encoded(photo().convert("CMYK"), "JPEG"),
    "restart markers": lambda: jpeg(restart_marker_rows=1),
    "white at the bottom": lambda: encoded(white_below(), "JPEG"),
}


def white_below() -> Image.Image:
    image = photo()
    image.paste("white", (0, 40, 160, 120))
    return image


@pytest.mark.parametrize("missing", [1, 2])
@pytest.mark.parametrize("name", JPEGS)
def test_jpeg_without_end_is_taken_by_every_tool(name: str, missing: int) -> None:
    whole = JPEGS[name]()
    source = whole[:-missing]
    result = mediakit.images(source, format="png", width=100)
    assert codes(result) == ["end_missing"]
    assert result.content == mediakit.images(whole, format="png", width=100).content
    assert "has no end marker; all rows are there" in str(mediakit.image_watermark(source, "x").meta["warnings"])
    assert "has no end marker" in str(mediakit.image_animate([source, whole]).meta["warnings"])
    assert codes(mediakit.code_reader(source)) == ["end_missing"]
    info = mediakit.image_info(source)
    assert not info.truncated
    assert "has no end marker; all rows are there" in str(info.meta["warnings"])
    compared = mediakit.image_compare(source, whole, threshold=0)
    assert compared.same
    assert "file: has no end marker" in str(compared.meta["warnings"])
    mediakit.qr("https://example.com", logo=source)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("name", ["sequential", "gray", "restart markers", "4:4:4"])
def test_every_tool_says_the_same_about_a_cut_jpeg(name: str, share: float) -> None:
    whole = JPEGS[name]()
    source = whole[: int(len(whole) * share)]
    with pytest.raises(InvalidInput, match=r"^file: is truncated after \d+ % of its rows\. Send the whole file\.$") as (
        refused
    ):
        mediakit.images(source, width=50)
    said = str(refused.value)
    for call in (lambda: mediakit.image_watermark(source, "x"), lambda: mediakit.code_reader(source)):
        with pytest.raises(InvalidInput) as error:
            call()
        assert str(error.value) == said
    percent = said.partition("after ")[2].partition(" %")[0]
    assert f"after {percent} % of its rows" in str(mediakit.image_compare(source, whole).meta["warnings"])
    assert f"after {percent} % of its rows" in str(mediakit.image_info(source).meta["warnings"])


def test_every_tool_says_the_same_about_the_head_of_a_jpeg() -> None:
    head = jpeg()[:300]
    for call in (mediakit.image_info, mediakit.code_reader, lambda file: mediakit.images(file, width=50)):
        with pytest.raises(InvalidInput, match=r"^file: is truncated after 0 % of its rows\. Send the whole file\.$"):
            call(head)
    with pytest.raises(InvalidInput, match=r"^file2: is truncated after 0 % of its rows\."):
        mediakit.image_compare(jpeg(), head)


@pytest.mark.parametrize("kind", ["GIF", "PNG"])
def test_cut_animation_is_named(kind: str) -> None:
    images = [photo().rotate(angle) for angle in (0, 20, 40)]
    whole = encoded(images[0], kind, save_all=True, append_images=images[1:], duration=80)
    source = whole[: int(len(whole) * 0.8)]
    info = mediakit.image_info(source)
    assert info.truncated
    assert info.frames == 2
    assert info.meta["warnings"] == ["The file is truncated after frame 2."]
    compared = mediakit.image_compare(source, whole)
    assert compared.same
    assert compared.meta["warnings"][0] == "file: is truncated after frame 2."


@pytest.mark.parametrize("rest", [b"x", b"xyz", b"x" * 30])
def test_bytes_after_a_png_do_no_harm(rest: bytes) -> None:
    source = encoded(photo(), "PNG")
    result = mediakit.images(source + rest, format="webp")
    assert result.content == mediakit.images(source, format="webp").content
    assert codes(result) == []


def test_png_without_end_is_taken() -> None:
    source = encoded(photo(), "PNG")[:-12]
    assert codes(mediakit.images(source, width=50)) == ["end_missing"]
    with pytest.raises(InvalidInput, match=r"^file: is truncated after \d+ % of its rows\."):
        mediakit.images(source[: len(source) // 2], width=50)


# Resolution and color data


@pytest.mark.parametrize("target", ["png", "jpeg", "webp", "avif"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_kept_metadata_has_the_resolution(kind: str, target: Any) -> None:
    source = encoded(photo(), kind, dpi=(300, 300))
    result = mediakit.images(source, format=target, width=80, keep_metadata=True)
    with Image.open(io.BytesIO(result.content)) as image:
        exif = image.getexif()
        dpi = image.info.get("dpi") or (exif[0x011A], exif[0x011B])
    assert [round(float(value)) for value in dpi] == [300, 300]


@pytest.mark.parametrize("kind", ["WEBP", "AVIF"])
def test_resolution_in_exif_is_read(kind: str) -> None:
    exif = Image.Exif()
    exif[0x011A], exif[0x011B], exif[0x0128] = 300.0, 150.0, 2
    source = encoded(photo(), kind, exif=exif)
    assert mediakit.image_info(source).dpi == [300, 150]
    png = mediakit.images(source, format="png", width=80, keep_metadata=True).content
    assert b"pHYs" in png
    assert mediakit.image_info(png).dpi == [300, 150]


def test_tiff_without_resolution_has_none() -> None:
    source = bytearray(encoded(photo(), "TIFF", dpi=(300, 300)))
    for tag in (282, 283):
        place = source.index(struct.pack("<HH", tag, 5))
        source[place : place + 2] = struct.pack("<H", 60_000 + tag)
    assert mediakit.image_info(bytes(source)).dpi is None


def colored_png(*names: bytes) -> bytes:
    bodies = {b"gAMA": struct.pack(">I", 100_000), b"cICP": bytes((9, 16, 0, 1)), b"cHRM": bytes(32)}
    info = PngImagePlugin.PngInfo()
    for name in names:
        info.add(name, bodies[name])
    return encoded(photo(), "PNG", pnginfo=info)


@pytest.mark.parametrize("names", [(b"gAMA",), (b"cICP",), (b"gAMA", b"cHRM"), (b"cICP", b"gAMA")])
@pytest.mark.parametrize("options", [{"width": 50}, {"format": "png"}, {"crop": "5,5,80,80"}, {"max_bytes": 9000}])
def test_png_keeps_color_data(names: tuple[bytes, ...], options: dict[str, Any]) -> None:
    result = mediakit.images(colored_png(*names), **options)
    assert all(name in result.content[:400] for name in names)
    assert "color_data_removed" not in codes(result)
    marked = mediakit.image_watermark(colored_png(*names), "x")
    assert all(name in marked.content[:400] for name in names)


@pytest.mark.parametrize("target", ["jpeg", "webp", "avif"])
@pytest.mark.parametrize("name", [b"gAMA", b"cICP"])
def test_removed_color_data_is_named(name: bytes, target: Any) -> None:
    result = mediakit.images(colored_png(name), format=target)
    (warning,) = result.meta["warnings"]
    assert warning["code"] == "color_data_removed"
    assert f"file: {name.decode()} was removed, which {target} does not keep" in warning["message"]
    marked = mediakit.image_watermark(colored_png(name), "x", format=target)
    assert f"{name.decode()} was removed" in str(marked.meta["warnings"])


@pytest.mark.parametrize("name", [b"gAMA", b"cICP"])
def test_animation_names_removed_color_data(name: bytes) -> None:
    made = mediakit.image_animate([colored_png(name), encoded(photo(), "PNG")])
    (warning,) = made.meta["warnings"]
    assert warning.startswith(f"files[0]: {name.decode()} was removed")


def test_gamma_of_srgb_is_not_named() -> None:
    info = PngImagePlugin.PngInfo()
    info.add(b"gAMA", struct.pack(">I", 45455))
    assert codes(mediakit.images(encoded(photo(), "PNG", pnginfo=info), format="jpeg")) == []


def test_png_keeps_xmp_with_the_metadata() -> None:
    xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><title>Lake</title></x:xmpmeta>"
    source = encoded(photo(), "JPEG", xmp=xmp)
    result = mediakit.images(source, format="png", width=50, keep_metadata=True)
    assert b"<title>Lake</title>" in result.content
    assert b"Lake" not in mediakit.images(source, format="png", width=50).content


# Kinds of pixels that Pillow misreads


def test_transparent_gray_of_few_bits_stays_transparent() -> None:
    for depth in (2, 4):
        values = np.tile(np.arange(4, dtype=np.uint8), (8, 2))
        bits = np.unpackbits(values[..., None], axis=2)[..., 8 - depth :].reshape(8, -1)
        rows = b"".join(b"\0" + row.tobytes() for row in np.packbits(bits, axis=1))
        header = struct.pack(">IIBBBBB", 8, 8, depth, 0, 0, 0, 0)
        parts = (chunk(b"IHDR", header), chunk(b"tRNS", b"\0\1"), chunk(b"IDAT", zlib.compress(rows)))
        source = b"\x89PNG\r\n\x1a\n" + b"".join((*parts, chunk(b"IEND", b"")))
        alpha = np.asarray(mediakit.images(source, format="webp").to_pil().convert("RGBA"))[..., 3]
        assert (alpha == np.where(values == 1, 0, 255)).all()
        assert mediakit.image_info(source).transparent


@pytest.mark.parametrize(("channels", "color"), [(1, b"\x0b\0"), (3, b"\x21\0\x2c\0\x37\0")])
def test_transparent_color_of_16_bits_stays_transparent_in_8(channels: int, color: bytes) -> None:
    source = deep_png(channels, chunk(b"tRNS", color))
    alpha = np.asarray(mediakit.images(source, format="webp").to_pil().convert("RGBA"))[..., 3]
    assert np.argwhere(alpha == 0).tolist() == [[0, 1]]
    assert mediakit.image_info(source).transparent


def test_every_tool_turns_a_png_whose_orientation_follows_its_pixels() -> None:
    exif = Image.Exif()
    exif[274] = 6
    whole = encoded(photo(), "PNG")
    source = whole[:-12] + chunk(b"eXIf", exif.tobytes()[6:]) + whole[-12:]
    info = mediakit.image_info(source)
    assert (info.width, info.height, info.orientation) == (120, 160, 6)
    assert mediakit.images(source, format="webp").height == 160
    assert mediakit.image_compare(source, mediakit.images(source, format="png")).same


def stored_tiff(
    pixels: Any, photometric: int, *extra: tuple[int, int], order: str = "<", planar: bool = False
) -> bytes:
    """Return an uncompressed TIFF of an array of height, width and samples with 8 or 16 bits."""
    height, width, samples = pixels.shape
    depth = pixels.itemsize * 8
    data = (pixels.transpose(2, 0, 1) if planar else pixels).astype(f"{order}u{depth // 8}").tobytes()
    size = len(data) // (samples if planar else 1)
    tags: dict[int, tuple[int, list[int]]] = {256: (3, [width]), 257: (3, [height]), 258: (3, [depth] * samples)}
    tags |= {259: (3, [1]), 262: (3, [photometric]), 277: (3, [samples]), 278: (3, [height]), 284: (3, [1 + planar])}
    tags[273] = 4, [8 + place for place in range(0, len(data), size)]
    tags[279] = 4, [size] * len(tags[273][1])
    tags |= {tag: (3, [value]) for tag, value in extra}
    start, entries, rest = 8 + len(data), b"", b""
    for tag, (kind, values) in sorted(tags.items()):
        packed = struct.pack(f"{order}{len(values)}{'H' if kind == 3 else 'I'}", *values)
        if len(packed) > 4:
            place = start + 2 + 12 * len(tags) + 4 + len(rest)
            rest, packed = rest + packed, struct.pack(f"{order}I", place)
        entries += struct.pack(f"{order}HHI", tag, kind, len(values)) + packed.ljust(4, b"\0")
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", start)
    return b"".join((head, data, struct.pack(f"{order}H", len(tags)), entries, bytes(4), rest))


def ramp(samples: int) -> Any:
    return (np.arange(20 * 30 * samples).reshape(20, 30, samples) * 101 % 65_536).astype(np.uint16)


@pytest.mark.parametrize("order", ["<", ">"])
def test_tiff_keeps_16_bits_of_red_green_and_blue(order: str) -> None:
    for samples, extra in ((3, ()), (4, ((338, 2),))):
        result = mediakit.images(stored_tiff(ramp(samples), 2, *extra, order=order), format="png")
        assert (bits(result.content), codes(result)) == (16, [])
        # Pillow reads the first bytes of the samples.
        assert (np.asarray(result.to_pil()) == ramp(samples) >> 8).all()
        low = len(np.unique(np.frombuffer(zlib.decompress(idat(result.content)), np.uint8)))
        assert low > 200


def idat(content: bytes) -> bytes:
    place = content.index(b"IDAT")
    return content[place + 4 : place + 4 + int.from_bytes(content[place - 4 : place])]


def test_tiff_on_which_white_is_zero_is_not_inverted() -> None:
    result = mediakit.images(stored_tiff(65_535 - ramp(1), 0), format="png")
    assert bits(result.content) == 16
    assert (np.asarray(result.to_pil()) == ramp(1)[..., 0]).all()


def test_tiff_of_planes_has_its_colors() -> None:
    result = mediakit.images(stored_tiff(ramp(3), 2, planar=True), format="png")
    assert codes(result) == ["reduced_bit_depth"]
    assert (np.asarray(result.to_pil()) == ramp(3) >> 8).all()


def test_gray_tiff_of_one_plane_keeps_16_bits() -> None:
    result = mediakit.images(stored_tiff(ramp(1), 1, planar=True), format="png")
    assert (bits(result.content), codes(result)) == (16, [])
    assert (np.asarray(result.to_pil()) == ramp(1)[..., 0]).all()


def test_rare_tiff_is_a_clear_error() -> None:
    gray_and_alpha = ramp(2)
    planes = stored_tiff((gray_and_alpha >> 8).astype(np.uint8), 1, (338, 2), planar=True)
    for rare in (stored_tiff(gray_and_alpha, 1, (338, 2)), planes):
        with pytest.raises(InvalidInput, match=r"^file: has pixels of a rare kind of TIFF, which cannot be decoded\.$"):
            mediakit.images(rare, format="png")


def test_long_xmp_is_kept_where_it_fits_and_named_where_not() -> None:
    xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>" + b" " * 70_000 + b"</x:xmpmeta>"
    Image.new("RGB", (40, 30), "red").save(file := io.BytesIO(), "WEBP", xmp=xmp)
    for kind in ("png", "webp", "avif"):
        result = mediakit.images(file.getvalue(), format=kind, keep_metadata=True, width=20)
        assert len(result.content) > len(xmp)
    result = mediakit.images(file.getvalue(), format="jpeg", keep_metadata=True)
    assert [each["code"] for each in result.meta["warnings"]] == ["metadata_omitted"]


def test_timing_that_a_format_cannot_hold_is_named() -> None:
    frames = [Image.new("RGB", (20, 20), color) for color in ("red", "blue")]
    frames[0].save(file := io.BytesIO(), "PNG", save_all=True, append_images=frames[1:], loop=70_000, duration=100)
    for result in (mediakit.images(file.getvalue(), format="webp"), mediakit.image_animate([file.getvalue()])):
        assert "70000 times" in str(result.meta["warnings"])


def test_damage_of_a_logo_is_named() -> None:
    Image.effect_noise((60, 60), 60).save(file := io.BytesIO(), "JPEG")
    (warning,) = mediakit.qr("https://example.com", logo=file.getvalue()[:-2]).meta["warnings"]
    assert warning["message"] == "logo: has no end marker; all rows are there."


@pytest.mark.parametrize(
    ("kind", "options"), [("AVIF", {}), ("TIFF", {}), ("TIFF", {"compression": "tiff_lzw"}), ("WEBP", {})]
)
def test_cut_file_is_called_truncated_by_every_tool(kind: str, options: dict[str, str]) -> None:
    Image.effect_noise((300, 200), 90).convert("RGB").save(file := io.BytesIO(), kind, **options)
    half = file.getvalue()[: len(file.getvalue()) // 2]
    for read in (
        lambda cut: mediakit.images(cut, format="png"),
        mediakit.code_reader,
        lambda cut: mediakit.pdf_merge([cut]),
    ):
        with pytest.raises(InvalidInput, match=r"is truncated\. Send the whole file\."):
            read(half)


@pytest.mark.parametrize("missing", [13, 16, 18])
def test_png_that_ends_after_its_rows_is_read_with_a_warning(missing: int) -> None:
    whole = encoded(photo(), "PNG")
    cut = whole[:-missing]  # in the checksum of the pixels, or in the check value of their stream
    result = mediakit.images(cut, format="webp", quality=100)
    assert codes(result) == ["end_missing"]
    comparison = mediakit.image_compare(cut, whole)
    assert (comparison.same, comparison.share) == (True, 0)
    assert not mediakit.image_info(cut).truncated


@pytest.mark.parametrize("missing", [5, 13])
def test_tiff_that_ends_in_its_directory_is_truncated(missing: int) -> None:
    content = stored_tiff(ramp(1), 1)
    with pytest.raises(InvalidInput, match=r"^file: is truncated\. Send the whole file\.$"):
        mediakit.images(content[:-missing], format="png")
