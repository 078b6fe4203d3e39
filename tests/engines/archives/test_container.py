import io
import zipfile

import pytest

from mediakit.engines.archives.container import Container
from mediakit.errors import InvalidInput


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
