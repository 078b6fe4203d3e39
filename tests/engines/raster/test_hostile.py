"""Hostile, damaged and oversized files are rejected with `InvalidInput` before pixels are decoded."""

import random
import struct
import tracemalloc
import zlib
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from PIL import Image

from mediakit.engines.raster import OutputFormat, read_header
from mediakit.errors import InvalidInput
from tests.support.raster_kit import convert

FORMATS = ("PNG", "JPEG", "WEBP", "AVIF", "GIF", "TIFF")


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def photo(size: tuple[int, int] = (120, 80)) -> Image.Image:
    gray = Image.radial_gradient("L").resize(size)
    return Image.merge("RGB", (gray, gray.rotate(180), Image.linear_gradient("L").resize(size)))


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *chunks: bytes) -> bytes:
    """Return a PNG with one bit per pixel, all black unless other chunks are given."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    body = chunks or (chunk(b"IDAT", zlib.compress(bytes(((width + 7) // 8 + 1) * height))),)
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(body) + chunk(b"IEND", b"")


def gif(width: int, height: int, *frames: tuple[int, int]) -> bytes:
    body = b"".join(
        b"!\xf9\x04\x04\x01\0\0\0," + struct.pack("<HHHHB", 0, 0, *frame, 0) + b"\x02\x02\x44\x01\0" for frame in frames
    )
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6) + body + b";"


def tiff(width: int, height: int, *extra: tuple[int, int, int, int]) -> bytes:
    tags = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1)]
    tags += [(273, 4, 1, 200), (277, 3, 1, 1), (278, 4, 1, height), (279, 4, 1, width * height), *extra]
    directory = b"".join(struct.pack("<HHII", *tag) for tag in sorted(tags))
    head = b"II*\0" + struct.pack("<IH", 8, len(tags)) + directory + struct.pack("<I", 8)
    return head.ljust(300, b"\0")


def claiming(content: bytes, marker: bytes, skip: int, size: bytes) -> bytes:
    """Replace the size in a header."""
    at = content.index(marker) + skip
    return content[:at] + size + content[at + len(size) :]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF",
        b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
        b"<html></html>",
        b"%PDF-1.7",
        b"%!PS-Adobe-3.0 EPSF-3.0",
        b"push graphic-context",
        b"\xff\x0a\xfa\x1f",
        b"\0\0\x01\0\x01\0",
        b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
        encoded(photo(), "BMP"),
        random.Random(1).randbytes(999),
    ],
)
def test_other_formats_are_rejected_and_the_error_names_the_six(content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"^file: is not a PNG, JPEG, WebP, AVIF, GIF or TIFF image\.$"):
        read_header(content)


@pytest.mark.parametrize(
    "content",
    [
        png(10080, 5000),
        png(50000, 50000, chunk(b"IDAT", b"")),
        png(2**31 - 1, 2**31 - 1, chunk(b"IDAT", b"")),
        gif(65535, 65535, (1, 1)),
        tiff(100_000, 30_000),
        claiming(encoded(photo(), "JPEG"), b"\xff\xc0", 5, struct.pack(">HH", 65500, 65500)),
        claiming(encoded(photo(), "AVIF"), b"ispe", 8, struct.pack(">II", 16000, 16000)),
        encoded(Image.new("RGB", (16000, 3200)), "WEBP", lossless=True, method=0, quality=0),
        b"RIFF\x16\0\0\0WEBPVP8X\n\0\0\0\x10\0\0\0\xff\x3f\0\xff\x3f\0",
        b"RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0/\xff\xff\xff\x0f" + bytes(9),
        b"RIFF\x1a\0\0\0WEBPVP8 \x0e\0\0\0\0\0\0\x9d\x01\x2a\xff\x3f\xff\x3f" + bytes(4),
    ],
    ids=["50.4 MP", "2.5 GP", "PNG at its limit", "GIF canvas", "TIFF", "JPEG", "AVIF", "WebP", "VP8X", "VP8L", "VP8"],
)
def test_more_than_50_megapixels_are_rejected(content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"^file: must have at most 50 megapixels, got [0-9.]+\.$"):
        read_header(content)


def test_50_megapixels_are_accepted() -> None:
    result = convert(png(10000, 5000), width=20)
    assert (result.width, result.height, result.original_width) == (20, 10, 10000)


def test_small_file_with_many_pixels_is_accepted() -> None:
    content = encoded(Image.new("RGB", (16383, 1000)), "WEBP", lossless=True)
    assert len(content) < 2000
    assert convert(content, width=100).height == 6


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("tenths", range(1, 10))
def test_truncated_file_is_rejected(kind: str, tenths: int) -> None:
    content = encoded(photo(), kind)
    with pytest.raises(
        InvalidInput, match=r"^file: is (truncated( after \d+ % of its rows)?\. Send|damaged and cannot be decoded as)"
    ):
        convert(content[: len(content) * tenths // 10], width=10)


@pytest.mark.parametrize("tenths", range(1, 10))
def test_truncated_animation_is_rejected(tenths: int) -> None:
    content = encoded(photo(), "GIF", save_all=True, append_images=[photo().rotate(90)], duration=50)
    with pytest.raises(InvalidInput, match=r"^file: is truncated\. Send the whole file\.$"):
        convert(content[: len(content) * tenths // 10], format="webp")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (png(0, 10), "damaged"),
        (png(9, 9, chunk(b"IDAT", zlib.compress(b"\0" * 5))), "truncated"),
        (png(9, 9, chunk(b"IDAT", zlib.compress(bytes(27)))[:-1] + b"\0"), "checksum"),
        (png(9, 9, chunk(b"tEXt", b"a\0b")), "damaged"),
        (png(9, 9, chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(8 << 20)))), "damaged"),
        (png(9, 9)[:-24], "truncated"),
        (gif(10, 10, (1, 1), (60000, 60000)), "larger than its canvas"),
        (gif(10, 10, (1, 1), (9000, 9000)), "larger than its canvas"),
    ],
    ids=["no width", "few pixels", "wrong CRC", "no pixels", "profile bomb", "few rows", "frame", "large frame"],
)
def test_file_that_violates_its_format_is_rejected(content: bytes, words: str) -> None:
    with pytest.raises(InvalidInput, match=f"^file: .*({words})"):
        convert(content, width=10)


def test_jpeg_of_a_thousand_scans_is_rejected() -> None:
    content = encoded(photo(), "JPEG", progressive=True)
    scan = b"\xff\xda\0\x08\x01\x01\0\x3f\x3f\x10\0"
    with pytest.raises(InvalidInput, match=r"^file: must have at most 100 scans, got 10\d\d\.$"):
        read_header(content[:-2] + scan * 1000 + content[-2:])


@pytest.mark.parametrize(
    "extra", [(), [(34665, 4, 1, 8)], [(34853, 4, 1, 10**8)], [(270, 2, 2**28, 10)], [(700, 7, 99999, 5)]]
)
def test_odd_metadata_does_not_make_an_image_unreadable(extra: list[tuple[int, int, int, int]]) -> None:
    assert convert(tiff(10, 10, *extra), width=5).format == "png"


def test_bytes_after_the_image_are_removed() -> None:
    result = convert(encoded(photo(), "PNG") + b"<html><script>alert(1)</script>", width=30)
    assert b"script" not in result.content


@pytest.mark.parametrize(
    ("size", "width", "height", "kind", "words"),
    [
        ((1, 8000), 8000, None, None, "8000 x 64000000 pixels; PNG results are limited to 64 megapixels"),
        ((1, 8000), 3, None, "webp", "3 x 24000 pixels; a side of a WEBP image is limited to 16383 pixels"),
        ((80, 80), 8000, 8000, "avif", "8000 x 8000 pixels; AVIF results are limited to 40 megapixels"),
    ],
)
def test_result_that_is_too_large_is_rejected(
    size: tuple[int, int], width: int, height: int | None, kind: OutputFormat | None, words: str
) -> None:
    with pytest.raises(InvalidInput, match=f"^file: would become {words}"):
        convert(encoded(Image.new("L", size), "PNG"), width=width, height=height, format=kind)


def test_fuzzed_files_are_read_or_rejected_without_other_errors() -> None:
    chance = random.Random(7)
    errors = []
    for content in [encoded(photo(), kind) for kind in FORMATS if kind != "TIFF"] * 25:
        damaged = bytearray(content)
        for _ in range(chance.choice((1, 4, 20))):
            damaged[chance.randrange(chance.choice((40, len(damaged))))] = chance.randrange(256)
        try:
            assert convert(bytes(damaged), width=20, format="jpeg").width == 20
        except InvalidInput as error:
            errors.append(error.message)
    assert len(errors) > 20
    assert all(message.startswith("file: ") for message in errors)


def test_concurrent_conversions_return_equal_bytes() -> None:
    contents = [encoded(photo((300, 200)), kind) for kind in FORMATS]
    alone = [convert(content, width=90, format="webp").content for content in contents]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda content: convert(content, width=90, format="webp").content, contents * 8))
    assert together == alone * 8


def test_end_of_a_png_is_added_without_unpacking_a_bomb() -> None:
    deflate = zlib.compressobj(9)
    bomb = b"".join(deflate.compress(bytes(1 << 24)) for _ in range(12))
    cut = png(9, 9, chunk(b"IDAT", bomb + bytes(99)))[: -12 - 4 - 99]
    tracemalloc.start()
    source = read_header(cut)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [each["code"] for each in source.warnings] == ["end_missing"]
    assert peak < 1 << 24
