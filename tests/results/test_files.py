"""`ZipResult`: a sequence of files in Python, a ZIP file over HTTP."""

import base64
import io
import json
import time
import warnings
import zipfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pypdf
import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult, ImageResult, PdfResult, ZipResult
from mediakit.samples import LANDSCAPE
from tests.conftest import Api, open_api
from tests.support.file_tools import many_files, pack_files
from tests.support.pdf_kit import plain, texts


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(pack_files, many_files)):
        yield api


def pdf(name: str, text: str) -> PdfResult:
    result = PdfResult(plain(text=text), "application/pdf")
    result.filename = name
    return result


def png(name: str, size: int = 8) -> ImageResult:
    target = io.BytesIO()
    Image.new("RGB", (size, size), "red").save(target, "PNG")
    result = ImageResult(target.getvalue(), "image/png")
    result.filename = name
    return result


def several() -> ZipResult[FileResult]:
    files = [pdf("été 東京.pdf", "one"), png("b.png"), FileResult(b"a,b\n" * 100, "text/csv", "c.csv")]
    return ZipResult(files, "all.zip", {"parts": 3})


def opened(content: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(content))


def test_result_is_sequence_of_results() -> None:
    result = several()
    assert isinstance(result, Sequence)
    assert len(result) == 3
    assert result.names == ["été 東京.pdf", "b.png", "c.csv"] == [each.filename for each in result]
    assert result[-1].file.startswith(b"a,b")
    assert [each.filename for each in result[1:]] == ["b.png", "c.csv"]
    assert result[1] in result
    with pytest.raises(IndexError):
        result[3]


def test_result_is_found_by_name() -> None:
    assert isinstance(several()["été 東京.pdf"], PdfResult)
    with pytest.raises(KeyError, match=r'"missing\.pdf" is not the name of a file; names are "été 東京\.pdf"'):
        several()["missing.pdf"]
    with pytest.raises(IndexError, match="9 is too large; there are 3 results, numbered from 0"):
        several()[9]


def test_zip_has_files_in_order_with_utf8_names() -> None:
    with opened(several().content) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == several().names
        assert archive.infolist()[0].flag_bits & 0x800
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.read("c.csv") == b"a,b\n" * 100
        assert texts(archive.read("été 東京.pdf"))[0].strip().startswith("one")


def test_zip_stores_compressed_formats_and_deflates_text() -> None:
    svg = mediakit.qr("hi", format="svg")
    svg.filename = "code.svg"
    with opened(ZipResult([*several(), svg], "all.zip").content) as archive:
        kinds = {entry.filename: entry.compress_type for entry in archive.infolist()}
    stored, deflated = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
    assert kinds == {"été 東京.pdf": stored, "b.png": stored, "c.csv": deflated, "code.svg": deflated}


def test_zip_of_same_files_has_same_bytes_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    files = list(several())
    first = ZipResult(files, "all.zip").content
    monkeypatch.setattr(time, "time", lambda: 2e9)
    assert ZipResult(files, "all.zip").content == first


@pytest.mark.parametrize("names", [("a.txt", "a.txt"), ("a/x.txt", "b/x.txt"), ("", "a.txt"), ("..", "a.txt")])
def test_files_without_own_name_are_rejected(names: Sequence[str]) -> None:
    with pytest.raises(ValueError, match="every file needs its own name, got"):
        ZipResult([FileResult(b"x", "text/plain", name) for name in names], "all.zip")


def test_result_of_no_files_is_empty_zip() -> None:
    none: ZipResult[FileResult] = ZipResult([], "none.zip")
    assert (len(none), none.names, opened(none.content).namelist()) == (0, [], [])
    assert none._facts() == "0 files"


def test_save_writes_files_into_folder(tmp_path: Path) -> None:
    for folder in (tmp_path / "new" / "parts", tmp_path / "results.v2"):
        assert several().save(folder) == folder
        assert sorted(path.name for path in folder.iterdir()) == sorted(several().names)
        assert (folder / "c.csv").read_bytes() == b"a,b\n" * 100
        with Image.open(folder / "b.png") as image:
            assert image.size == (8, 8)


