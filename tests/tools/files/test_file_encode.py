"""`file_encode`: the bytes of Python's and OpenSSL's encoders, and decoding of what people paste."""

import base64
import binascii
import gzip
import html
import quopri
import random
import shutil
import subprocess
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, get_args
from urllib.parse import quote

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LOGO, SALES
from mediakit.tools.files.file_encode.encodings import convert
from mediakit.tools.files.file_encode.tool import Encoding, FileEncodeRequest
from tests.conftest import Api


def refusal(file: bytes | None = None, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.file_encode(file, **options)
    return caught.value.message


def decoded(text: str, encoding: Encoding = "base64") -> bytes:
    return mediakit.file_encode(text=text, encoding=encoding, action="decode").content


def raw_deflate(content: bytes) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflate.compress(content) + deflate.flush()


PYTHON: dict[Encoding, Callable[[bytes], bytes]] = {
    "base64": base64.b64encode,
    "base64url": base64.urlsafe_b64encode,
    "base32": base64.b32encode,
    "base85": base64.a85encode,
    "hex": lambda content: content.hex().encode(),
    "data-uri": lambda content: b"data:application/x-test;base64," + base64.b64encode(content),
    "url": lambda content: quote(content, safe="").encode(),
    "html": lambda content: html.escape(content.decode()).encode(),
    "gzip": lambda content: gzip.compress(content, mtime=0),
    "zlib": lambda content: zlib.compress(content, 9),
    "deflate": raw_deflate,
    "brotli": lambda content: brotli.compress(content, quality=9),
}
"""Encoders of the standard library; quoted-printable is compared by its decoder."""


def coded(content: bytes, encoding: Encoding, action: Any = "encode", **options: Any) -> bytes:
    if (encoding, action) == ("data-uri", "encode"):
        options["mime_type"] = "application/x-test"
    return convert(FileEncodeRequest(content, encoding=encoding, action=action, **options)).content


def inputs(count: int) -> list[bytes]:
    """Return contents of many kinds and lengths, the same in every run."""
    source = random.Random(7)
    alphabets = (bytes(range(256)), b"ab \r\n\t=", "aé日😀&<\"'+%".encode(), b"\0\xff")
    return [
        bytes(source.choice(alphabets[number % 4]) for _ in range(source.randrange(1, 200))) for number in range(count)
    ]


@pytest.mark.parametrize("encoding", [name for name in get_args(Encoding) if name != "html"])
def test_thousand_inputs_return_from_every_encoding(encoding: Encoding) -> None:
    for content in inputs(1000):
        encoded = coded(content, encoding)
        assert coded(encoded, encoding, "decode") == content
        if encoding in PYTHON:
            assert encoded == PYTHON[encoding](content)
        else:
            assert quopri.decodestring(encoded) == content


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1), st.sampled_from(get_args(Encoding)))
def test_text_returns_from_every_encoding(text: str, encoding: Encoding) -> None:
    content = text.encode()
    encoded = coded(content, encoding)
    assert coded(encoded, encoding, "decode") == content
    if encoding in PYTHON:
        assert encoded == PYTHON[encoding](content)


@settings(max_examples=150, deadline=None)
@given(st.binary(min_size=1), st.sampled_from(get_args(Encoding)))
def test_any_bytes_are_decoded_or_refused(content: bytes, encoding: Encoding) -> None:
    with suppress(InvalidInput):
        assert isinstance(coded(content, encoding, "decode"), bytes)


@pytest.mark.skipif(not shutil.which("openssl"), reason="OpenSSL is not installed")
def test_wrapped_base64_has_the_bytes_of_openssl() -> None:
    for size in (1, 47, 48, 49, 1000):
        content = random.Random(size).randbytes(size)
        made = subprocess.run(["openssl", "base64"], input=content, capture_output=True, check=True).stdout
        assert mediakit.file_encode(content, wrap=64).content == made


def test_data_uri_has_the_media_type_of_the_content() -> None:
    uri = mediakit.file_encode(LOGO, encoding="data-uri")
    assert uri.text.startswith("data:image/png;base64,iVBOR")
    assert mediakit.file_encode(LOGO, encoding="data-uri", mime_type="image/x-mine").text.startswith(
        "data:image/x-mine;"
    )
    back = mediakit.file_encode(uri, encoding="data-uri", action="decode")
    assert (back.content, back.mime_type, back.filename) == (LOGO.read_bytes(), "image/png", "logo.png")


@pytest.mark.parametrize(
    ("text", "encoding", "content"),
    [
        ("SGVs\n bG8", "base64", b"Hello"),
        ("\ufeffSGVsbG8=\r\n", "base64", b"Hello"),
        ("__-_", "base64", b"\xff\xff\xbf"),
        ("//+/", "base64url", b"\xff\xff\xbf"),
        ("jbswy3dp", "base32", b"Hello"),
        ("<~87cURDZ~>", "base85", b"Hello"),
        ("0x48:65-6C 6c\t6F", "hex", b"Hello"),
        ("data:,Hi%20there", "data-uri", b"Hi there"),
        ("DATA:text/plain;charset=utf-8;base64,SGk", "data-uri", b"Hi"),
        ("a+b%C3%A9", "url", b"a+b\xc3\xa9"),
        ("&lt;b&gt; &eacute; &#x1F600;", "html", "<b> é 😀".encode()),
        ("a=3D=\r\nb", "quoted-printable", b"a=b"),
    ],
)
def test_pasted_text_is_decoded(text: str, encoding: Encoding, content: bytes) -> None:
    assert decoded(text, encoding) == content


def test_other_alphabet_of_base64_is_warned_of() -> None:
    result = mediakit.file_encode(text="__-_", action="decode")
    assert result.meta["warnings"] == ["The text is base64url, not base64; it was decoded as such."]


