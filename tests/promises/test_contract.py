"""Every tool gives the same file through every face, and every face knows every tool."""

import base64
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import mediakit
from mediakit.core.tool import Tool
from mediakit.results.data import DataResult
from mediakit.results.result import Result
from mediakit.server import Server
from mediakit.tools.catalogue import TOOLS, Toolbox
from tests.support.calls import (
    CALLS,
    every_tool,
    every_tool_with_raw_bodies,
    options,
    raw_body,
    raw_type,
    subject,
    words,
)


@pytest.fixture(scope="module")
def local(request: pytest.FixtureRequest) -> dict[str, Result]:
    return {}


def made(tool: Tool[..., Any], cache: dict[str, Result]) -> Result:
    """Call the tool as a Python function, once for all the tests of this module."""
    if tool.name not in cache:
        cache[tool.name] = getattr(mediakit, tool.name)(**CALLS[tool.name])
    return cache[tool.name]


@every_tool
def test_python_takes_its_first_value_by_position(tool: Tool[..., Any], local: dict[str, Result]) -> None:
    values = dict(CALLS[tool.name])
    first = values.pop(tool.parameters[0].name)
    assert tool(first, **values) == made(tool, local)


@every_tool
@pytest.mark.anyio
async def test_the_awaited_call_gives_the_same_file(tool: Tool[..., Any], local: dict[str, Result]) -> None:
    assert await tool.aio(**CALLS[tool.name]) == made(tool, local)


def posted(tool: Tool[..., Any], server: Server, **more: str) -> httpx.Response:
    """Make the call over HTTP, as JSON."""
    values = CALLS[tool.name] | more
    if isinstance(values[subject(tool)], Path):
        values[subject(tool)] = base64.b64encode(values[subject(tool)].read_bytes()).decode()
    return httpx.post(server.url + tool.path, json=values, headers={"x-api-key": server.key}, timeout=60)


@every_tool
def test_json_gives_the_same_file(tool: Tool[..., Any], local: dict[str, Result], server: Server) -> None:
    body, expected = posted(tool, server).json(), made(tool, local)
    assert body["success"] is True
    if isinstance(expected, DataResult):
        assert expected.fields().items() <= body.items()
    else:
        assert base64.b64decode(body[tool.result.member]) == expected.file
        assert body["mime_type"] == expected.mime_type
    assert expected.meta.items() <= body["meta"].items()
    assert body["meta"]["remaining"] is None
    assert body["meta"]["unlimited"] is True


@every_tool
def test_the_answer_fits_its_documented_schema(tool: Tool[..., Any], server: Server) -> None:
    from jsonschema import Draft202012Validator, ValidationError

    from mediakit.api.openapi import document

    described = document(TOOLS)
    content = described["paths"][tool.path]["post"]["responses"]["200"]["content"]
    fits = Draft202012Validator({**content["application/json"]["schema"], "components": described["components"]})
    for output in ("json", "url"):
        fits.validate(posted(tool, server, output=output).json())
    with pytest.raises(ValidationError):
        fits.validate({"success": True, "meta": {}})


@every_tool_with_raw_bodies
def test_binary_output_gives_the_file_itself(tool: Tool[..., Any], local: dict[str, Result], server: Server) -> None:
    values, expected = CALLS[tool.name], made(tool, local)
    response = httpx.post(
        server.url + tool.path,
        content=raw_body(tool, values),
        params=options(tool, values) | ({"output": "binary"} if tool.result.is_data else {}),
        headers={"x-api-key": server.key, "content-type": raw_type(tool)},
        timeout=60,
    )
    assert response.content == expected.file
    assert response.headers["content-type"].partition(";")[0] == expected.mime_type
    assert response.headers["content-disposition"] == f'inline; filename="{tool.command}.{expected.extension}"'


@every_tool_with_raw_bodies
def test_a_link_gives_the_same_file(tool: Tool[..., Any], local: dict[str, Result], server: Server) -> None:
    values, expected = CALLS[tool.name], made(tool, local)
    response = httpx.post(
        server.url + tool.path,
        content=raw_body(tool, values),
        params=options(tool, values) | {"output": "url"},
        headers={"x-api-key": server.key, "content-type": raw_type(tool)},
        timeout=60,
    )
    link = response.json()
    assert link["size_bytes"] == len(expected.file)
    assert set(link["meta"]) == {"used", "remaining", "unlimited"}
    assert httpx.get(link["url"]).content == expected.file


@every_tool
def test_the_client_gives_an_equal_result(tool: Tool[..., Any], local: dict[str, Result], server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        result = getattr(client, tool.name)(**CALLS[tool.name])
    assert result == made(tool, local)
    assert result.alt == made(tool, local).alt


@every_tool
@pytest.mark.anyio
async def test_the_async_client_gives_an_equal_result(
    tool: Tool[..., Any], local: dict[str, Result], server: Server
) -> None:
    async with mediakit.AsyncClient(server.url, api_key=server.key) as client:
        assert await getattr(client, tool.name)(**CALLS[tool.name]) == made(tool, local)


@every_tool
def test_the_shell_writes_the_same_file(tool: Tool[..., Any], local: dict[str, Result], tmp_path: Path) -> None:
    values, expected = CALLS[tool.name], made(tool, local)
    target = tmp_path / f"made.{expected.extension}"
    command = [sys.executable, "-m", "mediakit", tool.command, "-", *words(tool, values), "-o", str(target)]
    subprocess.run(command, input=raw_body(tool, values), check=True, timeout=120)
    assert target.read_bytes() == expected.file


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_face_knows_the_tool(tool: Tool[..., Any]) -> None:
    from mediakit.api.openapi import document
    from mediakit.cli.tools import names

    assert getattr(mediakit, tool.name) is tool
    assert tool.name in vars(mediakit)["__all__"]
    assert getattr(Toolbox, tool.name) is tool
    assert tool.path in document(TOOLS)["paths"]
    assert tool.command in names()
    assert mediakit.form(tool) is not None
    assert f"`POST {tool.path}`" in Path("docs/reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_has_words_and_examples(tool: Tool[..., Any]) -> None:
    assert tool.summary.endswith(".")
    assert tool.examples
    assert all(parameter.help for parameter in tool.parameters)
    for example in tool.examples:
        tool.validate(example.values)
