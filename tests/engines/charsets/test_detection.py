"""Charsets of texts."""

import pytest

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
