"""`FileResult`: envelope, text, saving and notebook display."""

import base64
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from lxml.html import fragment_fromstring

from mediakit.display.documents import MAX_SHOWN_CHARACTERS
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from tests.conftest import Api, open_api
from tests.support.file_tools import one_file, text_file


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(text_file, one_file)):
        yield api


def note(text: str = "hello") -> FileResult:
    return FileResult(text.encode(), "text/plain", "note.txt", {"words": 1})


def html_of(result: FileResult) -> str:
    data, _ = result._repr_mimebundle_()
    return str(data["text/html"])


@pytest.mark.anyio
async def test_envelope_has_file_filename_and_mime_type(api: Api) -> None:
    body = (await api.json("/text-file", {"text": "héllo", "filename": "é.txt"})).json()
    assert list(body) == ["success", "file", "mime_type", "filename", "meta"]
    assert base64.b64decode(body["file"]).decode() == "héllo"
    assert (body["filename"], body["mime_type"]) == ("é.txt", "text/plain")
    assert body["meta"] == {"size_bytes": 6, "words": 1, "used": 1, "remaining": None, "unlimited": True} | {
        name: body["meta"][name] for name in ("remaining", "unlimited")
    }


@pytest.mark.anyio
async def test_binary_response_has_file_name_in_content_disposition(api: Api) -> None:
    sent = {"text": "x", "output": "binary"}
    response = await api.json("/text-file", {**sent, "filename": "a.txt"})
    assert (response.content, response.headers["content-disposition"]) == (b"x", 'inline; filename="a.txt"')
    response = await api.json("/text-file", {**sent, "filename": 'é"\r\nx: y.txt'})
    assert response.status_code == 200
    assert "x" not in response.headers
    assert response.headers["content-disposition"].endswith("filename*=UTF-8''%C3%A9%22%0D%0Ax%3A%20y.txt")


@pytest.mark.anyio
async def test_link_serves_file_with_its_name(api: Api) -> None:
    link = (await api.json("/text-file", {"text": "x", "filename": "a.txt", "output": "url"})).json()
    found = await api.http.get(link["url"])
    assert (found.content, found.headers["content-disposition"]) == (b"x", 'inline; filename="a.txt"')


@pytest.mark.anyio
async def test_client_returns_equal_result_with_name(api: Api) -> None:
    async with api.client() as client:
        made = await client.call(text_file, "hello world", "a.txt")
        again = await client.call(one_file, made)
    assert (made.filename, made.text, made.meta) == ("a.txt", "hello world", {"size_bytes": 11, "words": 2})
    assert made == text_file("hello world", "a.txt")
    assert again.values["files"] == [{"name": "a.txt", "content": "hello world", "size": 11}]


def test_from_envelope_drops_usage_of_account() -> None:
    made = FileResult.from_envelope(json.loads(note().envelope({"used": 1, "remaining": 2, "unlimited": False})))
    assert (made, made.filename, made.meta) == (note(), "note.txt", {"size_bytes": 5, "words": 1})


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [
        ("é".encode(), "text/plain"),
        ("é".encode(), "text/csv; charset=utf-8"),
        ("é".encode(), "application/json"),
        ("é".encode(), "text/x-unknown"),
        (b"\xef\xbb\xbf\xc3\xa9", "text/plain"),
    ],
)
def test_text_returns_text_of_text_file(content: bytes, mime_type: str) -> None:
    assert FileResult(content, mime_type, "a").text == "é"


@pytest.mark.parametrize("mime_type", ["application/pdf", "image/svg+xml", "application/x-unknown", ""])
def test_text_of_other_file_raises(mime_type: str) -> None:
    with pytest.raises(InvalidInput, match=r"^text: a\.bin is not a text file; use \.content\.$"):
        _ = FileResult(b"x", mime_type, "a.bin").text


def test_save_writes_file_and_adds_missing_extension(tmp_path: Path) -> None:
    assert note().save(tmp_path / "new" / "a").read_bytes() == b"hello"
    assert (tmp_path / "new" / "a.txt").is_file()
    assert note().save(str(tmp_path / "b.log")).read_bytes() == b"hello"


def test_save_into_folder_uses_name_of_file(tmp_path: Path) -> None:
    assert note().save(tmp_path) == tmp_path / "note.txt"
    assert (tmp_path / "note.txt").read_bytes() == b"hello"


@pytest.mark.parametrize("name", ["../../up.txt", "/etc/up.txt", "a/b/up.txt"])
def test_save_into_folder_never_leaves_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    saved = FileResult(b"x", "text/plain", name).save(tmp_path / "in")
    assert saved == tmp_path / "in" / "up.txt"


@pytest.mark.parametrize("name", ["", "..", "."])
def test_save_into_folder_without_name_raises(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match="is a folder; add a file name"):
        FileResult(b"x", "text/plain", name).save(tmp_path)


def test_save_rejects_extension_of_another_format(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"path: the file is named \.pdf, but the result is TXT"):
        note().save(tmp_path / "a.pdf")
    assert not list(tmp_path.iterdir())


def test_display_escapes_name_and_text() -> None:
    hostile = '"><script>alert(1)</script>'
    shown = html_of(FileResult(f"<b>{hostile}".encode(), "text/markdown", hostile))
    assert "<script" not in shown
    assert "<b>&#34;" in shown
    assert "&lt;b&gt;&#34;&gt;&lt;script&gt;" in shown
    assert set(re.findall(r"<(\w+)", shown)) == {"div", "b", "span", "a", "pre"}


def test_html_file_is_shown_as_page_without_scripts() -> None:
    source = '<p title="a">\'"></iframe><script>alert(1)</script>'
    shown = html_of(FileResult(source.encode(), "text/html", 'a".html'))

    assert set(re.findall(r"<(\w+)", shown)) == {"div", "b", "span", "a", "iframe"}
    frame = fragment_fromstring(shown).find("iframe")
    assert frame is not None
    assert (frame.get("sandbox"), frame.get("srcdoc"), frame.get("title")) == ("", source, 'a".html')


def test_large_html_file_is_shown_as_its_source() -> None:
    assert "<iframe" not in html_of(FileResult(b"<p>" + b"a" * 1_000_000, "text/html", "a.html"))


def test_display_has_name_size_and_download_link() -> None:
    shown = html_of(FileResult(b"\0" * 1400, "application/zip", "a.zip"))
    assert "<b>a.zip</b>" in shown
    assert "1.4 kB" in shown
    assert '<a download="a.zip" href="data:application/zip;base64,AAAA' in shown
    assert "<pre" not in shown


def test_display_cuts_long_text() -> None:
    shown = html_of(note("é" * (MAX_SHOWN_CHARACTERS + 1)))
    assert shown.count("é") == MAX_SHOWN_CHARACTERS
    assert "…</pre>" in shown
    assert "…</pre>" not in html_of(note("é" * MAX_SHOWN_CHARACTERS))


def test_display_of_text_in_another_encoding_does_not_raise() -> None:
    assert "caf\ufffd" in html_of(FileResult("café".encode("latin-1"), "text/plain", "a.txt"))


def test_display_of_large_file_has_no_download_link() -> None:
    shown = html_of(FileResult(b"\0" * 3_000_000, "application/zip", "big.zip"))
    assert len(shown) < 5000
    assert ".save(&#39;big.zip&#39;)" in shown


def test_repr_has_name_and_size() -> None:
    assert repr(note()) == "<FileResult note.txt, 5 B>"