def test_save_never_writes_outside_folder(tmp_path: Path) -> None:
    names = ("../up.txt", "/etc/mediakit.txt", "a/b/deep.txt")
    ZipResult([FileResult(b"x", "text/plain", name) for name in names], "x.zip").save(tmp_path / "in")
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == ["deep.txt", "mediakit.txt", "up.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_save_with_zip_extension_writes_archive(tmp_path: Path) -> None:
    saved = several().save(tmp_path / "new" / "all.ZIP")
    with zipfile.ZipFile(saved) as archive:
        assert archive.namelist() == several().names


def test_save_rejects_file_and_extension_of_another_format(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"x")
    for name in ("taken", "all.pdf"):
        with pytest.raises(InvalidInput, match=r"path: must be a folder or end with \.zip, got "):
            several().save(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_envelope_has_zip_filename_and_mime_type() -> None:
    body = json.loads(several().envelope({"used": 1}))
    assert list(body) == ["success", "file", "mime_type", "filename", "meta"]
    assert (body["filename"], body["mime_type"]) == ("all.zip", "application/zip")
    assert base64.b64decode(body["file"]) == several().content
    assert body["meta"] == {"size_bytes": len(several().content), "parts": 3, "used": 1}


def test_from_envelope_returns_equal_result_with_classes_of_files() -> None:
    made: ZipResult[FileResult] = ZipResult.from_envelope(
        json.loads(several().envelope({"used": 1, "remaining": 2, "unlimited": False}))
    )
    assert made == several()
    assert (made.filename, made.meta, made.names) == ("all.zip", several().meta, several().names)
    assert [type(each) for each in made] == [PdfResult, ImageResult, FileResult]
    assert [each.file for each in made] == [each.file for each in several()]


def test_from_envelope_keeps_archive_with_unregistered_media_types() -> None:
    odd = ZipResult([FileResult(b"x" * 100, "image/x-odd", "a.odd")], "all.zip")
    assert ZipResult.from_envelope(json.loads(odd.envelope())).content == odd.content


def test_display_is_gallery_with_escaped_names() -> None:
    hostile = "<script>.png"
    data, _ = ZipResult([png(hostile), FileResult(b"x", "text/csv", "c.csv")], "all.zip")._repr_mimebundle_()
    shown = data["text/html"]
    assert "<script" not in shown
    assert "&lt;script&gt;.png" in shown
    assert "8 × 8" in shown
    assert "CSV · 1 B" in shown
    assert shown.count("data:image/webp;base64,") == 1
    assert data["text/plain"].startswith("<ZipResult 2 files, ")


def test_display_of_pdf_has_thumbnail_and_pages() -> None:
    shown = ZipResult([pdf("a.pdf", "x")], "all.zip")._repr_mimebundle_()[0]["text/html"]
    assert "PDF · 1 page" in shown
    assert "data:image/webp;base64," in shown


def test_pdf_merge_takes_result_as_its_files() -> None:
    parts = ZipResult([pdf("one.pdf", "first"), pdf("two.pdf", "second")], "parts.zip")
    for files in (parts, list(parts), parts[:]):
        merged = mediakit.pdf_merge(files)
        reader = pypdf.PdfReader(io.BytesIO(merged.content))
        assert ["first" in page.extract_text() for page in reader.pages] == [True, False]
        assert [entry["/Title"] for entry in reader.outline] == ["one", "two"]  # type: ignore[call-overload]


@pytest.mark.anyio
async def test_http_response_is_zip_with_every_output(api: Api) -> None:
    form = [("files", ("a.txt", b"one")), ("files", ("é.txt", b"two"))]
    response = await api.post("/pack-files", files=form)
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["content-disposition"] == 'inline; filename="files.zip"'
    with opened(response.content) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"a.txt": b"one", "é.txt": b"two"}
    assert json.loads(response.headers["x-mediakit-meta"])["count"] == 2
    link = (await api.post("/pack-files?output=url", files=form)).json()
    assert (await api.http.get(link["url"])).content == response.content


@pytest.mark.anyio
async def test_client_result_is_input_of_next_tool(api: Api) -> None:
    async with api.client() as client:
        packed = await client.call(pack_files, [FileResult(b"one", "text/plain", "a.txt")])
        again = await client.call(many_files, packed)
    assert packed.names == ["a.txt"]
    assert packed == pack_files([FileResult(b"one", "text/plain", "a.txt")])
    assert [file["content"] for file in again.values["files"]] == ["one"]


def test_archive_is_written_without_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert several().content


def test_damaged_files_of_an_archive_are_shown_with_their_names() -> None:
    damaged = {"a.pdf": b"%PDF-1.7 cut", "b.jpg": b"\xff\xd8\xff cut", "c.svg": b"<svg", "d.webp": _cut_webp()}
    files = mediakit.unzip(mediakit.zip(damaged))
    assert files.names == list(damaged)
    for file in files:
        size = len(damaged[file.filename])
        assert f"{size} B" in repr(file)
        assert file.filename in file._repr_mimebundle_()[0]["text/html"]
    assert "PDF · 12 B" in mediakit.gallery(files)._repr_html_()
    for index, read in ((0, "pages"), (1, "width"), (2, "width")):
        with pytest.raises(InvalidInput, match=r"^content: the (image|PDF) is damaged and cannot be read\.$"):
            getattr(files[index], read)


def _cut_webp() -> bytes:
    """Return an image whose header can be read and whose pixels cannot."""
    content = mediakit.images(LANDSCAPE, width=200, format="webp").content
    return content[: len(content) // 2]


def test_text_in_another_charset_is_an_error_that_names_the_way() -> None:
    file = mediakit.unzip(mediakit.zip({"a.txt": "Cádiz".encode("latin-1")}))[0]
    with pytest.raises(
        InvalidInput, match=r"^text: a\.txt is not UTF-8; mediakit\.text_repair reads other charsets\.$"
    ):
        _ = file.text
