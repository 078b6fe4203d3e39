"""Charsets of texts."""

import pytest

import mediakit
from mediakit.engines.charsets import decode, detect
from mediakit.errors import InvalidInput

SPANISH = "nombre;ciudad\nJosé Núñez;Cádiz\nBegoña Ibáñez;Málaga\nÍñigo Peña;León\nÁngel Muñoz;Mérida\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_unicode_is_recognized_with_and_without_a_mark(encoding: str) -> None:
    assert decode(SPANISH.encode(encoding), "auto", "file")[0] == SPANISH


@pytest.mark.parametrize("encoding", ["windows-1252", "mac-roman"])
def test_single_byte_charset_is_detected(encoding: str) -> None:
    assert decode(SPANISH.encode(encoding), "auto", "file") == (SPANISH, encoding)


def test_escape_charset_is_detected() -> None:
    text = "こんにちは世界\n"
    assert decode(text.encode("iso2022_jp"), "auto", "file")[0] == text


def test_given_encoding_wins() -> None:
    assert decode(b"\xe9", "cp1251", "file") == ("й", "cp1251")


def test_undecodable_byte_is_refused_with_its_offset() -> None:
    with pytest.raises(InvalidInput, match=r"^file: byte 0x81 at offset 2 is not windows-1252; set encoding\.$"):
        decode(b"ab\x81", "windows-1252", "file")


def test_unknown_encoding_names_the_nearest() -> None:
    with pytest.raises(InvalidInput, match=r'^encoding: "windos-1252" is not known; did you mean "windows-1252"\?$'):
        decode(b"a", "windos-1252", "file")


@pytest.mark.parametrize("codec", ["base64", "rot13", "idna", "undefined"])
def test_codec_that_does_not_decode_text_is_refused(codec: str) -> None:
    with pytest.raises(InvalidInput, match="is not known"):
        decode(b"YQ==", codec, "file")


def test_long_word_without_letters_beyond_ascii_does_not_delay_detection() -> None:
    """Takes hours where each letter of a word is tried as the start of another one."""
    text = f"café {'a' * 150_000} déjà vu à l'été, très naïf et sûr"
    assert text.encode("cp1252").decode(detect(text.encode("cp1252"))) == text


@pytest.mark.parametrize(("second", "name"), [("cp1252", "windows-1252"), ("cp1250", "cp1250"), ("cp850", "cp850")])
def test_lines_in_utf_8_and_another_charset_are_read_and_both_are_named(second: str, name: str) -> None:
    other = "Dvě děti čekají\n" if second == "cp1250" else "Vier Bären fressen Äpfel\n"
    first = "Žlutý kůň\n" if second == "cp1250" else "Größere Bäume\n"
    assert decode(first.encode() + other.encode(second), "auto", "file") == (first + other, f"utf-8 and {name}")


def test_charset_that_a_page_declares_is_that_of_its_other_lines_only() -> None:
    page = '<meta charset="windows-1252"><p>Größere Bäume</p>\n'
    text, name = decode(page.encode("cp1252") + "<p>Café à Orléans</p>\n".encode(), "auto", "file")
    assert (text, name) == (page + "<p>Café à Orléans</p>\n", "utf-8 and windows-1252")


def test_given_encoding_is_that_of_all_lines() -> None:
    with pytest.raises(InvalidInput, match=r"^file: byte 0xe4 at offset 17 is not utf-8; set encoding\.$"):
        decode("Größere Bäume\n".encode() + "ä\n".encode("cp1252"), "utf-8", "file")


@pytest.mark.parametrize("text", ["Ada\0", "name;city\n\0\0\0", "a\0b\0\0c", "Größe\0\0"])
def test_zero_bytes_between_letters_are_not_utf_16(text: str) -> None:
    assert decode(text.encode(), "auto", "file") == (text, "utf-8")


def test_table_names_both_charsets_of_its_lines() -> None:
    content = "Ort;Fluss\nKöln;Rhein\n".encode() + "Nürnberg;Pegnitz\n".encode("cp1252")
    table = mediakit.data_convert(content, to="json")
    assert [row["Ort"] for row in table.data] == ["Köln", "Nürnberg"]
    assert table.meta["encoding"] == "utf-8 and windows-1252"
