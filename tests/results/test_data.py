"""Data: fields beside `success` and `meta`, files among them, data frames, and the outputs of the HTTP API."""

import base64
import json
import pickle
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest

from mediakit.api.openapi import document
from mediakit.core.request import request
from mediakit.core.tool import Wire, tool
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from tests.conftest import Api, open_api
from tests.support.file_tools import ValuesResult, many_files, one_file
from tests.support.openapi_kit import resolved

ROW = {"name": "", "content": "x", "size": 1}


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(one_file, many_files)):
        yield api


def values(**meta: Any) -> ValuesResult:
    return ValuesResult({"files": [ROW]}, meta=meta)


@pytest.mark.anyio
async def test_fields_are_beside_success_and_meta(api: Api) -> None:
    body = (await api.json("/one-file", {"file": "eA=="})).json()
    assert list(body) == ["success", "values", "meta"]
    assert body["values"] == {"files": [ROW], "size": 1}


@pytest.mark.anyio
async def test_every_body_type_returns_json_by_default(api: Api) -> None:
    expected = (await api.json("/one-file", {"file": "eA=="})).json()["values"]
    raw = await api.raw("/one-file", b"x", "text/plain")
    form = await api.post("/one-file", files={"file": b"x"})
    for response in (raw, form):
        assert response.headers["content-type"] == "application/json"
    assert raw.json()["values"] == expected
    assert form.json()["values"]["files"][0]["content"] == "x"
    assert (await api.json("/one-file", {"file": "eA==", "output": "json"})).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize("output", ["binary", "url", "image", "", 5, ["json"]])
async def test_other_output_than_json_returns_400_without_charge(api: Api, output: Any) -> None:
    response = await api.json("/one-file", {"file": "eA==", "output": output})
    expected = "output: this tool answers json only."
    assert (response.status_code, response.json()["error"]) == (400, expected)
    if isinstance(output, str):
        for sent in (
            await api.raw("/one-file", b"x", "text/plain", output=output),
            await api.post("/one-file", files={"file": b"x", "output": (None, output)}),
        ):
            assert (sent.status_code, sent.json()["error"]) == (400, expected)
    assert (await api.status())["used"] == 0


@pytest.mark.anyio
async def test_client_returns_equal_result(api: Api) -> None:
    async with api.client() as client:
        assert await client.call(one_file, b"x") == one_file(b"x")


def test_openapi_document_has_only_json_output() -> None:
    description = document([one_file])
    operation = description["paths"]["/one-file"]["post"]
    parameters = [resolved(description, each) for each in operation["parameters"]]
    (output,) = (each for each in parameters if each["name"] == "output")
    assert resolved(description, output["schema"])["enum"] == ["json"]
    assert set(operation["responses"]["200"]["content"]) == {"application/json"}


def test_to_frame_returns_rows_as_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = many_files([b"x", b"yy"]).to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["name", "content", "size"]
    assert frame["size"].tolist() == [1, 2]


def test_to_frame_without_library_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.results.data.LIBRARIES", ("missing_pandas",))
    with pytest.raises(ImportError, match="pip install 'pandas"):
        values().to_frame()


def test_to_frame_of_data_without_rows_raises() -> None:
    class Scalar(DataResult):
        number: int

    with pytest.raises(InvalidInput, match="Scalar is not tabular"):
        Scalar(1).to_frame()


def test_dict_and_json_have_fields_and_meta(tmp_path: Path) -> None:
    result = values(note="é")
    expected = {"values": {"files": [ROW]}, "meta": {"note": "é"}}
    assert result.to_dict() == expected == json.loads(result.to_json())
    assert json.loads(result.save(tmp_path / "data").read_bytes()) == expected
    assert base64.b64decode(result.data_uri().partition(",")[2]) == result.file


def test_results_of_equal_fields_and_meta_are_equal() -> None:
    assert values() == values()
    assert values() != values(note="x")
    assert values() != 5
    assert len({values(), values()}) == 1
    assert pickle.loads(pickle.dumps(values())) == values()


def test_result_is_accepted_as_file() -> None:
    assert json.loads(one_file(values()).values["files"][0]["content"])["values"] == {"files": [ROW]}


class Counted(DataResult):
    """A number of words, and the text as a file if one was made."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True, sends_file=True)

    words: int
    """Number of words."""
    made: FileResult | None = None
    """The text as a file."""


@request
class CountRequest:
    """A text, and the format of the result."""

    text: str
    """The text."""
    format: Literal["json", "txt"] = "json"
    """The format."""


@tool(CountRequest, tag="Data", produces={"json": "application/json", "txt": "text/plain"}, raw={"text/plain": "text"})
def count(request: CountRequest) -> Counted:
    """Count words."""
    made = FileResult(request.text.encode(), "text/plain", "text.txt") if request.format == "txt" else None
    meta = {} if made is None else {"size_bytes": len(made.content)}
    return Counted(len(request.text.split()), made, meta=meta)


@pytest.fixture
async def counts(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(count,)):
        yield api


@pytest.mark.anyio
async def test_json_has_file_beside_fields_only_if_one_was_made(counts: Api) -> None:
    plain = (await counts.json("/count", {"text": "a b"})).json()
    assert list(plain) == ["success", "words", "meta"]
    made = (await counts.json("/count", {"text": "a b", "format": "txt"})).json()
    assert (made["words"], base64.b64decode(made["file"])) == (2, b"a b")
    assert (made["filename"], made["mime_type"], made["meta"]["size_bytes"]) == ("text.txt", "text/plain", 3)


@pytest.mark.anyio
async def test_raw_body_returns_file_by_default_if_one_was_made(counts: Api) -> None:
    plain = await counts.raw("/count", b"a b", "text/plain")
    assert plain.json()["words"] == 2
    made = await counts.raw("/count", b"a b", "text/plain", format="txt")
    assert (made.content, made.headers["content-type"].partition(";")[0]) == (b"a b", "text/plain")
    envelope = await counts.raw("/count", b"a b", "text/plain", format="txt", output="json")
    assert envelope.json()["words"] == 2


@pytest.mark.anyio
async def test_file_output_of_call_without_file_returns_400_without_charge(counts: Api) -> None:
    response = await counts.json("/count", {"text": "a", "output": "binary"})
    expected = "output: this tool answers json only."
    assert (response.status_code, response.json()["error"]) == (400, expected)
    assert (await counts.status())["used"] == 0


@pytest.mark.anyio
@pytest.mark.parametrize("format", ["json", "txt"])
async def test_client_returns_equal_result_with_and_without_file(counts: Api, format: Literal["json", "txt"]) -> None:  # noqa: A002
    async with counts.client() as client:
        assert await client.call(count, "a b", format) == count("a b", format)


def test_result_without_file_is_saved_as_json(tmp_path: Path) -> None:
    assert json.loads(count("a b").save(tmp_path / "count").read_bytes()) == {"words": 2, "meta": {}}
    assert count("a b", "txt").save(tmp_path / "text.txt").read_bytes() == b"a b"


def test_openapi_document_describes_file_as_optional() -> None:
    description = document([count])
    operation = description["paths"]["/count"]["post"]
    envelope = resolved(description, operation["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"][0])
    assert envelope["required"] == ["success", "words", "meta"]
    assert {"file", "filename", "mime_type"} <= envelope["properties"].keys()
