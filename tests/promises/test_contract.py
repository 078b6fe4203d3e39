"""Every interface (Python, HTTP, clients, shell, forms) offers every tool and returns the same result."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from jsonschema import Draft202012Validator

import mediakit
from mediakit.core.tool import Tag, Tool
from mediakit.results.result import Result
from mediakit.server import Server
from mediakit.tools.catalogue import CATALOGUE, all_tools, command_names
from mediakit.tools.toolbox import Toolbox
from tests.support.calls import (
    CALLS,
    concrete_media_type,
    every_tool,
    every_tool_with_files,
    every_tool_with_raw_bodies,
    form_parts,
    json_body,
    parameter,
    query,
    raw_body,
    shell_words,
    subject,
)
from tests.support.command_kit import run_command
from tests.support.openapi_kit import validator

one_tool_of_each_kind = pytest.mark.parametrize(
    "tool",
    [
        parameter(getattr(mediakit, name))
        for name in ("capture", "data_query", "images", "pdf_extract", "qr", "unzip", "validate_email", "zip")
    ],
)
"""Tools that run in this process, in a worker, in a process of their own and in a browser, by kinds of results."""


@pytest.fixture(scope="module")
def local(request: pytest.FixtureRequest) -> dict[str, Result]:
    return {}


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """The OpenAPI document."""
    from mediakit.api.openapi import document

    return document(all_tools())


def local_result(tool: Tool[..., Any], cache: dict[str, Result]) -> Result:
    """Return the result of a call in Python. Each tool is called once for all tests of this module."""
    if tool.name not in cache:
        cache[tool.name] = getattr(mediakit, tool.name)(**CALLS[tool.name])
    return cache[tool.name]


def post(tool: Tool[..., Any], server: Server, **options: Any) -> httpx.Response:
    """Send a tool's call to the server."""
    headers = {"x-api-key": server.key, **options.pop("headers", {})}
    return httpx.post(server.url + tool.path, headers=headers, timeout=60, **options)


def filename(tool: Tool[..., Any], result: Result) -> str:
    saved = result._saved()
    return saved.filename or f"{tool.command}.{saved.extension}"


@every_tool
def test_python_takes_the_first_field_by_position(tool: Tool[..., Any]) -> None:
    values = dict(CALLS[tool.name])
    if tool.parameters[0].name in values:
        first = values.pop(tool.parameters[0].name)
        assert tool.build(first, **values) == tool.build(**CALLS[tool.name])


@one_tool_of_each_kind
@pytest.mark.anyio
async def test_awaited_call_returns_an_equal_result(tool: Tool[..., Any], local: dict[str, Result]) -> None:
    assert await tool.aio(**CALLS[tool.name]) == local_result(tool, local)


@every_tool
def test_json_request_returns_the_same_content_as_documented(
    tool: Tool[..., Any], local: dict[str, Result], server: Server, description: dict[str, Any]
) -> None:
    body, expected = post(tool, server, json=json_body(tool)).json(), local_result(tool, local)
    response_schema(tool, description).validate(body)
    assert body["success"] is True
    written = {
        name: value for name, value in json.loads(expected.envelope()).items() if name not in ("meta", "elapsed_ms")
    }
    assert written.items() <= body.items()
    assert expected.meta.items() <= body["meta"].items()
    assert body["meta"]["remaining"] is None
    assert body["meta"]["unlimited"] is True


def response_schema(tool: Tool[..., Any], description: dict[str, Any]) -> Draft202012Validator:
    """Return the documented schema of a tool's JSON responses."""
    content = description["paths"][tool.path]["post"]["responses"]["200"]["content"]
    alternatives = content["application/json"]["schema"]["anyOf"]
    return validator(description, {"anyOf": [each for each in alternatives if "$ref" in each or "type" in each]})


@every_tool
def test_documented_schema_requires_the_data(tool: Tool[..., Any], description: dict[str, Any]) -> None:
    assert not response_schema(tool, description).is_valid({"success": True, "meta": {}})


@every_tool
def test_request_matches_its_documented_schema(tool: Tool[..., Any], description: dict[str, Any]) -> None:
    content = description["paths"][tool.path]["post"]["requestBody"]["content"]
    validator(description, content["application/json"]["schema"]).validate(json_body(tool))


