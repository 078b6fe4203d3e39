"""A call of every tool, for the promises that hold for all of them."""

from typing import Any

import pytest

from mediakit.core.tool import Tool
from mediakit.samples import LANDSCAPE
from mediakit.tools import TOOLS
from tests import web_page

CALLS: dict[str, dict[str, Any]] = {
    "capture": {"html": "<h1 style='color:#2563eb'>Grüße</h1>", "width": 320, "height": 160, "format": "jpeg"},
    "images": {"file": LANDSCAPE, "width": 120, "height": 90, "format": "webp", "quality": 60},
    "pdf": {
        "html": "<title>Grüße</title><h1>Grüße</h1>",
        "format": "A5",
        "margin": 15,
        "footer": "<b class=pageNumber>",
    },
    "qr": {"data": "https://example.com/ünï", "size": 200, "ecc": "Q", "dark": "1e3a8a"},
    "screenshot": {"url": web_page.URL, "width": 320, "height": 160, "format": "jpeg"},
    "web_to_markdown": {"url": web_page.URL, "format": "text", "max_chars": 5000},
}
BROWSER = {"capture", "pdf", "screenshot", "web_to_markdown"}

every_tool = pytest.mark.parametrize(
    "tool",
    [pytest.param(tool, id=tool.name, marks=[pytest.mark.browser] if tool.name in BROWSER else []) for tool in TOOLS],
)


def subject(tool: Tool[..., Any]) -> str:
    """Name the field that a raw body fills."""
    return next(iter(tool.raw.values()))


def raw_type(tool: Tool[..., Any]) -> str:
    """Name a media type that the raw body of a call in this module has."""
    return next(iter(tool.raw)).replace("image/*", "image/jpeg")


def raw_body(tool: Tool[..., Any], values: dict[str, Any]) -> bytes:
    """Give the raw body of a call."""
    value = values[subject(tool)]
    return value.encode() if isinstance(value, str) else value.read_bytes()


def options(tool: Tool[..., Any], values: dict[str, Any]) -> dict[str, Any]:
    """Give what a raw call sends as its query."""
    return {name: value for name, value in values.items() if name != subject(tool)}
