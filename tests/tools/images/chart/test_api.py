"""`POST /chart`: limits, statuses and responses."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from mediakit.tools.catalogue import all_tools
from tests.conftest import Api, open_api

VALID: dict[str, Any] = {"type": "bar", "labels": ["a", "b"], "series": [{"name": "x", "data": [1, 2.5]}]}


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=all_tools()):
        yield api


async def post(api: Api, **values: Any) -> httpx.Response:
    return await api.http.post("/chart", json=VALID | values, headers={"x-api-key": api.key})


def series(count: int, numbers: int = 2, name: str = "x") -> list[dict[str, Any]]:
    return [{"name": name, "data": [1] * numbers}] * count


@pytest.mark.anyio
@pytest.mark.parametrize(
    "values",
    [
        {},
        {"labels": ["x"], "series": series(1, 1)},
        {"labels": ["y" * 100] * 50, "series": series(10, 50, "z" * 100), "title": "t" * 200},
        {"width": 200, "height": 2000},
        {"width": 2000, "height": 200},
        {"series": [{"data": [0, -1]}]},
        {"format": "svg", "type": "radar"},
        {"title": ""},
    ],
)
async def test_values_at_the_limits_are_accepted(api: Api, values: dict[str, Any]) -> None:
    response = await post(api, **values)
    assert response.status_code == 200
    body = response.json()
    content = base64.b64decode(body["image"])
    assert body["mime_type"] == ("image/svg+xml" if values.get("format") == "svg" else "image/png")
    meta = body["meta"]
    assert meta["size_bytes"] == len(content)
    assert (meta["width"], meta["height"]) == (values.get("width", 800), values.get("height", 500))
    assert meta["format"] == values.get("format", "png")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"type": "bubble"}, "type"),
        ({"labels": []}, "labels"),
        ({"labels": ["x"] * 51, "series": series(1, 51)}, "labels"),
        ({"labels": ["x" * 101, "y"]}, "labels"),
        ({"labels": [1, 2]}, "labels"),
        ({"labels": {"a": 1, "b": 2}}, "labels"),
        ({"labels": "ab"}, "labels"),
        ({"series": []}, "series"),
        ({"series": series(11)}, "series"),
        ({"series": [1, 2]}, "series"),
        ({"series": {"x": [1, 2]}}, "series"),
        ({"series": [{"name": "x"}]}, "series"),
        ({"series": [{"data": [1, 2], "color": "red"}]}, "series"),
        ({"series": series(1, 3)}, "series"),
        ({"series": series(1, 2, "n" * 101)}, "series"),
        ({"series": [{"data": [1, "2"]}]}, "series"),
        ({"series": [{"data": [1, True]}]}, "series"),
        ({"series": [{"data": [1, None]}]}, "series"),
        ({"series": [{"data": [1, 1e301]}]}, "series"),
        ({"title": "t" * 201}, "title"),
        ({"width": 199}, "width"),
        ({"height": 2001}, "height"),
        ({"width": 300.5}, "width"),
        ({"format": "jpeg"}, "format"),
        ({"palette": ["redd"]}, "palette"),
        ({"number_format": "%s"}, "number_format"),
        ({"type": "pie", "horizontal": True}, "horizontal"),
        ({"output": "pdf"}, "output"),
        ({"titel": "x"}, "titel"),
    ],
)
async def test_values_beyond_the_limits_are_rejected(api: Api, values: dict[str, Any], field: str) -> None:
    response = await post(api, **values)
    assert response.status_code == 400
    assert response.json()["error"].startswith(field)


@pytest.mark.anyio
@pytest.mark.parametrize("missing", ["type", "labels", "series"])
async def test_missing_required_field_is_rejected(api: Api, missing: str) -> None:
    values = {name: value for name, value in VALID.items() if name != missing}
    response = await api.http.post("/chart", json=values, headers={"x-api-key": api.key})
    assert response.status_code == 400
    assert response.json()["error"] == f"{missing}: is required."


@pytest.mark.anyio
@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999"])
async def test_non_finite_numbers_are_rejected(api: Api, number: bytes) -> None:
    body = b'{"type":"bar","labels":["a"],"series":[{"data":[' + number + b"]}]}"
    headers = {"x-api-key": api.key, "content-type": "application/json"}
    assert (await api.http.post("/chart", content=body, headers=headers)).status_code == 400


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["text/plain", "text/csv", "image/png", ""])
async def test_other_media_types_than_json_are_rejected(api: Api, kind: str) -> None:
    headers = {"x-api-key": api.key, "content-type": kind}
    response = await api.http.post("/chart", content=b"a,b", headers=headers)
    assert response.status_code == 400
    assert "application/json" in response.json()["error"]


@pytest.mark.anyio
async def test_output_image_returns_the_file(api: Api) -> None:
    response = await post(api, output="image", format="svg")
    assert response.headers["content-type"] == "image/svg+xml"
    assert response.content.startswith(b"<svg")
    assert "script" not in response.headers["content-security-policy"]
