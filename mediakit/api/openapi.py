"""The OpenAPI 3.1 document, generated from the requests of the tools."""

import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter

from mediakit.core.files import MAX_FILE_BYTES
from mediakit.core.parameters import Parameter, public_schema
from mediakit.core.tool import Example, Tag, Tool
from mediakit.core.usage import Usage
from mediakit.errors import EmailNotVerified, InvalidInput, InvalidKey, LimitReached, MediakitError, ServerBusy
from mediakit.results.data import DataResult
from mediakit.settings import Plan

API_VERSION = "1.0.0"
"""The version of the HTTP interface, independent of the version of the package."""

DESCRIPTION = """Turn HTML, URLs, data and files into images, PDFs, codes and text.

One API key works for every tool, and all tools share one monthly pool of credits. A successful call costs one credit.
Failed calls and `GET /status` are free. Send JSON with files as base64, a `multipart/form-data` form, or the input
itself as the body with options in the query string. Receive JSON with base64, the file itself (`output=binary`), or a
temporary link that is valid for 15 minutes (`output=url`)."""

JSON = "application/json"
MULTIPART = "multipart/form-data"
QUERY_NOTE = "For raw and form bodies. In a JSON body, this is a field."

OPTIONAL: Mapping[type[MediakitError], tuple[str, ...]] = {InvalidInput: ("details",)}
ABSTRACT: Mapping[type[MediakitError], tuple[str, ...]] = {LimitReached: ("reason",)}
"""Fields that every subclass sets to a constant of its own."""

FIELDS: Mapping[str, Mapping[str, Any]] = {
    "details": {
        "type": "array",
        "items": {"type": "object", "properties": {"field": {"type": "string"}, "message": {"type": "string"}}},
    },
    "hosts": {"type": "array", "items": {"type": "string"}, "description": "The sites involved."},
    "plan": {"enum": list(get_args(Plan))},
    "limit": {"type": "integer", "description": "Credits per month, or requests per minute."},
    "retry_after": {"type": "integer", "minimum": 1, "description": "Seconds to wait before a retry."},
    "reason": {
        "enum": ["credits", "rate"],
        "description": "The limit that was exceeded: credits per month, or requests per minute.",
    },
}
"""Schemas of the fields of error bodies."""

COMMON_ERRORS: tuple[type[MediakitError], ...] = (InvalidInput, InvalidKey, EmailNotVerified, LimitReached, ServerBusy)
"""Errors of every tool."""

META = {
    "used": {"type": "integer", "description": "Credits used this month, including this call."},
    "remaining": {"type": ["integer", "null"], "description": "Credits left; null: unlimited."},
    "unlimited": {"type": "boolean"},
}

LINK = {
    "type": "object",
    "required": ["success", "url", "expires_at", "mime_type", "size_bytes", "meta"],
    "properties": {
        "success": {"const": True},
        "url": {"type": "string", "format": "uri"},
        "expires_at": {"type": "string", "format": "date-time", "description": "15 minutes after creation."},
        "mime_type": {"type": "string"},
        "size_bytes": {"type": "integer"},
        "meta": {"type": "object", "required": list(META), "properties": META},
    },
}


def document(tools: Iterable[Tool[..., Any]]) -> dict[str, Any]:
    """Return the OpenAPI document of an API with these tools. The caller adds `servers`."""
    tools = tuple(tools)
    return {
        "openapi": "3.1.0",
        "info": {"title": "mediakit", "version": API_VERSION, "description": DESCRIPTION},
        "security": [{"ApiKey": []}],
        "tags": [{"name": tag} for tag in get_args(Tag) if tag == "Account" or any(tool.tag == tag for tool in tools)],
        "paths": {tool.path: {"post": _operation(tool)} for tool in tools} | {"/status": {"get": _status()}},
        "components": {
            "securitySchemes": {"ApiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"}},
            "schemas": {**_usage_schemas(), "Link": LINK},
            "responses": {error.__name__: _error(error) for error in _errors(tools)},
        },
    }


def errors_of(tool: Tool[..., Any]) -> tuple[type[MediakitError], ...]:
    """Return the errors of a tool, ordered by status."""
    return tuple(sorted({*COMMON_ERRORS, *tool.errors}, key=lambda error: error.status))


def _usage_schemas() -> dict[str, Any]:
    usage = TypeAdapter(Usage).json_schema(ref_template="#/components/schemas/{model}")
    return {**usage.pop("$defs"), "Usage": usage}


def _errors(tools: Iterable[Tool[..., Any]]) -> dict[type[MediakitError], None]:
    return {error: None for tool in tools for error in errors_of(tool)}


def _operation(tool: Tool[..., Any]) -> dict[str, Any]:
    bodies = set(tool.raw.values())
    in_query = [each for each in tool.parameters if each.name not in bodies and not each.is_file and not each.is_secret]
    options = [_option(parameter) for parameter in in_query]
    has_query = bool(tool.raw) or tool.takes_files
    return {
        "operationId": tool.name,
        "summary": tool.summary,
        "description": tool.description,
        "tags": [tool.tag],
        "parameters": [*options, {"name": "output", "in": "query", "schema": _output(tool)}] if has_query else [],
        "requestBody": {"required": True, "content": _bodies(tool)},
        "responses": {"200": _success(tool), **_error_responses(errors_of(tool))},
    }


def _property(parameter: Parameter) -> dict[str, Any]:
    also = f" Also accepted as {' or '.join(parameter.aliases)}." if parameter.aliases else ""
    return {**public_schema(parameter.schema), "description": parameter.help + also}


