"""A contact sheet as the target of a batch."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image

from mediakit.batches.targets import open_target, sheet
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets.sheet import grid
from mediakit.errors import InvalidInput

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90" fill="#00f"/></svg>'

RED, GREEN, BLUE, GRAY = (255, 0, 0), (0, 128, 0), (0, 0, 255), (229, 231, 235)

MIN_AREA = 20
"""Number of squares of 10 by 10 pixels."""


def image(color: str, kind: str = "PNG", size: tuple[int, int] = (90, 90)) -> bytes:
    target = BytesIO()
    Image.new("RGB", size, color).save(target, kind)
    return target.getvalue()


def pdf() -> bytes:
    document: Any
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        page = document.new_page(width=90, height=90)
        page.draw_rect((0, 0, 90, 90), color=(0, 0, 1), fill=(0, 0, 1))
        document.new_page()
        return bytes(document.tobytes())


def made(path: Path, rows: list[tuple[bytes, str] | None]) -> Image.Image:
    """Return the sheet of a batch with these files; a row without a file has failed."""
    target = open_target(path)
    target.open()
    for row, made in enumerate(rows, 1):
        if made is None:
            target.manifest.add(Record(row, f"row {row}", error="data: must not be empty."))
            continue
        content, kind = made
        target.store.write(f"{row}.bin", content)
        target.manifest.add(Record(row, f"row {row}", "key", f"{row}.bin", kind, len(content)))
    target.finish()
    with Image.open(path) as opened:
        opened.load()
        return opened


def areas(sheet: Image.Image) -> list[tuple[int, int, int]]:
    """Return the colors that fill large parts of the sheet, from the left to the right and the top to the bottom."""
    small = sheet.convert("RGB").resize((sheet.width // 10, sheet.height // 10), Image.Resampling.BOX)
    found: dict[tuple[int, int, int], int] = {}
    for y in range(small.height):
        for x in range(small.width):
            color = small.getpixel((x, y))
            assert isinstance(color, tuple)
            for known in (RED, GREEN, BLUE, GRAY):
                if _is_near(color[:3], known):
                    found[known] = found.get(known, 0) + 1
    return [color for color, count in found.items() if count >= MIN_AREA]


def _is_near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < 4


def test_sheet_shows_images_and_first_pages_in_the_order_of_the_rows(tmp_path: Path) -> None:
    rows = [(image("red"), "image/png"), (image("green", "WEBP"), "image/webp"), (pdf(), "application/pdf")]
    sheet = made(tmp_path / "all.png", list(rows))
    assert areas(sheet) == [RED, GREEN, BLUE]
    assert sheet.format == "PNG"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.png", "all.report.csv", "all.report.jsonl"]


def test_failed_rows_and_other_files_are_shown_without_an_image(tmp_path: Path) -> None:
    rows = [(SVG, "image/svg+xml"), None, (b"a,b", "text/csv"), (b"broken", "image/png")]
    sheet = made(tmp_path / "all.webp", rows)
    assert set(areas(sheet)) == {BLUE, GRAY}
    assert sheet.format == "WEBP"
    assert (tmp_path / "all.webp.parts").exists()


@pytest.mark.parametrize("file", ["all.jpg", "all.jpeg", "ALL.JPG"])
def test_sheet_of_one_row_is_a_jpeg(tmp_path: Path, file: str) -> None:
    sheet = made(tmp_path / file, [(image("red", size=(900, 600)), "image/png")])
    assert (sheet.format, areas(sheet)) == ("JPEG", [RED])


def test_more_rows_than_a_sheet_holds_make_further_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "MAX_CELLS", 2)
    colors = ["red", "red", "green", "green", "blue"]
    made(tmp_path / "all.png", [(image(color), "image/png") for color in colors])
    found = {path.name: areas(Image.open(path)) for path in tmp_path.glob("*.png")}
    assert found == {"all.png": [RED], "all-2.png": [GREEN], "all-3.png": [BLUE]}


def test_names_are_drawn_below_the_images(tmp_path: Path) -> None:
    texts = []
    for name in ("a", "a name", "東京", "محمد"):
        target = open_target(tmp_path / "all.png", title="Title")
        target.open()
        content = image("red")
        target.store.write("a.png", content)
        target.manifest.add(Record(1, name, name, "a.png", "image/png", len(content)))
        target.finish()
        with Image.open(tmp_path / "all.png") as sheet:
            caption = sheet.convert("L").crop((40, sheet.height - 76, sheet.width - 40, sheet.height - 40))
        texts.append(sum(value < 128 for value in caption.tobytes()))
    assert all(count > 20 for count in texts)
    assert len(set(texts)) == 4


@pytest.mark.parametrize("count", [1, 2, 7, 48, 399, 400])
@pytest.mark.parametrize("ratio", [0.5, 1.0, 1.45])
def test_grid_is_neither_wide_nor_high(count: int, ratio: float) -> None:
    columns, width = grid(count, ratio)
    rows = -(-count // columns)
    assert columns * rows - count < columns
    assert columns * width <= 3600
    assert width >= 150
    if count > 40:
        assert 0.6 < columns / (rows * (ratio + 0.25)) < 2


@pytest.mark.parametrize(("to", "words"), [("all.docx", "a Word document"), ("all.SVG", "an SVG image")])
def test_other_types_of_files_are_invalid(to: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^to: must be a folder, \.zip, \.pdf, .* got {words}\."):
        open_target(to)
