"""`DataFileResult`: the outputs of the HTTP API with and without a file, and the client's result."""

import base64
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

import pytest

from mediakit.api.openapi import document
from mediakit.core.request import request
from mediakit.core.tool import tool
from mediakit.results.data_file import DataFileResult
from mediakit.results.file import FileResult
from tests.conftest import Api, open_api
from tests.support.openapi_kit import resolved


class Counted(DataFileResult):
    """A number of words, and the text as a file if one was made."""

    def __init__(self, words: int, made: FileResult | None, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(made, meta)
        self.words = words

    def data_fields(self) -> dict[str, Any]:
        return {"words": self.words}

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        return {"words": {"type": "integer"}}

    @classmethod
    def from_data(cls, body: Mapping[str, Any], made: FileResult | None, meta: Mapping[str, Any]) -> Self:
        return cls(body["words"], made, meta)


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
    return Counted(len(request.text.split()), made)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(count,)):
        yield api


@pytest.mark.anyio
async def test_json_has_file_beside_fields_only_if_one_was_made(api: Api) -> None:
    plain = (await api.json("/count", {"text": "a b"})).json()
    assert list(plain) == ["success", "words", "meta"]
    made = (await api.json("/count", {"text": "a b", "format": "txt"})).json()
    assert (made["words"], base64.b64decode(made["file"])) == (2, b"a b")
    assert (made["filename"], made["mime_type"], made["meta"]["size_bytes"]) == ("text.txt", "text/plain", 3)


@pytest.mark.anyio
async def test_raw_body_returns_file_by_default_if_one_was_made(api: Api) -> None:
    plain = await api.raw("/count", b"a b", "text/plain")
    assert plain.json()["words"] == 2
    made = await api.raw("/count", b"a b", "text/plain", format="txt")
    assert (made.content, made.headers["content-type"].partition(";")[0]) == (b"a b", "text/plain")
    envelope = await api.raw("/count", b"a b", "text/plain", format="txt", output="json")
    assert envelope.json()["words"] == 2


@pytest.mark.anyio
async def test_file_output_of_call_without_file_returns_400_without_charge(api: Api) -> None:
    response = await api.json("/count", {"text": "a", "output": "binary"})
    expected = "output: this tool answers json only."
    assert (response.status_code, response.json()["error"]) == (400, expected)
    assert (await api.status())["used"] == 0


@pytest.mark.anyio
@pytest.mark.parametrize("format", ["json", "txt"])
async def test_client_returns_equal_result(api: Api, format: Literal["json", "txt"]) -> None:  # noqa: A002
    async with api.client() as client:
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
