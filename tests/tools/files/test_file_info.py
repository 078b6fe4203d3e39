"""The tool `file_info`."""

import hashlib
import io
import struct
import tarfile
import tracemalloc
import wave
import zipfile
import zlib
from pathlib import Path

import pymupdf
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE, LOCKED, REPORT, SALES
from mediakit.tools.files.file_info.inspection import crc32c
from mediakit.tools.files.file_info.tool import Hash
from tests.support.pdf_kit import blank, miscounted


def zipped(**entries: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return target.getvalue()


def test_jpeg_has_type_size_and_pixels() -> None:
    info = mediakit.file_info(LANDSCAPE)
    assert (info.mime_type, info.extension, info.description, info.kind) == (
        "image/jpeg",
        ".jpg",
        "JPEG image",
        "image",
    )
    assert (info.size_bytes, info.details) == (LANDSCAPE.stat().st_size, {"width": 1600, "height": 1000, "frames": 1})
    assert (info.extension_matches, info.encrypted, info.alternatives) == (True, None, [])


def test_hashes_are_those_of_other_libraries() -> None:
    content = LANDSCAPE.read_bytes()
    names: list[Hash] = ["md5", "sha1", "sha256", "sha512", "sha3-256", "blake2b", "crc32"]
    info = mediakit.file_info(content, hashes=names)
    expected = {name: hashlib.new(name.replace("-", "_"), content).hexdigest() for name in names[:-1]}
    assert info.hashes == {**expected, "crc32": f"{zlib.crc32(content):08x}"}


@pytest.mark.parametrize(
    ("content", "checksum"),
    [
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
    ],
)
def test_crc32c_is_that_of_rfc_3720(content: bytes, checksum: int) -> None:
    assert crc32c(content) == checksum


def test_crc32c_of_large_data_is_that_of_its_bytes_in_turn() -> None:
    content = bytes(range(256)) * 1500 + b"end"
    state = 0xFFFFFFFF
    for byte in content:
        state ^= byte
        for _ in range(8):
            state = (state >> 1) ^ (0x82F63B78 if state & 1 else 0)
    assert crc32c(content) == state ^ 0xFFFFFFFF


def test_crc32c_of_a_large_file_needs_little_memory() -> None:
    content = bytes(10_000_000)
    crc32c(b"")
    tracemalloc.start()
    try:
        crc32c(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * len(content)


def test_pdf_has_pages_and_is_not_encrypted() -> None:
    info = mediakit.file_info(REPORT)
    assert (info.mime_type, info.details, info.encrypted) == ("application/pdf", {"pages": 3}, False)


@pytest.mark.parametrize("stated", [1, 9])
def test_pages_are_counted_where_the_page_tree_states_a_wrong_number(stated: int) -> None:
    assert mediakit.file_info(miscounted(blank(3), stated)).details == {"pages": 3}


def test_locked_pdf_is_encrypted() -> None:
    assert mediakit.file_info(LOCKED).encrypted is True


def test_archive_has_entries_and_their_size() -> None:
    info = mediakit.file_info(zipped(a=b"x" * 1000, b=b"y"))
    assert (info.kind, info.details) == ("archive", {"entries": 2, "unpacked_bytes": 1001})
    assert info.encrypted is False


def test_text_has_charset_lines_and_line_break() -> None:
    info = mediakit.file_info("Málaga\r\nCádiz\r\nLogroño".encode("cp1252"))
    assert (info.kind, info.details) == ("text", {"charset": "windows-1252", "lines": 3, "newline": "crlf"})


def test_text_of_two_charsets_is_warned_of() -> None:
    info = mediakit.file_info("Größere Bäume\n".encode() + "Kleine Äpfel\n".encode("cp1252"))
    assert info.details == {"charset": "utf-8", "lines": 2, "newline": "lf"}
    assert info.meta["warnings"] == ["Lines of the text are in utf-8, and others in windows-1252."]


def test_csv_is_recognized() -> None:
    assert mediakit.file_info(SALES).mime_type == "text/csv"


def test_wav_has_duration() -> None:
    target = io.BytesIO()
    with wave.open(target, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(24_000))
    info = mediakit.file_info(target.getvalue())
    assert (info.mime_type, info.kind, info.details) == ("audio/wav", "audio", {"duration_seconds": 1.5})


def test_movie_has_duration_of_its_header() -> None:
    head = b"\0\0\0\x18ftypisom\0\0\0\0isommp41"
    movie = b"mvhd" + bytes(12) + struct.pack(">LL", 600, 4500) + bytes(80)
    box = struct.pack(">L", len(movie) + 4) + movie
    content = head + struct.pack(">L", len(box) + 8) + b"moov" + box
    info = mediakit.file_info(content)
    assert (info.mime_type, info.details) == ("video/mp4", {"duration_seconds": 7.5})


def test_wrong_extension_is_warned_of() -> None:
    program = b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0" + bytes(24)
    info = mediakit.file_info(program, filename="invoice.pdf")
    assert (info.kind, info.extension_matches) == ("executable", False)
    assert info.meta["warnings"] == ["The name ends in .pdf, but the file is a Windows program."]


@pytest.mark.parametrize(
    ("name", "matches"),
    [("a.jpg", True), ("a.JPEG", True), ("a.png", False), ("a.unheard", None), ("a", None), ("", None)],
)
def test_extension_matches_name(name: str, *, matches: bool | None, tmp_path: Path) -> None:
    path = tmp_path / (name or "b")
    path.write_bytes(LANDSCAPE.read_bytes())
    assert mediakit.file_info(path).extension_matches is matches


def test_image_with_archive_behind_it_is_both() -> None:
    info = mediakit.file_info(LANDSCAPE.read_bytes() + zipped(a=b"x"))
    assert (info.mime_type, info.alternatives) == ("image/jpeg", ["application/zip"])
    assert info.meta["warnings"] == ["The file is also a ZIP file."]


def test_entropy_is_that_of_the_bytes() -> None:
    assert mediakit.file_info(b"aaaa").entropy == 0
    assert mediakit.file_info(bytes(range(256)) * 4).entropy == 8


def test_unknown_file_is_octet_stream() -> None:
    info = mediakit.file_info(bytes(range(256)) * 4, filename="a.png")
    assert (info.mime_type, info.extension, info.kind, info.extension_matches) == (
        "application/octet-stream",
        "",
        "data",
        False,
    )


def test_empty_file_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^file: must not be empty\.$"):
        mediakit.file_info(b"")


def test_unknown_hash_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^hashes\[0\]: must be one of 'md5', "):
        mediakit.file_info(LANDSCAPE, hashes=["md4"])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("hashes", "message"),
    [
        ("md5", r'^hashes: must be a list such as \["md5"\], got "md5"\.$'),
        ({"md5": 1}, r"^hashes: must be a list, got "),
        (None, r"^hashes: must be a list, got null\.$"),
    ],
)
def test_hashes_that_are_not_a_list_are_refused(hashes: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        mediakit.file_info(LANDSCAPE, hashes=hashes)  # type: ignore[arg-type]


HOSTILE = {
    "jpeg": b"\xff\xd8\xff" + bytes(20),
    "png": b"\x89PNG\r\n\x1a\n" + b"\xff" * 40,
    "zip": b"PK\3\4" + b"\xff" * 60 + b"PK\5\6" + b"\xff" * 18,
    "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 600,
    "ole of zeros": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(22) + b"\x09\0" + bytes(2000),
    "pdf": b"%PDF-1.7\n1 0 obj\n" + b"<" * 5000,
    "wav": b"RIFF\0\0\0\0WAVEfmt \xff\xff\xff\xff",
    "movie": b"\0\0\0\x18ftypisom\0\0\0\0isommp41mvhd",
    "matroska": b"\x1a\x45\xdf\xa3" + b"\x44\x89\x84",
    "ogg": b"OggS\0",
    "flac": b"fLaC",
    "tar": b"a" * 148 + b"0000000\0" + b"\xff" * 400,
    "json": b"[" * 100_000,
    "xml": b"<?xml version='1.0'?>" + b"<!-- " * 10_000,
    "id3": b"ID3\4\0\0\x7f\x7f\x7f\x7f",
    "tiff": b"II*\0\xff\xff\xff\xff",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_damaged_file_is_described(name: str) -> None:
    info = mediakit.file_info(HOSTILE[name])
    assert info.mime_type
    assert 0 <= info.entropy <= 8


def test_tar_header_with_a_negative_size_ends_the_list() -> None:
    """Never ends where the size leads back to the header that states it."""
    back = tarfile.TarInfo("b")
    back.size = -512
    content = tarfile.TarInfo("a").tobuf() + back.tobuf(tarfile.GNU_FORMAT) + bytes(1024)
    assert mediakit.file_info(content).details == {"entries": 1, "unpacked_bytes": 0}
    with pytest.raises(InvalidInput, match="file: is a damaged TAR file"):
        mediakit.unzip(content)


def test_frame_has_one_row_with_hashes_and_details() -> None:
    (row,) = mediakit.file_info(LANDSCAPE, hashes=["crc32"]).to_frame().to_dict("records")
    assert (row["mime_type"], row["width"], row["height"]) == ("image/jpeg", 1600, 1000)
    assert "crc32" in row


def test_notebook_view_escapes_and_shows_facts() -> None:
    info = mediakit.file_info(REPORT, filename="<b>.docx")
    html = info._repr_mimebundle_()[0]["text/html"]
    assert "application/pdf" in html
    assert "The name ends in .docx, but the file is a PDF." in html
    assert repr(info).startswith("<FileInfo PDF, application/pdf, ")


def test_saved_file_is_json(tmp_path: Path) -> None:
    saved = mediakit.file_info(LANDSCAPE).save(tmp_path / "about.json")
    assert '"mime_type": "image/jpeg"' in saved.read_text("utf-8")


def test_pages_of_created_pdf_are_counted() -> None:
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        for _ in range(4):
            document.new_page()
        content = document.tobytes()
    assert mediakit.file_info(content).details == {"pages": 4}
