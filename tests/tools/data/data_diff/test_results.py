"""The results of `data_diff`: attributes, frames, files for people, the notebook view and the HTTP API."""

import base64
import csv
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

import mediakit
from mediakit.samples import SALES, SALES_REVISED
from mediakit.tools.data.data_diff import data_diff
from mediakit.tools.data.data_diff.tool import DiffResult
from tests.conftest import Api, open_api

OLD = "id,city,visitors\n1,Lisbon,120\n2,Oslo,80\n3,Porto,95\n"
NEW = "id,city,visitors\n1,Lisbon,120\n2,Bergen,80\n4,=1+1,60\n"


@pytest.fixture
def result() -> DiffResult:
    return mediakit.data_diff(text=OLD, text2=NEW)


def test_added_removed_and_changed_are_frames(result: DiffResult) -> None:
    assert result.added.to_dict("records") == [{"row": 3, "id": 4, "city": "=1+1", "visitors": 60}]
    assert result.removed["city"].tolist() == ["Porto"]
    assert result.changed.to_dict("records") == [
        {"id": 2, "row": 2, "row2": 2, "column": "city", "from": "Oslo", "to": "Bergen"}
    ]
    assert str(result.added["visitors"].dtype) == "Int64"


def test_to_frame_has_a_row_for_each_cell(result: DiffResult) -> None:
    frame = result.to_frame()
    assert list(frame.columns) == ["change", "row", "row2", "column", "from", "to"]
    assert frame["change"].value_counts().to_dict() == {"removed": 3, "added": 3, "changed": 1}


def test_frames_of_equal_tables_are_empty_with_columns() -> None:
    same = mediakit.data_diff(text=OLD, text2=OLD)
    assert list(same.added.columns) == ["row", "id", "city", "visitors"]
    assert list(same.changed.columns) == ["id", "row", "row2", "column", "from", "to"]
    assert len(same.to_frame()) == 0


def test_frames_of_trees_have_paths() -> None:
    tree = mediakit.data_diff(text='{"a": 1, "b": [1]}', text2='{"a": 2, "c": {"d": 1}}')
    assert tree.changed.to_dict("records") == [{"path": "$.a", "path2": "$.a", "from": 1, "to": 2}]
    assert tree.added.to_dict("records") == [{"path": "$.c", "value": '{"d": 1}'}]
    assert isinstance(tree.to_frame(), pd.DataFrame)


def test_assert_same_names_the_first_difference(result: DiffResult) -> None:
    mediakit.data_diff(text=OLD, text2=OLD).assert_same()
    with pytest.raises(AssertionError) as error:
        result.assert_same()
    assert str(error.value) == "1 row added, 1 row removed, 1 row changed; the first: row 3 removed."
    with pytest.raises(AssertionError, match=r"1 value changed; the first: \$.a 1 → 2\."):
        mediakit.data_diff(text='{"a": 1}', text2='{"a": 2}').assert_same()
    with pytest.raises(AssertionError, match="1 row changed; the first: id 2: city Oslo → Bergen"):
        mediakit.data_diff(text=OLD, text2=OLD.replace("Oslo", "Bergen")).assert_same()


def test_truth_value_is_refused(result: DiffResult) -> None:
    with pytest.raises(TypeError, match=r"use \.same"):
        bool(result)


def test_length_iteration_and_repr(result: DiffResult) -> None:
    assert len(result) == 3
    assert [each["change"] for each in result] == ["removed", "changed", "added"]
    assert repr(result) == "<DiffResult 1 row added, 1 row removed, 1 row changed>"
    assert repr(mediakit.data_diff(text=OLD, text2=OLD)) == "<DiffResult same>"


def test_csv_is_a_report_whose_cells_are_not_formulas() -> None:
    made = mediakit.data_diff(text=OLD, text2=NEW, format="csv")
    assert (made.filename, made.mime_type) == ("data-diff.csv", "text/csv")
    assert list(csv.reader(io.StringIO(made.content.decode()))) == [
        ["change", "row", "row2", "id", "city", "visitors"],
        ["changed", "2", "2", "2", "Oslo → Bergen", ""],
        ["added", "", "3", "4", "'=1+1", "60"],
        ["removed", "3", "", "3", "Porto", "95"],
    ]


