"""PDFs: page selection, rendering scale, and hostile files."""

import io
import math
from dataclasses import replace
from typing import Any

import pikepdf
import pymupdf
import pytest
from PIL import Image

import mediakit
import mediakit.tools.images.code_reader.tool as tool_module
from mediakit.errors import InvalidInput
from tests.conftest import Api
from tests.support import worker_jobs
from tests.support.codes_kit import SAMPLES, pdf, png, symbol
from tests.support.pdf_kit import miscounted

AES_256 = 5
"""Constant of PyMuPDF."""


def empty_or_rejected(content: bytes) -> bool:
    """Return whether a file contains no codes or is rejected with an error about the file."""
    try:
        return not mediakit.code_reader(content).codes
    except InvalidInput as error:
        return str(error).startswith("file: ")


def numbered(count: int) -> bytes:
    return pdf(*(symbol("QRCode", f"page {number}") for number in range(1, count + 1)))


@pytest.mark.parametrize("count", [1_000_000, 3, 1, 0, -1])
def test_codes_are_read_where_the_page_tree_states_a_wrong_number_of_pages(count: int) -> None:
    with pikepdf.open(io.BytesIO(numbered(2))) as document:
        content = miscounted(document, count)
    assert [code.text for code in mediakit.code_reader(content)] == ["page 1", "page 2"]


def test_codes_of_every_page_are_returned_with_page_numbers() -> None:
    found = mediakit.code_reader(pdf(symbol("QRCode"), None, symbol("EAN13")))
    assert [(code.page, code.text) for code in found] == [(1, SAMPLES["QRCode"]), (3, SAMPLES["EAN13"])]
    assert found.meta["pages_read"] == [1, 2, 3]
    assert found.meta["kind"] == "pdf"


@pytest.mark.parametrize("scale", [1.0, 2.0, 4.0])
def test_positions_are_pixels_at_the_requested_scale(scale: float) -> None:
    found = mediakit.code_reader(pdf(symbol("QRCode"), width=200), scale=scale)
    box = found[0].box
    assert (found.meta["width"], found.meta["height"]) == (round(595 * scale), round(842 * scale))
    assert 100 * scale < box.x < 160 * scale
    assert box.width == pytest.approx(200 * scale * 25 / (25 + 24), rel=0.12)


def test_small_code_is_read_at_a_finer_scale() -> None:
    content = pdf(symbol("QRCode"), width=32)
    found = mediakit.code_reader(content, scale=1)
    assert found.texts == [SAMPLES["QRCode"]]
    assert 100 <= found[0].box.x <= 132


@pytest.mark.parametrize(
    ("pages", "read"),
    [("2", [2]), ("1-3,5", [1, 2, 3, 5]), (" 5 , 1 - 2 ", [1, 2, 5]), ("4-", [4, 5]), ("3,3,2-3", [2, 3])],
)
def test_pages_selects_each_page_once(pages: str, read: list[int]) -> None:
    found = mediakit.code_reader(numbered(5), pages=pages)
    assert found.meta["pages_read"] == read
    assert found.texts == [f"page {number}" for number in read]


@pytest.mark.parametrize("pages", ["0", "5-3", "-3", "1,,2", "x", "1;2", "", "1-2-3", "1.5", "²", "1," * 300])
def test_invalid_page_lists_are_rejected(pages: str) -> None:
    with pytest.raises(InvalidInput, match="pages: must"):
        mediakit.code_reader(numbered(5), pages=pages)


@pytest.mark.parametrize("pages", ["6", "1-1000000000", "4-6"])
def test_missing_pages_are_rejected(pages: str) -> None:
    with pytest.raises(InvalidInput, match="pages: the PDF has 5 pages, got"):
        mediakit.code_reader(numbered(5), pages=pages)


def test_more_than_20_pages_require_a_selection() -> None:
    small = symbol("QRCode", "x", module=2)
    assert mediakit.code_reader(pdf(*[small] * 20)).meta["pages_read"] == list(range(1, 21))
    many = pdf(*[small] * 21)
    with pytest.raises(InvalidInput, match="pages: is required, because the PDF has 21 pages"):
        mediakit.code_reader(many)
    with pytest.raises(InvalidInput, match="pages: must select at most 20 pages, got 21"):
        mediakit.code_reader(many, pages="1-21")
    assert mediakit.code_reader(many, pages="20-21").count == 2


@pytest.mark.parametrize("scale", [0.99, 4.01, math.nan, math.inf])
def test_scale_out_of_range_is_rejected(scale: float) -> None:
    with pytest.raises(InvalidInput, match="scale: must be"):
        mediakit.code_reader(numbered(1), scale=scale)


def encrypted(user: str) -> bytes:
    document: Any = pymupdf.open(stream=numbered(1), filetype="pdf")  # type: ignore[no-untyped-call]
    return bytes(document.tobytes(encryption=AES_256, user_pw=user, owner_pw="owner"))