def _option(parameter: Parameter) -> dict[str, Any]:
    schema = {
        key: value for key, value in public_schema(parameter.schema).items() if key not in ("title", "description")
    }
    option = {"name": parameter.name, "in": "query", "description": f"{parameter.help} {QUERY_NOTE}"}
    if parameter.kind in ("object", "table") or (parameter.kind == "list" and not parameter.holds_texts):
        return {**option, "content": {JSON: {"schema": schema}}}
    serialization = {"explode": False} if parameter.kind == "list" else {}
    return {**option, "schema": schema, **serialization}


def _output(tool: Tool[..., Any]) -> dict[str, Any]:
    return {
        "enum": list(tool.result.outputs),
        "description": "How the result is returned: `json` is the default"
        + ("." if tool.result.is_data else " for JSON bodies, `binary` for raw and form bodies."),
    }


def _bodies(tool: Tool[..., Any]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
        "properties": {
            **{parameter.name: _property(parameter) for parameter in tool.parameters},
            "output": _output(tool),
        },
        **{name: part for name, part in tool.schema.items() if name == "$defs"},
    }
    raw = {media_type: {"schema": _raw_schema(tool, field)} for media_type, field in tool.raw.items()}
    form = {MULTIPART: {"schema": _form_schema(tool)}} if tool.takes_files else {}
    return {JSON: {"schema": schema, "examples": _examples(tool.examples)}, **form, **raw}


def _form_schema(tool: Tool[..., Any]) -> dict[str, Any]:
    fields = {parameter.name: _part(parameter) for parameter in tool.parameters}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
        "properties": {**fields, "output": _output(tool)},
    }


def _part(parameter: Parameter) -> dict[str, Any]:
    if not parameter.is_file:
        return _property(parameter)
    file = {"type": "string", "contentMediaType": "application/octet-stream"}
    if parameter.kind == "file":
        return {**file, "description": parameter.help}
    return {"type": "array", "items": file, "maxItems": parameter.max_length, "description": parameter.help}


def _raw_schema(tool: Tool[..., Any], field: str) -> dict[str, Any]:
    parameter = next(parameter for parameter in tool.parameters if parameter.name == field)
    if parameter.kind == "file":
        return {"description": f"{parameter.help} At most {MAX_FILE_BYTES:,} bytes."}
    return {"type": "string", "maxLength": parameter.max_length, "description": parameter.help}


def _examples(examples: Iterable[Example]) -> dict[str, Any]:
    shown = [example for example in examples if not any(map(_has_file, example.values.values()))]
    return {example.title: {"summary": example.title, "value": dict(example.values)} for example in shown}


def _has_file(value: Any) -> bool:
    return isinstance(value, Path) or (isinstance(value, list | tuple) and any(map(_has_file, value)))


def _success(tool: Tool[..., Any]) -> dict[str, Any]:
    fields = tool.result.schema() if issubclass(tool.result, DataResult) else _file(tool)
    required = [name for name, schema in fields.items() if not schema.pop("x-optional", False)]
    meta = {**fields.pop("meta", {}).get("properties", {}), **META}
    envelope = {
        "type": "object",
        "required": ["success", *(name for name in required if name != "meta"), "meta"],
        "properties": {
            "success": {"const": True},
            **fields,
            "meta": {"type": "object", "required": list(meta), "properties": meta},
        },
    }
    alternatives: list[dict[str, Any]] = [envelope]
    if "url" in tool.result.outputs:
        alternatives.append({"$ref": "#/components/schemas/Link"})
    if JSON in tool.produces and not tool.result.is_data:
        alternatives.append({"description": "The file itself."})
    files: dict[str, Any] = {media_type: {} for media_type in tool.produces if media_type != JSON}
    return {
        "description": "The result: a JSON envelope, a temporary link, or the file itself.",
        "content": {**files, JSON: {"schema": {"anyOf": alternatives}}},
    }


def _file(tool: Tool[..., Any]) -> dict[str, Any]:
    content = {"type": "string", "contentEncoding": "base64"}
    return {tool.result.member: content, "mime_type": {"enum": list(tool.produces)}, **tool.result.extra_schema()}


def _status() -> dict[str, Any]:
    usage = {"$ref": "#/components/schemas/Usage"}
    return {
        "operationId": "status",
        "summary": "Return the plan and the credits used.",
        "description": "Costs no credit.",
        "tags": ["Account"],
        "responses": {
            "200": {"description": "Plan and usage.", "content": {JSON: {"schema": usage}}},
            **_error_responses([InvalidKey]),
        },
    }


def _error_responses(errors: Iterable[type[MediakitError]]) -> dict[str, Any]:
    return {str(error.status): {"$ref": f"#/components/responses/{error.__name__}"} for error in errors}


def _error(error: type[MediakitError]) -> dict[str, Any]:
    required = (*error.fields, *ABSTRACT.get(error, ()))
    members = {name: FIELDS[name] for name in (*required, *OPTIONAL.get(error, ()))}
    constants = {name: {"const": value} for name, value in error.constants.items()}
    schema = {
        "type": "object",
        "required": ["error", *error.constants, *required],
        "properties": {"error": {"type": "string"}, **constants, **members},
    }
    headers = {"headers": {"Retry-After": {"schema": {"type": "integer"}}}} if "retry_after" in error.fields else {}
    return {"description": inspect.cleandoc(error.__doc__ or ""), "content": {JSON: {"schema": schema}}, **headers}
