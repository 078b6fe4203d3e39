"""The OpenAPI document as a whole: its description, tags, operations and components."""

from collections.abc import Iterable, Mapping
from typing import Any

from mediakit.api.openapi.bodies import output_field, query_option, request_body, success
from mediakit.api.openapi.components import CALL_HEADERS, HEADERS, Components
from mediakit.api.openapi.errors import error_references, errors_of
from mediakit.api.openapi.examples import docs_extension
from mediakit.api.openapi.service import ACCEPTED, service_paths
from mediakit.core.tool import Tag, Tool
from mediakit.errors import RequestHeadersTooLarge

TAGS: Mapping[Tag, str] = {
    "Images": "Render, resize, compare and describe images, draw codes, charts and tables, and read codes.",
    "PDF": "Render, combine, split, change, protect and read PDFs.",
    "Documents": "Convert web pages, documents and notebooks, and fill Word templates.",
    "Files": "Pack, unpack, identify, encode and repair files, and download results by their temporary links.",
    "Validation": "Check values such as account numbers and email addresses: one, several, or a column of a table.",
    "Data": "Convert, profile, compare and query tables and structured data.",
    "Account": "Plan, credits and usage, and the health of the server.",
}
"""What the operations of each tag do."""


def operation(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    """Return the operation of a tool, and register its schemas."""
    errors = (*errors_of(tool), RequestHeadersTooLarge)
    return {
        "operationId": tool.name,
        "summary": tool.summary,
        "description": tool.description,
        "tags": [tool.spec.tag],
        "parameters": [
            *_query(tool, components),
            *({"$ref": f"#/components/parameters/{name}"} for name in CALL_HEADERS),
        ],
        "requestBody": request_body(tool, components),
        "responses": {
            "200": success(tool, components),
            "202": {"$ref": "#/components/responses/Accepted"},
            **error_references(errors, components),
        },
        "x-docs": docs_extension(tool),
    }


def _query(tool: Tool[..., Any], components: Components) -> list[dict[str, Any]]:
    """Return the query options of raw and form bodies; tools that take only JSON have none."""
    if not tool.spec.raw and not tool.file_fields:
        return []
    bodies = set(tool.spec.raw.values())
    in_query = [each for each in tool.parameters if each.name not in bodies and not each.is_file and not each.is_secret]
    output = {"name": "output", "in": "query", "schema": output_field(tool, components)}
    return [*(query_option(tool, parameter, components) for parameter in in_query), output]


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