def test_workbook_colors_cells() -> None:
    made = mediakit.data_diff(text=OLD, text2=NEW, format="xlsx")
    book = openpyxl.load_workbook(io.BytesIO(made.content))
    sheet = book["Differences"]
    cells = {cell.coordinate: (cell.value, cell.fill.fgColor.rgb) for row in sheet.iter_rows() for cell in row}
    assert cells["E2"] == ("Oslo → Bergen", "FFFFF2C4")
    assert cells["D2"] == (2, "00000000")
    assert (cells["E3"], sheet["E3"].data_type) == (("=1+1", "FFD7F0DD"), "s")
    assert cells["F4"] == (95, "FFFBDADA")
    assert ["removed", 3] not in [[cell.value for cell in row] for row in book["Summary"].iter_rows()]
    assert [cell.value for cell in book["Summary"]["A"]][:2] == ["same", "row added"]


def test_markdown_and_html_escape_cells() -> None:
    new = OLD + "5,<b>x</b>|y,1\n"
    markdown = mediakit.data_diff(text=OLD, text2=new, format="markdown").content.decode()
    assert markdown.startswith("**1 row added**\n")
    assert "\\<b>x\\</b>\\|y" in markdown
    page = mediakit.data_diff(text=OLD, text2=new, format="html").content.decode()
    assert "&lt;b&gt;x&lt;/b&gt;|y" in page
    assert "<b>x" not in page


def test_notebook_view_has_counts_and_both_values(result: DiffResult) -> None:
    shown = result._repr_mimebundle_()[0]["text/html"]
    assert "1 row added" in shown
    assert "Key (found): id" in shown
    assert ">Oslo</del>" in shown
    assert ">Bergen</ins>" in shown
    many = mediakit.data_diff(text="id\n" + "".join(f"{n}\n" for n in range(50)), text2="id\n1\n")
    shown = many._repr_mimebundle_()[0]["text/html"]
    assert (shown.count("<tr"), "and 29 more" in shown) == (21, True)


def test_lone_surrogates_and_control_characters_are_written() -> None:
    for made in ("csv", "html", "markdown", "xlsx"):
        result = mediakit.data_diff(text='[{"a": "x"}]', text2='[{"a": "\\u0000\\u0001"}]', format=made)
        assert result.content


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(data_diff,)):
        yield api


@pytest.mark.anyio
async def test_json_body_has_two_files(api: Api) -> None:
    old, new = (base64.b64encode(path.read_bytes()).decode() for path in (SALES, SALES_REVISED))
    body = (await api.json("/data-diff", {"file": old, "file2": {"name": "new.csv", "file": new}})).json()
    assert (body["success"], body["same"], body["summary"]["changed"]) == (True, False, 3)
    made = (
        await api.json("/data-diff", {"file": old, "file2": {"name": "new.csv", "file": new}, "format": "csv"})
    ).json()
    assert (made["filename"], made["mime_type"], made["summary"]["changed"]) == ("new-diff.csv", "text/csv", 3)


@pytest.mark.anyio
async def test_multipart_body_has_two_files(api: Api) -> None:
    files = {"file": ("old.csv", OLD.encode()), "file2": ("new.csv", NEW.encode())}
    response = await api.post("/data-diff", files=files, data={"key": "id"})
    assert response.json()["key"] == ["id"]
    response = await api.post("/data-diff", files=files, data={"format": "patch"})
    assert response.headers["content-type"].partition(";")[0] == "application/json-patch+json"
    assert json.loads(response.content)[0]["op"] == "replace"


@pytest.mark.anyio
async def test_errors_are_bad_requests(api: Api) -> None:
    response = await api.json("/data-diff", {"text": OLD, "text2": "nr\n1\n", "key": ["id"]})
    assert (response.status_code, response.json()["error"]) == (400, 'key: "id" is not in file2.')
    response = await api.json("/data-diff", {"text": OLD})
    assert response.status_code == 400


@pytest.mark.anyio
async def test_client_returns_equal_result(api: Api) -> None:
    async with api.client() as client:
        for format in ("json", "xlsx"):  # noqa: A001
            theirs = await client.call(data_diff, SALES, SALES_REVISED, format=format)
            assert theirs == mediakit.data_diff(SALES, SALES_REVISED, format=format)
