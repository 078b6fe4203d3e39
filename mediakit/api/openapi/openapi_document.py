"""The OpenAPI document as a whole: its description, tags, paths and components."""

from collections.abc import Iterable
from typing import Any

from mediakit.api.openapi.components import Components
from mediakit.api.openapi.headers import CALL_HEADERS, HEADERS
from mediakit.api.openapi.service_operations import ACCEPTED, service_paths
from mediakit.api.openapi.tags import TAGS
from mediakit.api.openapi.tool_operations import operation
from mediakit.core.tool import Tool

API_VERSION = "1.0.0"
"""The version of the HTTP interface, independent of the version of the package."""

DESCRIPTION = """Turn HTML, URLs, data and files into images, PDFs, codes and text: {count} tools in seven groups.

One API key works for every tool, and all tools share one monthly pool of credits. A successful call costs one credit.
Failed calls and `GET /status` are free. Send JSON with files as base64, a `multipart/form-data` form, or the input
itself as the body with options in the query string. Receive JSON with base64, the file itself (`output=binary`), or a
temporary link that is valid for 15 minutes (`output=url`)."""

SERVICE_TOOLS = ("/status",)
"""Paths of the tools that are not in the catalogue."""

API_KEY = {
    "type": "apiKey",
    "in": "header",
    "name": "x-api-key",
    "description": "An API key of the account. `mediakit key create EMAIL` creates one.",
}


def document(tools: Iterable[Tool[..., Any]]) -> dict[str, Any]:
    """Return the OpenAPI document of an API with these tools. The caller adds `servers`."""
    tools = tuple(tools)
    components = Components()
    paths = {tool.path: {"post": operation(tool, components)} for tool in tools} | service_paths(components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mediakit",
            "version": API_VERSION,
            "summary": "Images, PDFs, charts, codes and clean text over HTTP.",
            "description": DESCRIPTION.format(count=len(tools) + len(SERVICE_TOOLS)),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"ApiKey": []}],
        "tags": [{"name": name, "description": description} for name, description in TAGS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": {"ApiKey": API_KEY},
            "headers": HEADERS,
            "parameters": CALL_HEADERS,
            "responses": {"Accepted": ACCEPTED} | dict(sorted(components.responses.items())),
            "schemas": dict(sorted(components.schemas.items())),
        },
    }
