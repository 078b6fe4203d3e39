"""Media types are detected by content; file names are valid on all systems and unique."""

import gzip
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import pytest
from PIL import Image

from mediakit.core.media import (
    MEDIA_TYPES,
    MediaType,
    describe,
    detect,
    extension_of,
    format_names,
    image_type,
    kind_of,
    media_type,
    safe_name,
    type_of,
    unique_names,
)
from mediakit.core.tool import Tool
from mediakit.samples import LANDSCAPE
from mediakit.tools.catalogue import all_tools
from tests.support.pdf_kit import plain


def image(kind: str) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(target, kind)
    return target.getvalue()


def big_endian_tiff() -> bytes:
    target = io.BytesIO()
    Image.new("I;16B", (8, 8)).save(target, "TIFF")
    return target.getvalue()


def archive(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        for name in names:
            made.writestr(name, "x")
    return target.getvalue()


def parquet() -> bytes:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    target = io.BytesIO()
    pq.write_table(pa.table({"a": [1]}), target)
    return target.getvalue()


FILES: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "png": (lambda: image("PNG"), "image/png", "a PNG image"),
    "jpeg": (lambda: image("JPEG"), "image/jpeg", "a JPEG image"),
    "photo": (LANDSCAPE.read_bytes, "image/jpeg", "a JPEG image"),
    "webp": (lambda: image("WEBP"), "image/webp", "a WebP image"),
    "avif": (lambda: image("AVIF"), "image/avif", "an AVIF image"),
    "gif": (lambda: image("GIF"), "image/gif", "a GIF image"),
    "tiff": (lambda: image("TIFF"), "image/tiff", "a TIFF image"),
    "tiff, big-endian": (big_endian_tiff, "image/tiff", "a TIFF image"),
    "bmp": (lambda: image("BMP"), "image/bmp", "a BMP image"),
    "pdf": (plain, "application/pdf", "a PDF"),
    "pdf after other bytes": (lambda: b"\n" * 500 + plain(), "application/pdf", "a PDF"),
    "zip": (lambda: archive("a"), "application/zip", "a ZIP file"),
    "empty zip": (archive, "application/zip", "a ZIP file"),
    "gzip": (lambda: gzip.compress(b"x"), "application/gzip", "a gzip file"),
    "parquet": (parquet, "application/vnd.apache.parquet", "a Parquet file"),
    "old office file": (
        lambda: bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504),
        "application/vnd.ms-excel",
        "an Excel 97 workbook",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_detect_and_describe_recognize_file(name: str) -> None:
    make, media, words = FILES[name]
    content = make()
    assert (detect(content), describe(content)) == (media, words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "an empty file"),
        (b"hello", "a text file"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a text file"),
        (b"x\0y", "a binary file of an unknown kind"),
        (b"RIFF\0\0\0\0WAVE", "a binary file of an unknown kind"),
        (b" " * 1024 + b"%PDF-1.7", "a text file"),
        (b"\x89PN", "a text file"),
    ],
)
def test_file_of_unknown_signature_is_described_by_its_bytes(content: bytes, words: str) -> None:
    assert (detect(content), describe(content)) == (None, words)


@pytest.mark.parametrize("word", ["BMW sales 2025", "BM"])
def test_text_that_begins_like_bitmap_is_described_as_text(word: str) -> None:
    assert describe(word.encode()) == "a text file"


def test_every_media_type_is_registered_once() -> None:
    names = [media.name for media in MEDIA_TYPES]
    extensions = [extension for media in MEDIA_TYPES for extension in media.extensions]
    assert len(set(names)) == len(names)
    assert len(set(extensions)) == len(extensions)
    assert all(media.extensions for media in MEDIA_TYPES)
    assert all(re.fullmatch(r"an? \S.*", media.label) for media in MEDIA_TYPES)
    assert all(extension == extension.lower().strip(".") for extension in extensions)


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_media_types_of_tool_are_registered(tool: Tool[..., Any]) -> None:
    assert tool.produces
    unregistered = [name for name in tool.produces if media_type(name.partition(";")[0]) is None]
    assert unregistered == []


@pytest.mark.parametrize("media", MEDIA_TYPES, ids=lambda media: media.name)
def test_type_of_returns_media_type_of_every_extension(media: MediaType) -> None:
    for extension in media.extensions:
        assert type_of(PurePath(f"a.b.{extension.upper()}")) == media.name
    assert extension_of(media.name) == media.extensions[0]
    assert media_type(media.name) == media


def test_unknown_extension_and_media_type_have_no_entry() -> None:
    assert [type_of(PurePath(name)) for name in ("a", "a.", "a.xyz", ".png")] == [None] * 4
    assert (media_type("image/x-none"), extension_of("image/x-none")) == (None, "bin")


def test_format_names_are_subtype_and_extensions() -> None:
    assert set(format_names("image/jpeg")) == {"jpeg", "jpg"}
    assert set(format_names("image/svg+xml")) == {"svg"}
    assert set(format_names("image/x-none")) == {"x-none"}
    assert [image_type(name) for name in ("svg", "png")] == ["image/svg+xml", "image/png"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a/b\\c", "a-b-c"),
        ("..", "_"),
        (".hidden", "hidden"),
        ("lpt1.txt", "_lpt1.txt"),
        ('x<>:"|?*\n\0y', "x- -y"),
        ("Ж" * 300, "Ж" * 100),
    ],
)
def test_name_is_valid_on_all_operating_systems(text: str, name: str) -> None:
    assert safe_name(text) == name


def test_equal_names_are_numbered_before_the_extension_ignoring_case() -> None:
    assert unique_names(["a.pdf", "A.pdf", "a.pdf", "b.v2", "b.v2"]) == [
        "a.pdf",
        "A (2).pdf",
        "a (3).pdf",
        "b.v2",
        "b.v2 (2)",
    ]


@pytest.mark.parametrize(
    ("media", "kind"),
    [
        ("image/heic", "image"),
        ("text/calendar; charset=utf-8", "text"),
        ("application/geo+json", "data"),
        ("application/x-yaml", "table"),
        ("application/xhtml+xml", "html"),
        ("audio/mpeg", "other"),
    ],
)
def test_kind_of_unregistered_media_type_follows_from_its_name(media: str, kind: str) -> None:
    assert kind_of(media) == kind