@every_tool_with_raw_bodies
def test_raw_body_returns_the_file(tool: Tool[..., Any], local: dict[str, Result], server: Server) -> None:
    expected = local_result(tool, local)
    if "binary" not in tool.wire.outputs:
        pytest.skip("the tool returns data only")
    options = query(tool) | ({"output": "binary"} if tool.wire.is_data else {})
    headers = {"content-type": concrete_media_type(tool)}
    response = post(tool, server, content=raw_body(tool), params=options, headers=headers)
    assert response.content == expected.file, response.text[:200]
    assert response.headers["content-type"].partition(";")[0] == expected._saved().mime_type.partition(";")[0]
    assert response.headers["content-disposition"].startswith('inline; filename="')


@every_tool_with_files
def test_form_returns_the_file(tool: Tool[..., Any], local: dict[str, Result], server: Server) -> None:
    if "binary" not in tool.wire.outputs:
        pytest.skip("the tool returns data only")
    expected = local_result(tool, local)
    output = [("output", (None, b"binary"))] if tool.wire.is_data else []
    response = post(tool, server, files=[*form_parts(tool), *output])
    assert response.content == expected.file, response.text[:200]
    assert response.headers["content-type"].partition(";")[0] == expected._saved().mime_type.partition(";")[0]
    assert filename(tool, expected) in response.headers["content-disposition"]


@every_tool
def test_link_returns_the_same_file(
    tool: Tool[..., Any], local: dict[str, Result], server: Server, description: dict[str, Any]
) -> None:
    if "url" not in tool.wire.outputs:
        pytest.skip("the tool returns data only")
    expected = local_result(tool, local)
    link = post(tool, server, json={**json_body(tool), "output": "url"}).json()
    response_schema(tool, description).validate(link)
    assert link["size_bytes"] == len(expected.file)
    assert set(link["meta"]) == {"used", "remaining", "unlimited"}
    assert httpx.get(link["url"]).content == expected.file


@every_tool
def test_client_returns_an_equal_result(tool: Tool[..., Any], local: dict[str, Result], server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        result = getattr(client, tool.name)(**CALLS[tool.name])
    assert result == local_result(tool, local)
    assert result.alt == local_result(tool, local).alt


@one_tool_of_each_kind
@pytest.mark.anyio
async def test_async_client_returns_an_equal_result(
    tool: Tool[..., Any], local: dict[str, Result], server: Server
) -> None:
    async with mediakit.AsyncClient(server.url, api_key=server.key) as client:
        assert await getattr(client, tool.name)(**CALLS[tool.name]) == local_result(tool, local)


@every_tool
def test_command_writes_the_same_file(tool: Tool[..., Any], local: dict[str, Result], tmp_path: Path) -> None:
    expected = local_result(tool, local)
    target = tmp_path / f"result.{expected._saved().extension}"
    content = b"" if isinstance(CALLS[tool.name][subject(tool)], list) else raw_or_text(tool)
    ran = run_command([tool.command, *shell_words(tool), "-o", str(target)], content)
    assert ran.exit_code == 0, ran.output
    assert target.read_bytes() == expected.file


def raw_or_text(tool: Tool[..., Any]) -> bytes:
    value = CALLS[tool.name][subject(tool)]
    return value.encode() if isinstance(value, str) else value.read_bytes()


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_tool_is_available_in_every_interface(tool: Tool[..., Any], description: dict[str, Any]) -> None:
    assert getattr(mediakit, tool.name) is tool
    assert tool.name in vars(mediakit)["__all__"]
    assert getattr(Toolbox, tool.name) is tool
    assert tool.path in description["paths"]
    assert tool.command in command_names()
    assert mediakit.form(tool) is not None


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_every_tool_has_help_and_examples(tool: Tool[..., Any]) -> None:
    assert tool.summary.endswith(".")
    assert tool.examples
    assert all(parameter.help for parameter in tool.parameters)
    for example in tool.examples:
        tool.validate(example.values)


def test_catalogue_groups_tools_by_their_tags() -> None:
    assert tuple(CATALOGUE) == get_args(Tag)
    for tag, names in CATALOGUE.items():
        assert [(tool.name, tool.spec.tag) for tool in all_tools() if tool.name in names] == [
            (name, tag) for name in names
        ]


def test_command_imports_no_other_tool() -> None:
    script = (
        "import sys; from mediakit.cli import main; main(['qr', 'hi', '-o', '-'], standalone_mode=False);"
        "print(*sorted(m for m in sys.modules if m.startswith('mediakit.tools.')), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    loaded = {name.split(".")[3] for name in run.stderr.decode().split() if name.count(".") > 2}
    assert loaded == {"qr"}
