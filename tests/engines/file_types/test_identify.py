"""The types of files, judged by their content."""

import gzip
import io
import json
import tarfile
import zipfile

import pytest
from PIL import Image

from mediakit.engines.file_types.identify import identify
from mediakit.samples import LANDSCAPE, SALES


def image(kind: str) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(target, kind)
    return target.getvalue()


def archive(**entries: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in entries.items():
            file.writestr(name, text)
    return target.getvalue()


def tar() -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.USTAR_FORMAT) as file:
        file.addfile(tarfile.TarInfo("a.txt"))
    return target.getvalue()


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [
        (image("PNG"), "image/png"),
        (image("BMP"), "image/bmp"),
        (image("ICO"), "image/vnd.microsoft.icon"),
        (image("TIFF"), "image/tiff"),
        (image("AVIF"), "image/avif"),
        (image("WEBP"), "image/webp"),
        (image("PPM"), "image/x-portable-pixmap"),
        (image("TGA"), "image/x-tga"),
        (image("PCX"), "image/vnd.zbrush.pcx"),
        (image("JPEG2000"), "image/jp2"),
        (LANDSCAPE.read_bytes(), "image/jpeg"),
        (gzip.compress(b"a", mtime=0), "application/gzip"),
        (tar(), "application/x-tar"),
        (archive(a="b"), "application/zip"),
        (archive(**{"META-INF/MANIFEST.MF": ""}), "application/java-archive"),
        (archive(mimetype="application/epub+zip"), "application/epub+zip"),
        (
            archive(mimetype="application/vnd.oasis.opendocument.text"),
            "application/vnd.oasis.opendocument.text",
        ),
        *(
            (
                archive(
                    **{
                        "[Content_Types].xml": f'<Override ContentType="application/vnd.ms-word.{main}.main+xml"/>',
                        "word/document.xml": "",
                    }
                ),
                f"application/vnd.ms-word.{kind}.macroEnabled.12",
            )
            for main, kind in (
                ("document.macroEnabled", "document"),
                ("template.macroEnabledTemplate", "template"),
            )
        ),
        (b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0" + bytes(24), "application/vnd.microsoft.portable-executable"),
        (b"\x7fELF" + bytes(60), "application/x-elf"),
        (b"\0asm\1\0\0\0", "application/wasm"),
        (b"\xca\xfe\xba\xbe\0\0\0\x34" + bytes(20), "application/java-vm"),
        (b"\xca\xfe\xba\xbe\0\0\0\x02" + bytes(20), "application/x-mach-binary"),
        (b"SQLite format 3\0" + bytes(84), "application/vnd.sqlite3"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "image/heic"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "image/avif"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "video/quicktime"),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm", "video/webm"),
        (b"OggS\0\2" + bytes(22) + b"OpusHead", "audio/ogg"),
        (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
        (bytes(range(256)), "application/octet-stream"),
        (bytes(80) + b"\1\0\0\0" + bytes(50), "model/stl"),
        (bytes(84), "application/octet-stream"),
    ],
)
def test_binary_file_is_identified_by_its_content(content: bytes, mime_type: str) -> None:
    assert identify(content).mime_type == mime_type


@pytest.mark.parametrize(
    ("text", "mime_type"),
    [
        ('{"a": [1, 2]}', "application/json"),
        ('{"a": 1}\n{"a": 2}\n', "application/x-ndjson"),
        (json.dumps({"type": "Point", "coordinates": [1, 2]}), "application/geo+json"),
        ("<?xml version='1.0'?><a/>", "application/xml"),
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
        ("<!doctype html><title>a</title>", "text/html"),
        ("<?xml version='1.0'?><kml xmlns='http://www.opengis.net/kml/2.2'/>", "application/vnd.google-earth.kml+xml"),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "text/calendar"),
        ("WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n", "text/vtt"),
        ("1\n00:00:00,000 --> 00:00:01,000\nHi\n", "application/x-subrip"),
        ("From: a@b.c\nTo: d@e.f\nSubject: Hi\n\nHello\n", "message/rfc822"),
        ("#!/usr/bin/env python3\nprint(1)\n", "text/x-python"),
        ("import os\n\n\ndef main():\n    return os.getcwd()\n", "text/plain"),
        ("[package]\nname = 'a'\n", "application/toml"),
        ("Hello, world. This is a sentence, and it has commas.\nHere, too, is one of them.\n", "text/plain"),
        ("MAC address, ORC and FORM are words.\n", "text/plain"),
        ("FORM,country\n1,2\n3,4\n", "text/csv"),
        ("A PDF begins with %PDF-1.7, as its standard says.", "text/plain"),
    ],
)
def test_text_is_identified_by_its_structure(text: str, mime_type: str) -> None:
    assert identify(text.encode()).mime_type == mime_type


