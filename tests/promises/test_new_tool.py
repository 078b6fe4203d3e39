"""A tool that is defined only in this file works through every interface."""

import base64
import io
from collections.abc import AsyncIterator
from dataclasses import KW_ONLY
from pathlib import Path
from typing import Annotated, Any, Literal

import httpx
import pytest
from click.testing import CliRunner
from PIL import Image
from pydantic import Field

import mediakit
from mediakit.api.openapi import document
from mediakit.cli.tools import tool_command
from mediakit.client import AsyncClient, Client
from mediakit.core.fields import HexColor
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from tests.conftest import Api, open_api


@request
class SwatchRequest:
    """A color to show."""

    color: HexColor
    """The color."""
    _: KW_ONLY
    size: Annotated[int, Field(ge=1, le=64)] = 8
    """Side, in pixels."""
    format: Literal["png", "webp"] = "png"
    """File format."""


@tool(
    SwatchRequest,
    tag="Images",
    raw={"text/plain": "color"},
    produces=("image/png", "image/webp"),
    alt=lambda request: f"The color {request.color}",
    examples=[Example("Blue", {"color": "#2563eb"})],
)
def color_swatch(request: SwatchRequest) -> ImageResult:
    """Show a color."""
    target = io.BytesIO()
    Image.new("RGB", (request.size, request.size), request.color).save(target, request.format)
    return ImageResult(target.getvalue(), f"image/{request.format}", {"format": request.format})


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(color_swatch,)):
        yield api


def is_blue(content: bytes) -> bool:
    with Image.open(io.BytesIO(content)) as image:
        return image.convert("RGB").getpixel((0, 0)) == (37, 99, 235)


def test_new_tool_works_in_python() -> None:
    swatch = color_swatch("2563EB", size=4)
    assert is_blue(swatch.content)
    assert (swatch.width, swatch.height) == (4, 4)
    assert swatch.alt == "The color #2563eb"


@pytest.mark.anyio
async def test_new_tool_works_in_async_code() -> None:
    assert is_blue((await color_swatch.aio("2563EB")).content)


@pytest.mark.anyio
async def test_new_tool_works_over_http_with_every_output(api: Api) -> None:
    envelope = (await api.json("/color-swatch", {"color": "#2563eb"})).json()
    assert is_blue(base64.b64decode(envelope["image"]))
    assert is_blue((await api.raw("/color-swatch", "2563eb", "text/plain", size=2)).content)
    link = (await api.json("/color-swatch", {"color": "#2563eb", "output": "url"})).json()
    assert is_blue((await api.http.get(link["url"])).content)
    rejected = await api.json("/color-swatch", {"colr": "#2563eb"})
    assert rejected.json()["error"] == 'colr: is not a known field; did you mean "color"?'


@pytest.mark.anyio
async def test_new_tool_works_with_clients(api: Api) -> None:
    transport = api.http._transport
    async with AsyncClient("http://api.test", api_key=api.key, transport=transport) as client:
        assert await client.call(color_swatch, "2563eb", size=3) == color_swatch("2563eb", size=3)
        with pytest.raises(InvalidInput, match="size: must be between 1 and 64, got 65"):
            await client.call(color_swatch, "2563eb", size=65)


def test_new_tool_is_method_of_client_subclass() -> None:
    class OurClient(Client):
        color_swatch = color_swatch

    def answer(request: httpx.Request) -> httpx.Response:
        assert (request.url.path, request.content) == ("/color-swatch", b'{"color":"#2563eb"}')
        return httpx.Response(200, content=color_swatch("2563eb").envelope({"used": 1}))

    client = OurClient("http://api.test", api_key="key", transport=httpx.MockTransport(answer))
    assert client.color_swatch("2563eb") == color_swatch("2563eb")


def test_new_tool_works_in_shell(tmp_path: Path) -> None:
    target = tmp_path / "blue.webp"
    ran = CliRunner().invoke(tool_command(color_swatch), ["2563eb", "--size", "3", "-o", str(target)])
    assert ran.exit_code == 0, ran.output
    with Image.open(target) as image:
        assert (image.format, image.size) == ("WEBP", (3, 3))


def test_new_tool_has_form() -> None:
    form = mediakit.form(color_swatch, color="#2563eb")
    assert is_blue(form.result.content)


def test_new_tool_is_in_openapi_document() -> None:
    operation: dict[str, Any] = document([color_swatch])["paths"]["/color-swatch"]["post"]
    assert operation["operationId"] == "color_swatch"
    assert set(operation["requestBody"]["content"]) == {"application/json", "text/plain"}
    parameters = operation["parameters"]
    assert {option["name"] for option in parameters if "name" in option} == {"size", "format", "output"}
    assert {"$ref": "#/components/parameters/IdempotencyKey"} in parameters
