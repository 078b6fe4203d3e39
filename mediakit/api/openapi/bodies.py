"""What a tool receives and returns.

Its fields in a JSON body, a form, a raw body and the query; and its successful responses: a JSON envelope, a temporary
link, or the file itself.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import to_json

from mediakit.api.body import MULTIPART
from mediakit.api.forms import MAX_PARTS
from mediakit.api.headers import JSON
from mediakit.api.openapi.components import FILE, RATE_LIMITED, REPLAYED, Components, header_references, pascal
from mediakit.api.openapi.examples import example_of, has_file
from mediakit.core.inputs import MAX_FILE_BYTES
from mediakit.core.media import media_type
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool
from mediakit.results.data import tool_schema

_Field = Callable[[Tool[..., Any], Parameter, Components], dict[str, Any]]

QUERY_NOTE = "For raw and form bodies. In a JSON body, this is a field; there the option is rejected with a 400."


def json_property(tool: Tool[..., Any], parameter: Parameter, components: Components) -> dict[str, Any]:
    """Return the schema of a field in a JSON body."""
    also = f" Also accepted as {' or '.join(parameter.aliases)}." if parameter.aliases else ""
    schema = components.extract(parameter.schema, f"{component_name(tool)}{pascal(parameter.name)}")
    if tool.__signature__.parameters[parameter.name].default is not None:
        return {**schema, "description": parameter.help + also}
    # The default depends on other fields. Generated clients would send it, which is not the same as omitting it.
    schema.pop("default", None)
    return {**schema, "description": parameter.help + _default(parameter) + also}


def form_part(tool: Tool[..., Any], parameter: Parameter, components: Components) -> dict[str, Any]:
    """Return the schema of a field in a form."""
    if not parameter.is_file:
        part = _text(parameter) or json_property(tool, parameter, components)
        # Each item is a part, and the number of parts is limited. A longer list is a JSON array in one part.
        return {**part, "maxItems": MAX_PARTS // 2} if part.get("maxItems", 0) >= MAX_PARTS else part
    file = {"type": "string", "format": "binary"}
    if parameter.kind == "file":
        return {**file, "description": parameter.help}
    return {
        "type": "array",
        "items": file,
        "minItems": 1,
        "maxItems": parameter.max_length,
        "description": parameter.help,
    }


def query_option(tool: Tool[..., Any], parameter: Parameter, components: Components) -> dict[str, Any]:
    """Return a field as an option in the query."""
    property_ = (_text(parameter) if parameter.kind == "text" else {}) or json_property(tool, parameter, components)
    # Generated clients send the defaults of query options, and a JSON body allows no query options.
    schema = {key: part for key, part in property_.items() if key not in ("description", "default")}
    description = f"{parameter.help}{_default(parameter)} {QUERY_NOTE}"
    option = {"name": parameter.name, "in": "query", "description": description}
    if parameter.kind in ("object", "table") or (parameter.kind == "list" and not parameter.holds_texts):
        return {**option, "content": {JSON: {"schema": schema}}}
    serialization = {"explode": False} if parameter.kind == "list" else {}
    return {**option, "schema": schema, **serialization}


def _default(parameter: Parameter) -> str:
    return "" if parameter.default is None else f" Default: `{to_json(parameter.default).decode()}`."


def _text(parameter: Parameter) -> dict[str, Any]:
    """Return the schema of a field that is text outside of JSON, whatever its type in JSON is; else nothing."""
    schema = {"type": "string", "description": parameter.help}
    if parameter.kind == "table":
        return {**schema, "description": f"{parameter.help} As JSON text.", "contentMediaType": JSON}
    return schema if parameter.kind == "text" and "anyOf" in parameter.schema else {}


def output_field(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    """Return the schema of the `output` option."""
    default = " for JSON bodies, `binary` for raw and form bodies."
    if tool.wire.is_data:
        default = f"{default[:-1]} if the call makes a file." if tool.wire.sends_file else "."
    schema = {"type": "string", "enum": list(tool.wire.outputs)}
    extracted: dict[str, Any] = components.extract(schema, f"{component_name(tool)}Output")
    return {**extracted, "description": f"How the result is returned: `json` is the default{default}"}


def component_name(tool: Tool[..., Any]) -> str:
    """Return the first part of the names of a tool's components."""
    return pascal(tool.name)


def request_body(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    """Return the request body of a tool with every media type that it takes."""
    raw = {media_type: {"schema": _raw_schema(tool, field)} for media_type, field in tool.spec.raw.items()}
    form = {MULTIPART: {"schema": _object(tool, "Form", form_part, components)}} if tool.file_fields else {}
    examples = {
        example.title: {"summary": example.title, "value": dict(example.values)}
        for example in tool.examples
        if not any(map(has_file, example.values.values()))
    }
    json = {"schema": _object(tool, "Request", json_property, components), "examples": examples}
    return {"required": True, "content": {JSON: json, **form, **raw}}


def _object(tool: Tool[..., Any], kind: str, field: _Field, components: Components) -> dict[str, Any]:
    """Register the schema of a body with the fields of a tool, and return a reference to it."""
    fields = {parameter.name: field(tool, parameter, components) for parameter in tool.parameters}
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
        "properties": {**fields, "output": output_field(tool, components)},
    }
    return components.add(f"{component_name(tool)}{kind}", schema)


