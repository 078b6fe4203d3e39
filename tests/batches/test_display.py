"""What a notebook shows of a batch: thumbnails that are made once, and what data says."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pybase64
import pymupdf
import pytest
from PIL import Image

import mediakit
from mediakit.batches.targets.store import Store
from mediakit.display import images
from mediakit.samples import REPORT


def pdf(text: str, title: str = "") -> bytes:
    document: Any
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        page = document.new_page(width=200, height=400)
        page.draw_rect((0, 0, 200, 400), color=(0, 0, 1), fill=(0, 0, 1))
        page.insert_text((20, 40), text)
        document.set_metadata({"title": title})
        return bytes(document.tobytes())


def thumbnails(html: str) -> list[Image.Image]:
    found = re.findall(r"data:image/webp;base64,([\w+/=]+)", html)
    return [Image.open(BytesIO(pybase64.b64decode(each))).convert("RGB") for each in found]


def refuse(*_: object, **__: object) -> Any:
    pytest.fail("A file was read or drawn again.")


def test_thumbnails_of_pdfs_are_made_with_the_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {name: {"files": [pdf(name)]} for name in ("a", "b")}
    in_memory = mediakit.batch(mediakit.pdf_merge, rows)
    saved = mediakit.batch(mediakit.pdf_merge, rows, to=tmp_path / "out")
    again = mediakit.batch(mediakit.pdf_merge, rows, to=tmp_path / "out")
    assert again.unchanged_count == 2
    monkeypatch.setattr(images, "_open", refuse)
    monkeypatch.setattr(Store, "read", refuse)
    for made in (in_memory, saved, again):
        html = made._repr_html_()
        shown = thumbnails(html)
        assert [image.size for image in shown] == [(200, 400)] * 2
        assert all(image.getpixel((150, 300))[2] > 200 for image in shown)  # type: ignore[index]
        assert html.count("1 page ·") == 2


def test_thumbnails_of_rows_beyond_the_first_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.batches.calls.MAX_SHOWN", 0)
    made = mediakit.batch(mediakit.qr, ["tea", "milk"], to=tmp_path)
    first = made._repr_html_()
    assert len(thumbnails(first)) == 2
    monkeypatch.setattr(Store, "read", refuse)
    assert made._repr_html_() == first


@pytest.mark.parametrize("file", ["all.pdf", "all.png"])
def test_rows_of_a_finished_file_are_shown(file: str, tmp_path: Path) -> None:
    made = mediakit.batch(mediakit.qr, ["tea", "milk"], to=tmp_path / file)
    assert len(thumbnails(made._repr_html_())) == 2


def test_codes_that_were_read_are_shown(tmp_path: Path) -> None:
    address = f"https://example.com/{'a' * 60}"
    mediakit.batch(mediakit.qr, {"long": address, "amp": "a&b"}, to=tmp_path / "codes")
    Image.new("RGB", (50, 50)).save(tmp_path / "codes" / "none.png")
    html = mediakit.batch("code_reader", tmp_path / "codes" / "*.png")._repr_html_()
    assert address in html
    assert "a&amp;b" in html
    assert "no code" in html


def test_redactions_show_matches_and_whether_they_were_verified() -> None:
    files = {"both": {"file": pdf("Ada and Bob")}, "one": {"file": pdf("Ada Lovelace")}}
    html = mediakit.batch(mediakit.pdf_redact, files, words=["Ada", "Bob"])._repr_html_()
    assert "1 page, 2 matches, verified" in html
    assert "1 page, 1 match, not found: Bob, verified" in html
    searched = mediakit.batch(mediakit.pdf_redact, {"one": files["one"]}, words=["Ada", "Bob"], find_only=True)
    assert "1 match, not found: Bob" in searched._repr_html_()


def test_titles_of_documents_are_shown() -> None:
    html = mediakit.batch("document_to_markdown", {"report": REPORT, "x": pdf("text", "A <title>")})._repr_html_()
    assert "A &lt;title&gt;" in html


@pytest.mark.parametrize(
    ("tool", "row", "shown"),
    [
        ("validate_iban", {"values": "DE89370400440532013000"}, "1 of 1 valid"),
        ("image_info", {"file": mediakit.qr("a").content}, "PNG"),
        ("data_profile", {"file": b"a,b\n1,2\n3,4\n"}, "2 rows"),
        ("pdf_info", {"file": pdf("a")}, "1 page"),
    ],
)
def test_data_is_summarized(tool: str, row: dict[str, Any], shown: str) -> None:
    assert shown in mediakit.batch(tool, [row])._repr_html_()


def test_file_that_cannot_be_drawn_is_shown_without_an_image() -> None:
    locked = mediakit.pdf_protect(pdf("secret"), user_password="open sesame")
    shown = mediakit.batch(mediakit.pdf_protect, {"a": {"file": pdf("a")}}, user_password="open sesame")
    assert thumbnails(shown._repr_html_()) == thumbnails(mediakit.gallery({"locked": locked})._repr_html_()) == []
    assert images.file_thumbnail(b"%PDF-1.7 damaged", "application/pdf") == b""
    assert images.file_thumbnail(b"damaged", "image/png") == b""
