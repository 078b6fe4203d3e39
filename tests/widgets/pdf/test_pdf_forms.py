"""The forms of PDF tools: thumbnails that are reordered, boxes that are drawn, and positions that are chosen."""

import io
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pytest
from PIL import Image

import mediakit
from mediakit.engines.pdf.mupdf import thumbnails
from mediakit.engines.pdf.page_ranges import compact
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE, LOGO, REPORT
from mediakit.widgets import Form
from mediakit.widgets.tools.pdf import PagesForm
from tests.widgets.test_form import wait_for_update


def words(result: Any) -> list[str]:
    """Return the text of each page."""
    with pymupdf.open(stream=result.content) as pdf:  # type: ignore[no-untyped-call]
        return [page.get_text().strip() for page in pdf]


@pytest.fixture
def numbered(tmp_path: Path) -> Path:
    """Return a PDF of four A4 pages with their numbers, the last one rotated."""
    pdf: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    for number in range(1, 5):
        pdf.new_page().insert_text((72, 72), str(number))
    pdf[3].set_rotation(90)
    pdf.save(tmp_path / "numbered.pdf")
    return tmp_path / "numbered.pdf"


def loaded(form: Form[Any]) -> Form[Any]:
    """Wait for the result and the images of a form."""
    wait_for_update(form)
    update = form._page_update if isinstance(form, PagesForm) else form._image_update  # type: ignore[attr-defined]
    update.wait()
    return form


def sizes(images: list[bytes]) -> list[tuple[int, int]]:
    return [Image.open(io.BytesIO(image)).size for image in images]


@pytest.mark.parametrize(
    ("pages", "text"),
    [
        ([1, 2, 3], "1-3"),
        ([3, 1, 2, 2, 9, 8, 7], "3,1-2,2,9-7"),
        ([1, 2, 1], "1-2,1"),
        ([5], "5"),
        ([4, 4], "4,4"),
        ([], ""),
    ],
)
def test_page_range_keeps_order_and_repeats(pages: list[int], text: str) -> None:
    assert compact(pages) == text


def test_thumbnails_have_sizes_of_rotated_pages(numbered: Path) -> None:
    found = thumbnails(numbered.read_bytes(), None, 200, [0, 3, 9])
    assert found.count == 4
    assert sizes([page.content for page in found.pages]) == [(142, 200), (200, 142)]
    assert (round(found.pages[1].width), round(found.pages[1].height)) == (842, 595)


def test_thumbnails_of_encrypted_file_need_password(numbered: Path) -> None:
    with pikepdf.open(numbered) as pdf:
        pdf.save(locked := io.BytesIO(), encryption=pikepdf.Encryption(user="u", owner="o"))
    assert thumbnails(locked.getvalue(), "u", 100, [0, 1]).count == 4
    with pytest.raises(InvalidInput, match="is encrypted"):
        thumbnails(locked.getvalue(), None, 100, [0, 1])


def test_merge_form_shows_first_pages_and_follows_their_order(numbered: Path) -> None:
    form: Any = loaded(mediakit.form(mediakit.pdf_merge, files=[REPORT, LANDSCAPE, numbered]))
    cards = form._files.list
    assert [card["label"] for card in cards.cards] == ["report.pdf", "landscape.jpg", "numbered.pdf"]
    assert sizes(cards.images)[1] == (240, 150)
    cards.order = [2, 0]
    loaded(form)
    assert words(form.result)[0] == "1"
    assert len(words(form.result)) == 7
    assert {card["id"]: card["label"] for card in cards.cards} == {0: "report.pdf", 2: "numbered.pdf"}
    assert all(sizes(cards.images))
    assert "numbered.pdf" in form.code().partition("report.pdf")[0]


def test_file_that_cannot_be_read_has_a_card_without_image(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.pdf"
    damaged.write_bytes(b"%PDF-1.7\nnothing")
    form: Any = loaded(mediakit.form(mediakit.pdf_merge, files=[damaged, LANDSCAPE]))
    assert [bool(image) for image in form._files.list.images] == [False, True]


def test_later_moves_refer_to_the_same_files_when_the_kernel_is_behind() -> None:
    form: Any = loaded(mediakit.form(mediakit.pdf_merge, files=[REPORT, LANDSCAPE, LOGO]))
    cards = form._files.list
    report, landscape, logo = (card["id"] for card in cards.cards)
    images = dict(zip((report, landscape, logo), cards.images, strict=True))
    cards.order = [landscape, logo, report]
    cards.order = [landscape, report, logo]
    cards.order = [landscape, report]
    assert form.values["files"] == [LANDSCAPE, REPORT]
    assert cards.order == [landscape, report]
    assert list(cards.images) == [images[report], images[landscape]]


def test_dragged_thumbnails_set_the_page_range(numbered: Path) -> None:
    form: Any = loaded(mediakit.form("pdf_pages", file=numbered, rotate=90))
    cards = form._pages.list
    assert [card["label"] for card in cards.cards] == ["1", "2", "3", "4"]
    assert sizes(cards.images)[0] == (170, 240)
    cards.order = [3, 0, 1, 1]
    loaded(form)
    assert form.values["pages"] == "4,1-2,2"
    assert words(form.result) == ["4", "1", "2", "2"]
    cards.order = [0, 1, 2, 3]
    assert "pages" not in form.values


def test_typed_page_range_orders_the_thumbnails(numbered: Path) -> None:
    form: Any = loaded(mediakit.form("pdf_pages", file=numbered, pages="2-1"))
    assert form._pages.list.order == [1, 0]
    form.fields["pages"].control.value = "4-"
    assert form._pages.list.order == [3]
    form._pages.list.order = []
    assert form._pages.list.order == [3]
    assert form.values["pages"] == "4-"


def test_stamp_form_takes_position_with_words_in_another_order() -> None:
    form = mediakit.form("pdf_stamp", position="bottom right")
    assert form.fields["position"].input.read() == "right bottom"


def test_page_ranges_are_rows_that_follow_their_files(numbered: Path) -> None:
    form: Any = loaded(mediakit.form("pdf_merge", files=[numbered, REPORT], pages=["4", ""]))
    rows = form.fields["pages"].control.children
    assert [row.description for row in rows] == ["pages of numbered.pdf", "pages of report.pdf"]
    assert [row.placeholder for row in rows] == ["all pages", "all pages"]
    cards = form._files.list
    cards.order = [1, 0]
    loaded(form)
    assert form.values["pages"] == ["", "4"]
    assert words(form.result)[-1] == "4"
    rows[0].value = ""
    assert "pages" not in form.values
    form._form_state._undo_button.click()
    assert form.values["pages"] == ["", "4"]