@pytest.mark.parametrize(
    ("text", "encoding", "message"),
    [
        ("SGVsbG8sIHdv!mxk", "base64", 'text: is not base64: character "!" at 12.'),
        ("SGVé", "base64", 'text: is not base64: character "é" at 3.'),
        ("SG=Vs", "base64", 'text: is not base64: character "=" at 2.'),
        ("SGVs\n\0G8", "base64", "text: is not base64: character U+0000 at 5."),
        ("SGVsb", "base64", "text: is not base64: it is cut; 5 characters do not make whole bytes."),
        ("+-", "base64", 'text: is not base64: character "-" at 1.'),
        ("A1", "base32", 'text: is not base32: character "1" at 1.'),
        ("AAA", "base32", "text: is not base32: it is cut; 3 characters do not make whole bytes."),
        ("abc|", "base85", 'text: is not base85: character "|" at 3.'),
        ("uuuuu", "base85", "text: is not base85: a group of 5 characters is too large, or has z inside."),
        ("12 3g", "hex", 'text: is not hex: character "g" at 4.'),
        ("123", "hex", "text: is not hex: the number of digits must be even, got 3."),
        ("a%2", "url", 'text: is not percent-encoded: character "%" at 1.'),
        ("a=ZZ", "quoted-printable", 'text: is not quoted-printable: character "=" at 1.'),
        ("hello", "data-uri", 'text: is not a data URI: it must begin with "data:" and have a comma.'),
        ('data:text/html;a="\r\nx: y",hi', "data-uri", "text: is not a data URI: its media type is not valid."),
        ("hello", "gzip", "text: is not gzip, or is damaged."),
    ],
)
def test_wrong_text_is_refused_with_the_place(text: str, encoding: Encoding, message: str) -> None:
    assert refusal(text=text, encoding=encoding, action="decode") == message


@pytest.mark.parametrize("encoding", ["gzip", "zlib", "deflate", "brotli"])
def test_cut_damaged_and_huge_content_is_refused(encoding: Encoding) -> None:
    packed = PYTHON[encoding](SALES.read_bytes())
    assert refusal(packed[:-9], encoding=encoding, action="decode").startswith(f"file: is not {encoding}")
    assert refusal(b"\xff" + packed, encoding=encoding, action="decode").startswith(f"file: is not {encoding}")
    bomb = PYTHON[encoding](bytes(21 * 1024 * 1024))
    assert refusal(bomb, encoding=encoding, action="decode") == "file: unpacks to more than 20 MB."


def test_content_of_exactly_20_mb_is_decoded() -> None:
    for encoding in ("gzip", "brotli"):
        packed = coded(bytes(20 * 1024 * 1024), encoding)
        assert len(coded(packed, encoding, "decode")) == 20 * 1024 * 1024


def test_compressed_file_has_no_time_and_no_name() -> None:
    packed = mediakit.file_encode(SALES, encoding="gzip")
    assert packed.content == mediakit.file_encode(SALES, encoding="gzip").content
    assert packed.content[3:8] == bytes(5)
    assert (packed.filename, packed.mime_type) == ("sales.csv.gz", "application/gzip")
    assert mediakit.file_encode(packed, encoding="gzip", action="decode").filename == "sales.csv"


def test_gzip_of_several_members_is_decoded() -> None:
    content = gzip.compress(b"one ") + gzip.compress(b"two") + bytes(10)
    assert mediakit.file_encode(content, encoding="gzip", action="decode").content == b"one two"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "file or text: exactly one of them is required."),
        ({"text": "x", "file": b"x"}, "file or text: exactly one of them is required."),
        (
            {"text": "x", "wrap": 8, "encoding": "url"},
            "wrap: requires action encode and encoding base64, base64url, base32, hex; got url.",
        ),
        ({"text": "x", "mime_type": "a/b"}, "mime_type: requires action encode and encoding data-uri, got base64."),
        (
            {"text": "x", "mime_type": "a/b\n", "encoding": "data-uri"},
            'mime_type: must be a media type such as "image/png", got "a/b\n".',
        ),
        ({"file": b"\xff", "encoding": "html"}, "file: must be UTF-8 text for html; byte 0xff at 0."),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    assert refusal(**options) == message


def test_text_is_returned_where_the_result_is_text() -> None:
    assert str(mediakit.file_encode(text="Hello")) == "SGVsbG8="
    binary = mediakit.file_encode(LOGO.read_bytes().hex().encode(), encoding="hex", action="decode")
    assert "text" not in binary.to_dict()
    with pytest.raises(InvalidInput, match="is not a text file"):
        binary.text  # noqa: B018  # the property raises
    long = mediakit.file_encode(bytes(800_000), encoding="hex")
    assert "text" not in long.to_dict()
    assert len(long.text) == 1_600_000


@pytest.mark.anyio
async def test_any_raw_body_is_encoded(api: Api) -> None:
    for kind in ("application/octet-stream", "image/png", "text/plain", "video/x-odd"):
        response = await api.raw("/file-encode", b"Hello", kind)
        assert (response.status_code, response.content) == (200, b"SGVsbG8="), response.text
        assert response.headers["content-type"].startswith("text/plain")


@pytest.mark.anyio
async def test_json_response_has_text_and_sizes(api: Api) -> None:
    body = (await api.json("/file-encode", {"text": "Hello", "encoding": "hex"})).json()
    assert (body["text"], body["filename"]) == ("48656c6c6f", "text.hex")
    assert (body["meta"]["size_bytes"], body["meta"]["original_bytes"]) == (10, 5)
    assert binascii.unhexlify(base64.b64decode(body["file"])) == b"Hello"
