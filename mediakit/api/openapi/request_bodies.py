"""Requests of a tool: its fields in a JSON body, in a form, in a raw body and in the query."""

from collections.abc import Callable
from typing import Any

from pydantic_core import to_json

from mediakit.api.body import MULTIPART
from mediakit.api.forms import MAX_PARTS
from mediakit.api.headers import JSON
from mediakit.api.openapi.components import Components, pascal
from mediakit.api.openapi.examples import has_file
from mediakit.core.inputs import MAX_FILE_BYTES
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool

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
