"""`DataResult`: fields beside `success` and `meta`, data frames, and the outputs of the HTTP API."""

import base64
import json
import pickle
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from mediakit.api.openapi import document
from mediakit.results import frames
from tests.conftest import Api, open_api
from tests.support.file_tools import ValuesResult, many_files, one_file
from tests.support.openapi_kit import resolved

ROW = {"name": "", "content": "x", "size": 1}


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(one_file, many_files)):
        yield api


def values(**meta: Any) -> ValuesResult:
    return ValuesResult({"files": [ROW]}, meta)


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
    monkeypatch.setattr(frames, "LIBRARIES", ("missing_pandas",))
    with pytest.raises(ImportError, match="pip install 'pandas"):
        values().to_frame()


def test_to_frame_of_data_without_rows_raises() -> None:
    class Scalar(ValuesResult):
        rows = ValuesResult.__mro__[1].rows  # type: ignore[attr-defined]

    with pytest.raises(NotImplementedError, match="Scalar is not tabular"):
        Scalar({}).to_frame()


def test_dict_and_json_have_fields_and_meta(tmp_path: Path) -> None:
    result = values(note="é")
    expected = {"values": {"files": [ROW]}, "meta": {"size_bytes": 0, "note": "é"}}
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
