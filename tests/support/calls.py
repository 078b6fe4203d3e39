"""A call of every tool, for the promises that hold for all of them."""

import json
from typing import Any

import pytest

from mediakit.core.tool import Tool
from mediakit.samples import LABEL, LANDSCAPE
from mediakit.tools.catalogue import TOOLS
from tests.support import web_page

CALLS: dict[str, dict[str, Any]] = {
    "barcode": {"data": "Grüße-2026", "type": "code128", "scale": 2, "dark": "1e3a8a"},
    "capture": {"html": "<h1 style='color:#2563eb'>Grüße</h1>", "width": 320, "height": 160, "format": "jpeg"},
    "chart": {
        "type": "bar",
        "labels": ["Köln", "Zürich, CH"],
        "series": [{"name": "2024", "data": [3, -1.5]}, {"data": [2, 4]}],
        "width": 320,
        "height": 200,
        "values": True,
    },
    "code_reader": {"file": LABEL, "max_codes": 3, "scale": 2.5},
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

ALL = [pytest.param(tool, id=tool.name, marks=[pytest.mark.browser] if tool.name in BROWSER else []) for tool in TOOLS]

every_tool = pytest.mark.parametrize("tool", ALL)
every_tool_with_raw_bodies = pytest.mark.parametrize(
    "tool", [each for each, tool in zip(ALL, TOOLS, strict=True) if tool.raw]
)


def subject(tool: Tool[..., Any]) -> str:
    """Name the field that a raw body fills, or that comes first where the tool takes none."""
    return next(iter(tool.raw.values()), tool.parameters[0].name)


def raw_type(tool: Tool[..., Any]) -> str:
    """Name a media type that the raw body of a call in this module has."""
    return next(iter(tool.raw)).replace("image/*", "image/jpeg")


def raw_body(tool: Tool[..., Any], values: dict[str, Any]) -> bytes:
    """Give the raw body of a call."""
    value = values[subject(tool)]
    return value.encode() if isinstance(value, str) else value.read_bytes()


def words(tool: Tool[..., Any], values: dict[str, Any]) -> list[str]:
    """Give what a call has in the shell beside its subject."""
    found: list[str] = []
    for name, value in options(tool, values).items():
        items = value if isinstance(value, list) else [value]
        for item in items:
            flag = f"--{name.replace('_', '-')}"
            text = json.dumps(item) if isinstance(item, dict) else str(item)
            found += [flag] if item is True else [flag, text]
    return found


def options(tool: Tool[..., Any], values: dict[str, Any]) -> dict[str, Any]:
    """Give what a raw call sends as its query."""
    return {name: value for name, value in values.items() if name != subject(tool)}