def test_encrypted_pdf_is_rejected_unless_its_user_password_is_empty() -> None:
    with pytest.raises(InvalidInput, match=r"file: is encrypted\. Remove the password first"):
        mediakit.code_reader(encrypted("secret"))
    assert mediakit.code_reader(encrypted("")).texts == ["page 1"]


def test_pdf_after_leading_bytes_is_read() -> None:
    assert mediakit.code_reader(b"\r\n" * 100 + numbered(1)).texts == ["page 1"]


def page_of(box: str, content: bytes = b"", resources: bytes = b"<<>>", *more: bytes) -> bytes:
    """Return a PDF of one page; `more` are objects from number 5."""
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[{box}]/Contents 4 0 R/Resources ".encode() + resources + b">>",
        stream(content),
        *more,
    ]
    body = b"".join(b"%d 0 obj%s endobj\n" % (number, part) for number, part in enumerate(parts, 1))
    return b"%PDF-1.7\n" + body + b"trailer<</Root 1 0 R/Size %d>>\n%%%%EOF" % (len(parts) + 1)


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def test_recursive_pattern_is_rejected() -> None:
    tile = b"/Pattern cs /P scn 0 0 %d %d re f"
    entries = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep .001/YStep .001"
    own = stream(tile % (1, 1), entries + b"/Resources<</Pattern<</P 5 0 R>>>>")
    page = page_of("0 0 612 792", tile % (612, 792), b"<</Pattern<</P 5 0 R>>>>", own)
    with pytest.raises(InvalidInput, match=r"file: (is damaged|takes more)"):
        mediakit.code_reader(page)


@pytest.mark.parametrize("box", ["0 0 14400 14400", "0 0 1000000000 1000000000", "0 0 1000000 1000"])
def test_page_of_too_many_pixels_is_rejected(box: str) -> None:
    with pytest.raises(InvalidInput, match=r"file: page 1 would have \d+ megapixels"):
        mediakit.code_reader(page_of(box))


@pytest.mark.parametrize("box", ["0 0 -5 -5", "0 0 0 0", "nan nan nan nan", "0 0 1e-30 1", "a b"])
def test_page_of_invalid_size_is_empty_or_rejected(box: str) -> None:
    assert empty_or_rejected(page_of(box))


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.7",
        b"%PDF-1.7\n" + b"garbage " * 500,
        b"%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[2 0 R]/Count 9>>endobj trailer<</Root 1 0 R>>",
        b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj trailer<</Root 1 0 R>>",
        numbered(2)[:300],
        b"<html><!-- %PDF- --><body>hello</body></html>",
    ],
    ids=["head alone", "garbage", "loop", "no pages", "truncated", "html"],
)
def test_damaged_pdf_is_empty_or_rejected(content: bytes) -> None:
    assert empty_or_rejected(content)


@pytest.mark.parametrize("content", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"hello", b"PK\3\4zip", b"\0" * 100])
def test_other_formats_are_rejected(content: bytes) -> None:
    with pytest.raises(InvalidInput, match="file: is neither a PNG, JPEG, WebP, AVIF, GIF or TIFF image nor a PDF"):
        mediakit.code_reader(content)


def laughs(depth: int) -> bytes:
    """Return a PDF of nested forms, each of which draws the next one twice."""
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>",
        b"<</Length 4>>stream\n/F Do\nendstream",
    ]
    for number in range(5, 5 + depth):
        last = number == 4 + depth
        stream = b"0 0 9 9 re f" if last else b"/F Do /F Do"
        resources = b"" if last else b"/Resources<</XObject<</F %d 0 R>>>>" % (number + 1)
        head = b"<</Type/XObject/Subtype/Form/BBox[0 0 200 200]%s/Length %d>>" % (resources, len(stream))
        parts.append(head + b"stream\n" + stream + b"\nendstream")
    body = b"".join(b"%d 0 obj%s endobj\n" % (number, part) for number, part in enumerate(parts, 1))
    return b"%PDF-1.7\n" + body + b"trailer<</Root 1 0 R/Size 40>>\n%%EOF"


@pytest.mark.anyio
async def test_endless_pdf_times_out_and_the_next_is_read(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_module, "SCANNING", replace(tool_module.SCANNING, seconds=1.5))
    response = await api.raw("/code-reader", laughs(32), "application/pdf")
    assert response.status_code == 400
    assert response.json()["error"].startswith("file: takes more than")
    assert (await api.status())["used"] == 0
    monkeypatch.undo()
    after = await api.raw("/code-reader", numbered(1), "application/pdf")
    assert [code["text"] for code in after.json()["codes"]] == ["page 1"]


@pytest.mark.anyio
async def test_crashed_worker_is_an_error(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    worker_jobs.replace_jobs(monkeypatch, worker_jobs.crash)
    response = await api.raw("/code-reader", png(Image.new("L", (9, 9))), "image/png")
    assert (response.status_code, response.json()["error"]) == (400, "file: is damaged and cannot be decoded.")
