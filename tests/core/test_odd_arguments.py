"""Whatever object is passed as an argument of a tool, an error says what is wrong with it."""

import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import httpx
import numpy as np
import pandas as pd
import polars as pl
import pytest

import mediakit as typed
from mediakit.core.tool import Tool
from mediakit.errors import InvalidCall, InvalidInput, MediakitError, NotFound
from mediakit.tools.catalogue import all_tools

mediakit: Any = typed  # these calls are wrong on purpose
TABLE = pd.DataFrame({"city": ["Oslo", "Rome"], "sales": [10, 20]})
ODD: dict[str, Any] = {
    "frame": TABLE,
    "series": TABLE["sales"],
    "polars": pl.DataFrame({"sales": [10, 20]}),
    "array": np.arange(3),
    "texts": np.array(["a", "b"]),
    "missing": pd.NA,
    "set": {1, 2},
    "list": [[]],
    "mapping": {1: object()},
    "object": object(),
    "function": print,
    "number": np.float64("nan"),
}


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_each_object_is_accepted_or_refused_with_a_sentence(tool: Tool[..., Any]) -> None:
    for parameter in tool.parameters:
        for value in ODD.values():
            with suppress(MediakitError, InvalidCall):
                tool.build(**{parameter.name: value})
    for value in ODD.values():
        with pytest.raises((MediakitError, InvalidCall)):
            tool.build(value, value, value, value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: mediakit.chart(TABLE, x="city"),
            r'^type: must be one of bar, .* comes first, as in chart\("bar", data',
        ),
        (lambda: mediakit.chart(TABLE, type="bar"), "^chart.. got two values for 'type'; .* are type, labels, series$"),
        (lambda: mediakit.chart("bar", TABLE, aggregate=["sum"]), "^aggregate: must be one of sum"),
        (
            lambda: mediakit.data_diff(TABLE, TABLE, key="city"),
            r'^key: must be a list such as \["city"\], got "city"\.$',
        ),
        (lambda: mediakit.data_profile(rows=3), "^rows: must be an array"),
        (lambda: mediakit.qr(TABLE, TABLE), r"^qr\(\) takes 1 positional argument"),
    ],
)
def test_error_says_what_is_meant(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((InvalidInput, InvalidCall), match=message):
        call()


def test_query_may_come_before_its_table() -> None:
    assert mediakit.data_query("SELECT sum(sales) AS sales FROM data", TABLE).rows == [{"sales": 30}]


@pytest.mark.parametrize(
    ("array", "rows"),
    [
        (np.array([[1, 2], [3, 4]]), b"column_1,column_2\n1,2\n3,4\n"),
        (np.array([0.5, 1.5]), b"column_1\n0.5\n1.5\n"),
        (np.array([["a", "b"], ["c", "d"]]), b"column_1,column_2\na,b\nc,d\n"),
        (np.array([("a", 1), ("b", 2)], dtype=[("name", "U5"), ("count", "i4")]), b"name,count\na,1\nb,2\n"),
    ],
)
def test_array_is_a_table_for_tools_that_take_tables(array: Any, rows: bytes) -> None:
    assert mediakit.data_convert(array, "csv").content == rows
    assert mediakit.data_convert(rows=array, to="csv").content == rows


def test_files_are_named_by_a_mapping(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("from a path")
    packed = mediakit.zip({"one.txt": b"1", "folder/two.txt": tmp_path / "a.txt", "code": mediakit.qr("x")})
    assert {file.filename: file.content for file in mediakit.unzip(packed).files} == {
        "one.txt": b"1",
        "folder/two.txt": b"from a path",
        "code.png": mediakit.qr("x").content,
    }


def test_template_is_found_by_its_name() -> None:
    assert mediakit.templates("invoice").name == "invoice"
    with pytest.raises(NotFound, match='Did you mean "invoice"'):
        mediakit.templates("invocie")


def open_documents() -> dict[str, Any]:
    import altair as alt
    import docx
    import openpyxl
    import pikepdf
    import pptx
    import pymupdf

    pages = pikepdf.new()
    pages.add_blank_page()
    drawn: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    drawn.new_page()
    return {
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": docx.Document(),
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": pptx.Presentation(),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": openpyxl.Workbook(),
        "application/pdf": pages,
        "image/png": alt.Chart(TABLE).mark_bar().encode(x="city", y="sales"),
        "application/pdf ": drawn,
    }


def test_open_documents_and_charts_of_other_libraries_are_files() -> None:
    for mime_type, document in open_documents().items():
        assert mediakit.file_info(document).mime_type == mime_type.strip()


def test_object_with_another_read_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    with (
        zipfile.ZipFile(tmp_path / "a.zip") as archive,
        pytest.raises(InvalidInput, match=r"file: must be .*got a ZipFile"),
    ):
        mediakit.unzip(archive)
    with pytest.raises(InvalidInput, match=r"file: must be .*got a Response\. Pass its \.content\."):
        mediakit.file_info(httpx.Response(200, content=b"a"))


def test_lazy_tables_are_tables() -> None:
    assert mediakit.data_convert(pl.DataFrame({"a": [1]}).lazy(), "csv").content == b"a\n1\n"
    assert mediakit.data_query(duckdb.sql("SELECT 1 AS a"), "FROM data").rows == [{"a": 1}]


def test_document_that_cannot_be_saved_and_missing_named_file_are_errors_of_their_field() -> None:
    import pymupdf

    closed: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    closed.close()
    with pytest.raises(InvalidInput, match=r"^file: cannot be saved by Document\.save: "):
        mediakit.pdf_info(closed)
    with pytest.raises(InvalidInput, match=r"^files: cannot read 'missing\.txt'"):
        mediakit.zip({"a.txt": Path("missing.txt")})
