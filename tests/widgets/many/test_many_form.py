"""Forms with the tab Many: rows, columns, preview, the batch and its file."""

import io
import pathlib
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.widgets.catalogue import form
from mediakit.widgets.many.run import PDF
from mediakit.widgets.many.tab import ManyTab
from tests.support import pdf_kit
from tests.widgets.test_form import shown, wait_for_update

GUESTS = pd.DataFrame({"Web site": ["https://example.com", None, "https://example.org/a"], "who": ["Ada", "Bo", "Cy"]})


def upload(tab: ManyTab, name: str, content: bytes) -> None:
    when = datetime(2026, 3, 1, tzinfo=UTC)
    file = {"name": name, "type": "", "size": len(content), "content": memoryview(content), "last_modified": when}
    tab._upload.set_trait("value", (file,))


def tab_of(made: Any) -> ManyTab:
    tab = made._many
    assert isinstance(tab, ManyTab)
    return tab


def texts(files: dict[str, bytes]) -> dict[str, str]:
    return {name: mediakit.code_reader(content)[0].text for name, content in files.items()}


def unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_rows_fill_the_form_and_longest_row_is_shown_first() -> None:
    made = form(mediakit.qr, rows=GUESTS, size=300)
    assert made.values["data"] == "https://example.org/a"
    assert made.values["size"] == 300
    assert made.result == mediakit.qr("https://example.org/a", size=300)
    tab_of(made)._pager.show(0)
    assert made.values["data"] == "https://example.com"


def test_code_of_the_tab_is_a_batch_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made: Any = form(mediakit.qr, rows=GUESTS, size=300)
    wait_for_update(made)
    assert "Insert and Copy save rows.csv beside the notebook." in shown(made)
    assert 'columns={"Web site": "data"}' in made.code()
    assert texts({path.name: path.read_bytes() for path in batch_files(made.code(), tmp_path)}) == {
        "Ada.png": "https://example.com",
        "Cy.png": "https://example.org/a",
    }
    made._tabs.selected_index = 0
    made.fields["data"].control.value = "tea"
    assert made.code() == 'mediakit.qr("tea", size=300)'


def test_code_for_networks_names_a_table_with_their_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made: Any = form(mediakit.qr, rows=[{"SSID": "Room 1", "password": "sunflower-42", "floor": 1}])
    made._kind.value = "Wi-Fi"
    found = texts({path.name: path.read_bytes() for path in batch_files(made.code(), tmp_path)})
    assert list(found.values()) == ["WIFI:T:WPA;S:Room 1;P:sunflower-42;;"]


def batch_files(code: str, folder: Path) -> list[Path]:
    """Run the call of a batch and return the files of its archive."""
    eval(code, {"mediakit": mediakit, "pathlib": pathlib})
    with zipfile.ZipFile(folder / "qr.zip") as archive:
        archive.extractall(folder / "made")  # written by mediakit
    return sorted((folder / "made").glob("*.png"))


def test_first_tab_shows_values_of_the_form() -> None:
    made: Any = form(mediakit.qr, data="tea", rows=["milk"])
    assert made.values["data"] == "milk"
    made._tabs.selected_index = 0
    assert made.values["data"] == "tea"


def test_create_makes_zip_of_all_rows_and_lists_errors() -> None:
    made: Any = form(mediakit.qr, rows=GUESTS)
    tab_of(made).create()
    assert texts(unzipped(made.batch_file.file)) == {
        "Ada.png": "https://example.com",
        "Cy.png": "https://example.org/a",
    }
    assert [(failed.row, failed.name) for failed in made.batch.errors] == [(2, "Bo")]
    shown = tab_of(made)._status.value
    assert "2 created, 1 failed" in shown
    assert 'download="qr.zip"' in shown
    assert "Row 2, Bo: data" in shown
    assert mediakit.last_batch is made.batch
    assert list(made.batch.retry(data="milk")) == ["Ada", "Bo", "Cy"]


def test_one_pdf_has_a_page_and_a_bookmark_for_every_row() -> None:
    made: Any = form(mediakit.barcode, rows=[f"A{number:02}" for number in range(1, 24)])
    tab_of(made).output.value = PDF
    tab_of(made).create()
    merged = made.batch_file.file
    assert len(pdf_kit.texts(merged)) == 23
    assert pdf_kit.outline_titles(merged) == [f"A{number:02}" for number in range(1, 24)]


def test_column_is_assigned_to_one_key_only() -> None:
    made: Any = form(mediakit.qr, rows=[{"url": "tea", "note": "milk"}])
    boxes = tab_of(made).columns._dropdowns
    assert (boxes["url"].value, boxes["note"].value) == ("data", "")
    boxes["note"].value = "data"
    assert boxes["url"].value == ""
    assert made.values["data"] == "milk"
    boxes["note"].value = ""
    tab_of(made).create()
    assert "data: choose a column, or fill it in on the tab One." in tab_of(made)._status.value


def test_uploaded_table_is_used_and_other_files_are_rejected() -> None:
    made: Any = form(mediakit.qr)
    tab = tab_of(made)
    assert tab.source is None
    tab.create()
    assert "choose a table first" in tab._status.value
    for name, content in (("guests.csv", b"data,size\n007,200\n"), ("guests.pdf", b"%PDF-1.7")):
        upload(tab, name, content)
    assert "must be a table" in tab._status.value
    made._tabs.selected_index = 1
    assert (made.values["data"], made.values["size"]) == ("007", 200)


def test_payload_fields_are_keys_of_columns() -> None:
    rooms = [{"SSID": "Room 1", "password": "sunflower-42"}, {"SSID": "Room 2", "password": "sunflower-43"}]
    made: Any = form(mediakit.qr, rows=rooms)
    made._kind.value = next(kind for kind in made._payload_fields if "Fi" in kind)
    assert tab_of(made).columns.mapped == {"SSID": "name", "password": "password"}
    tab_of(made).create()
    assert [code.meta is not None for code in made.batch.results] == [True, True]
    assert ["Room 1" in text for text in texts(unzipped(made.batch_file.file)).values()] == [True, False]


@pytest.mark.browser
def test_template_rows_become_one_pdf_without_example_recipients() -> None:
    rows = [
        {"Name": "Ada Lovelace", "course": "Notes"},
        {"Name": "", "course": "Stars"},
        {"Name": "Bo", "course": None},
    ]
    made: Any = form(mediakit.templates()["certificate"], rows=rows, issuer="The school")
    tab = tab_of(made)
    assert tab.columns.mapped == {"Name": "recipient", "course": "course"}
    assert tab._names.value == "{Name}"
    tab.output.value = PDF
    tab.create()
    assert [str(failed.error) for failed in made.batch.errors] == [
        "recipient: must not be empty, because certificate requires it in every row."
    ]
    pages = [" ".join(page.split()) for page in pdf_kit.texts(made.batch_file.file)]
    assert ["Ada Lovelace" in pages[0], "Bo" in pages[1], "Jordan" in pages[1]] == [True, True, False]
    assert all("The school" in page for page in pages)


def test_template_offers_row_that_fits_worst() -> None:
    rows = [{"title": "Tea"}, {"title": "W" * 160}, {"title": "Milk"}]
    tab = tab_of(form(mediakit.templates()["og"], rows=rows))
    assert tab._pager.index == 1
    assert "longest texts" in tab._pager._text.value


def test_form_without_the_tab_rejects_rows() -> None:
    with pytest.raises(InvalidInput, match="rows"):
        form(mediakit.images, rows=["a.png"])