def test_csv_sample_is_csv() -> None:
    assert identify(SALES.read_bytes()).mime_type == "text/csv"


def test_utf_16_text_is_text() -> None:
    assert identify("Begoña und Jürgen".encode("utf-16-le")).mime_type == "text/plain"


def test_name_decides_between_kinds_of_text_only() -> None:
    assert identify(b"a plain line", "notes.md").mime_type == "text/markdown"
    assert identify(b"import os\n", "main.py").mime_type == "text/x-python"
    assert identify(image("PNG"), "notes.md").mime_type == "image/png"
    assert identify(b"a plain line", "photo.png").mime_type == "text/plain"


@pytest.mark.parametrize(
    ("name", "mime_type"),
    [
        ("word/document.xml", "application/zip"),
        ("content.opf", "application/zip"),
        ("AndroidManifest.xml", "application/vnd.android.package-archive"),
    ],
)
def test_archive_without_its_directory_is_judged_by_its_local_headers(name: str, mime_type: str) -> None:
    cut = archive(**{name: "a"})
    assert identify(cut[: cut.index(b"PK\1\2")]).mime_type == mime_type


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 40, 120, 600])
@pytest.mark.parametrize(
    "start", [b"PK\3\4", b"PK\5\6", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"II*\0", b"MZ", b"0\x82", b"ID3"]
)
def test_truncated_files_are_identified_without_error(start: bytes, size: int) -> None:
    for filler in (b"\0", b"\xff", b"P"):
        assert identify((start + filler * size)[:size]).mime_type


def test_description_has_an_article_and_label_has_none() -> None:
    found = identify(image("PNG"))
    assert (found.description, found.label, found.extension, found.kind) == (
        "a PNG image",
        "PNG image",
        ".png",
        "image",
    )


def test_empty_file_is_described_as_empty() -> None:
    assert identify(b"").description == "an empty file"


@pytest.mark.parametrize(
    "text",
    [
        "#\r\n" * 20_000,
        "%\r\n" * 20_000,
        "REM \r\n" * 10_000,
        '.\\"\r\n' * 10_000,
        "999\r\n\r\n" * 8_000,
        "From: a\r\n" + " \r\n" * 20_000,
        "<!doctype " + "a" * 65_000,
        (" " * 160 + "\n") * 400,
    ],
    ids=["comments", "percent signs", "remarks", "requests", "groups", "folded header", "doctype", "blank lines"],
)
def test_repeated_pieces_are_judged_in_linear_time(text: str) -> None:
    """Takes hours where a pattern can read a piece in two ways."""
    assert identify(text.encode()).kind == "text"


def test_long_word_in_the_content_types_is_judged_in_linear_time() -> None:
    """Takes minutes where the pattern of a media type is tried at each of its letters."""
    assert identify(archive(**{"[Content_Types].xml": "a" * 200_000})).mime_type == "application/zip"


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_any_line_break_ends_the_line_that_identifies_a_text(line_break: str) -> None:
    lines = ["1", "00:00:01,000 --> 00:00:02,000", "Hello", ""]
    assert identify(line_break.join(lines).encode()).extension == ".srt"
