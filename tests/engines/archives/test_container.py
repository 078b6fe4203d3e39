import io
import zipfile

import pytest

from mediakit.engines.archives.container import Container, check_unpacked_sizes
from mediakit.errors import InvalidInput
from tests.support.zip_kit import Part, archive, overlapping


def packed(*entries: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file.getvalue()


def test_entries_are_read_by_name() -> None:
    container = Container(packed(("a.xml", b"<a/>"), ("b.xml", b"<b/>")))
    assert container.names == ["a.xml", "b.xml"]
    assert container.read("b.xml") == b"<b/>"
    assert "c.xml" not in container


def test_entry_with_damaged_bytes_is_rejected() -> None:
    content = bytearray(packed(("a.xml", b"some text that is long enough to be packed" * 20)))
    content[40] ^= 0xFF
    with pytest.raises(InvalidInput, match=r"^file: its part a\.xml is damaged\.$"):
        Container(bytes(content)).read("a.xml")


def test_bomb_is_rejected_before_it_is_unpacked() -> None:
    with pytest.raises(InvalidInput, match=r"^document: is a decompression bomb\.$"):
        Container(packed(("a.xml", bytes(3_000_000))), "document")


def test_damaged_archive_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^file: is a damaged file or ZIP archive\.$"):
        Container(b"PK\x03\x04 nothing")


def test_entry_with_a_wrong_crc_is_rejected() -> None:
    content = bytearray(packed(("a.xml", b"<a/>")))
    place = content.index(b"PK\1\2") + 16
    content[place] ^= 0xFF
    with pytest.raises(InvalidInput, match=r"^file: its part a\.xml is damaged\.$"):
        Container(bytes(content)).read("a.xml")


@pytest.mark.parametrize("part", [Part(b"a.xml", b"<a/>", method=9), Part(b"a.xml", b"<a/>", flags=1)])
def test_encrypted_entry_and_one_of_another_method_are_rejected(part: Part) -> None:
    with pytest.raises(InvalidInput, match=r"^file: its part a\.xml is damaged\.$"):
        Container(archive(part)).read("a.xml")


def test_entry_with_more_bytes_than_it_claims_is_rejected() -> None:
    content = archive(Part(b"a.xml", b"<a>text</a>" * 50, size=10))
    with pytest.raises(InvalidInput, match=r"^file: is a decompression bomb: its part a\.xml unpacks to more"):
        Container(content).read("a.xml")
    with pytest.raises(InvalidInput, match=r"^file: is a decompression bomb: its part a\.xml unpacks to more"):
        check_unpacked_sizes(content, "file")


def test_overlapping_entries_are_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^file: is a decompression bomb\.$"):
        Container(overlapping(15))


def test_names_are_utf_8_where_they_say_so() -> None:
    assert Container(packed(("größe/ä.xml", b"<a/>"))).names == ["größe/ä.xml"]


def test_container_behind_other_bytes_is_read() -> None:
    assert Container(b"#!/bin/sh\n" + packed(("a.xml", b"<a/>"))).read("a.xml") == b"<a/>"
