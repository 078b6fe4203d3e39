"""The operation of a tool."""

from typing import Any

from mediakit.api.docs_extension import docs_extension
from mediakit.api.openapi.components import Components
from mediakit.api.openapi.errors import error_references, errors_of
from mediakit.api.openapi.fields import output_field, query_option
from mediakit.api.openapi.headers import CALL_HEADERS
from mediakit.api.openapi.request_bodies import request_body
from mediakit.api.openapi.results import success
from mediakit.core.tool import Tool
from mediakit.errors import RequestHeadersTooLarge


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
