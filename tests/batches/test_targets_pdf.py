"""One merged PDF as the target of a batch."""

import csv
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pypdf
import pytest
from PIL import Image

from mediakit.batches.targets import open_target
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets.target import Target
from mediakit.errors import InvalidInput


def document() -> Any:
    return pymupdf.open()  # type: ignore[no-untyped-call]


def pdf(*texts: str) -> bytes:
    with document() as opened:
        for text in texts:
            opened.new_page(width=300, height=200).insert_text((20, 100), text)
        return bytes(opened.tobytes())


def png() -> bytes:
    target = BytesIO()
    Image.new("RGB", (60, 40), "red").save(target, "PNG")
    return target.getvalue()


def add(
    target: Target, row: int, name: str, content: bytes, mime_type: str = "application/pdf", *, key: str = "k"
) -> None:
    file = f"{name}.{mime_type.rpartition('/')[2]}"
    target.store.write(file, content)
    target.manifest.add(Record(row, name, key, file, mime_type, len(content), sha256(content).hexdigest()))


def keep(target: Target, row: int, name: str) -> None:
    found = target.manifest.find(name, "k")
    assert found is not None
    target.manifest.add(replace(found, row=row))


def contents(path: Path) -> list[tuple[str, list[str]]]:
    """Return the title of each bookmark of the first level, and the texts of its pages."""
    reader = pypdf.PdfReader(path)
    entries = [entry for entry in reader.outline if not isinstance(entry, list)]
    starts = [reader.get_destination_page_number(entry) or 0 for entry in entries]
    texts = [page.extract_text().strip() for page in reader.pages]
    ends = [*starts[1:], len(texts)]
    return [(str(entry.title), texts[a:b]) for entry, a, b in zip(entries, starts, ends, strict=True)]


def test_pdf_has_the_pages_and_a_bookmark_of_each_row(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.pdf", title="Certificates")
    target.open()
    add(target, 2, "Łódź/zoë", pdf("second", "second, page 2"))
    add(target, 1, "=first", pdf("first"))
    target.manifest.add(Record(3, "third", error="data: must not be empty."))
    add(target, 4, "photo", png(), "image/png")
    target.finish()
    found = contents(tmp_path / "all.pdf")
    assert found == [("=first", ["first"]), ("Łódź/zoë", ["second", "second, page 2"]), ("photo", [""])]
    assert pypdf.PdfReader(tmp_path / "all.pdf").metadata.title == "Certificates"  # type: ignore[union-attr]
    with (tmp_path / "all.report.csv").open(encoding="utf-8", newline="") as file:
        assert [(row["name"], row["error"]) for row in csv.DictReader(file)][2] == ("third", "data: must not be empty.")
    assert (tmp_path / "all.pdf.parts").exists()


def test_more_rows_than_one_merge_takes_keep_their_order(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.pdf")
    target.open()
    page = pdf("page")
    for row in range(1, 121):
        add(target, row, f"n{row}", pdf(f"row {row}") if row % 50 == 1 else page)
    target.finish()
    found = contents(tmp_path / "all.pdf")
    assert [title for title, _ in found] == [f"n{row}" for row in range(1, 121)]
    assert [texts for _, texts in found] == [[f"row {row}" if row % 50 == 1 else "page"] for row in range(1, 121)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.pdf", "all.report.csv", "all.report.jsonl"]
    assert [record.row for record in target.manifest.records()] == list(range(1, 121))
    assert pypdf.PdfReader(tmp_path / "all.pdf").metadata.title == "all"  # type: ignore[union-attr]


def test_equal_images_are_stored_once(tmp_path: Path) -> None:
    photo = BytesIO()
    Image.effect_noise((300, 300), 90).save(photo, "JPEG", quality=90)
    with document() as opened:
        opened.new_page(width=300, height=300).insert_image((0, 0, 300, 300), stream=photo.getvalue())
        page = bytes(opened.tobytes())
    target = open_target(tmp_path / "all.pdf")
    target.open()
    for row in range(1, 71):
        add(target, row, str(row), page)
    target.finish()
    assert (tmp_path / "all.pdf").stat().st_size < 3 * len(page)


def test_unchanged_pages_come_from_the_earlier_pdf(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.pdf")
    target.open()
    for row, name in enumerate("abc", 1):
        add(target, row, name, pdf(f"{name} 1", f"{name} 2"))
    add(target, 4, "photo", png(), "image/png")
    target.finish()
    target = open_target(tmp_path / "all.pdf")
    target.open()
    assert target.manifest.find("photo", "k") is None
    keep(target, 1, "c")
    add(target, 2, "b", pdf("changed"), key="new")
    keep(target, 3, "a")
    target.finish()
    assert contents(tmp_path / "all.pdf") == [("c", ["c 1", "c 2"]), ("b", ["changed"]), ("a", ["a 1", "a 2"])]


def test_pdf_that_does_not_fit_its_report_is_not_taken_apart(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.pdf")
    target.open()
    add(target, 1, "a", pdf("a"))
    target.finish()
    for content in (pdf("other"), b"no pdf"):
        (tmp_path / "all.pdf").write_bytes(content)
        target.open()
        assert target.manifest.find("a", "k") is None
        target.abandon()
        (tmp_path / "all.pdf.parts/report.jsonl").unlink()


def test_file_that_cannot_be_a_page_is_refused_with_its_first_row(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.pdf")
    target.open()
    with pytest.raises(InvalidInput, match=r'but row 1 is an SVG image\. Choose .* format="png"'):
        add(target, 1, "a", b"<svg/>", "image/svg+xml")
    target.abandon()


def test_damaged_file_is_named_and_parts_are_kept(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.pdf")
    target.open()
    add(target, 1, "a", pdf("a"))
    add(target, 2, "b", b"%PDF-1.7 broken")
    with pytest.raises(InvalidInput, match=r'^to: row 2, "b", cannot be merged: it is a damaged PDF'):
        target.finish()
    assert not (tmp_path / "all.pdf").exists()
    target.open()
    assert target.manifest.find("a", "k") is not None
    target.abandon()


def test_file_of_a_row_cannot_be_read_from_the_finished_pdf(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.pdf")
    target.open()
    add(target, 1, "a", pdf("a"))
    target.finish()
    with pytest.raises(FileNotFoundError, match=r"a\.pdf is part of .*all\.pdf"):
        target.read("a.pdf")
    with pikepdf.open(tmp_path / "all.pdf") as merged:
        assert not merged.check_pdf_syntax()