def _raw_schema(tool: Tool[..., Any], field: str) -> dict[str, Any]:
    parameter = next(parameter for parameter in tool.parameters if parameter.name == field)
    # `format: binary` is the body as it is. Generated clients would send a plain string as JSON, or not at all.
    schema: dict[str, Any] = {"type": "string", "format": "binary"}
    if parameter.is_file:
        return {**schema, "description": f"{parameter.help} At most {MAX_FILE_BYTES:,} bytes."}
    limits = {key: parameter.schema[key] for key in ("minLength", "maxLength") if key in parameter.schema}
    return {**schema, **limits, "description": f"{parameter.help} UTF-8, or the charset in the Content-Type."}


CREDITS: Mapping[str, Any] = {
    "used": {"type": "integer", "description": "Credits used this month, including this call.", "examples": [42]},
    "remaining": {"type": ["integer", "null"], "description": "Credits left; null: unlimited.", "examples": [458]},
    "unlimited": {"type": "boolean", "examples": [False]},
}
"""The members of every `meta`."""

SIZE = {"type": "integer", "description": "Size of the file.", "examples": [20335]}

LINK: Mapping[str, Any] = {
    "type": "object",
    "description": "A temporary link to a result.",
    "required": ["success", "url", "expires_at", "mime_type", "size_bytes", "meta"],
    "properties": {
        "success": {"type": "boolean", "const": True},
        "url": {"type": "string", "format": "uri", "description": "Works without a key."},
        "expires_at": {"type": "string", "format": "date-time", "description": "15 minutes after creation."},
        "mime_type": {"type": "string"},
        "size_bytes": SIZE,
        "meta": {"$ref": "#/components/schemas/Credits"},
    },
}
JSON_FILE: Mapping[str, Any] = {
    "description": "The file itself, with `output=binary`, where the file is JSON: any value without `success`.",
    "not": {"type": "object", "required": ["success"]},
}
LINK_URL = "https://api.example.com/files/3q2-7wAAAAAexampleexampleexampleexampleexam"


def success(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    """Return the response with status 200."""
    components.add("Credits", {"type": "object", "required": list(CREDITS), "properties": CREDITS})
    envelope = components.add(f"{component_name(tool)}Result", _envelope(tool, components))
    alternatives: list[dict[str, Any]] = [envelope]
    examples = {"json": {"summary": "JSON", "value": example_of(envelope, components.schemas)}}
    if "url" in tool.wire.outputs:
        alternatives.append(components.add("Link", LINK))
        example: dict[str, Any] = example_of(LINK, components.schemas)
        examples["url"] = {
            "summary": "A temporary link",
            "value": {**example, "url": LINK_URL, "mime_type": tool.produces[0]},
        }
    has_files = "binary" in tool.wire.outputs
    if JSON in tool.produces and has_files:
        alternatives.append(components.add("JsonFile", JSON_FILE))
    files = {name: _file(name) for name in tool.produces if has_files and name != JSON}
    return {
        "description": "The result: a JSON envelope, a temporary link, or the file itself.",
        "headers": header_references(*RATE_LIMITED, *REPLAYED, *(FILE if has_files else ())),
        "content": {JSON: {"schema": {"anyOf": alternatives}, "examples": examples}, **files},
    }


def _envelope(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    name = component_name(tool)
    fields = tool_schema(tool)
    reported = fields.pop("meta", {}).get("properties", {}) | tool.spec.meta
    properties = {field: components.extract(schema, f"{name}Result{pascal(field)}") for field, schema in fields.items()}
    own = {field: components.extract(schema, f"{name}Meta{pascal(field)}") for field, schema in reported.items()}
    required = [*_required(reported), *CREDITS]
    meta = {"type": "object", "required": required, "properties": {**own, **CREDITS}}
    return {
        "type": "object",
        "required": ["success", *_required(fields), "meta"],
        "properties": {
            "success": {"type": "boolean", "const": True},
            **properties,
            "meta": components.add(f"{name}Meta", meta),
        },
    }


def _required(fields: Mapping[str, Any]) -> list[str]:
    return [name for name, schema in fields.items() if not schema.get("x-optional")]


def _file(name: str) -> dict[str, Any]:
    """Return the description of a response that is the file itself."""
    media = media_type(name)
    label = media.label if media else f"a file of the type {name}"
    is_text = bool(media and media.is_text)
    schema = {"type": "string"} if is_text else {"type": "string", "format": "binary"}
    return {"schema": schema, "examples": {"file": {"summary": "The file itself", "value": f"(the bytes of {label})"}}}
