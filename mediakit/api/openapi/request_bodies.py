"""Request bodies of a tool: JSON, a form for tools with files, and raw bodies."""

from collections.abc import Iterable
from typing import Any

from mediakit.api.docs_extension import has_file
from mediakit.api.openapi.components import Components
from mediakit.api.openapi.fields import JSON, component_name, form_part, json_property, output_field
from mediakit.core.inputs import MAX_FILE_BYTES
from mediakit.core.tool import Example, Tool

MULTIPART = "multipart/form-data"


def request_body(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    """Return the request body of a tool with every media type that it takes."""
    raw = {media_type: {"schema": _raw_schema(tool, field)} for media_type, field in tool.spec.raw.items()}
    form = {MULTIPART: {"schema": _form(tool, components)}} if tool.file_fields else {}
    json = {"schema": _json(tool, components), "examples": _examples(tool.examples)}
    return {"required": True, "content": {JSON: json, **form, **raw}}


def _json(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    fields = {parameter.name: json_property(tool, parameter, components) for parameter in tool.parameters}
    return components.add(f"{component_name(tool)}Request", _object(tool, fields, components))


def _form(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    parts = {parameter.name: form_part(tool, parameter, components) for parameter in tool.parameters}
    return components.add(f"{component_name(tool)}Form", _object(tool, parts, components))


def _object(tool: Tool[..., Any], fields: dict[str, Any], components: Components) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
        "properties": {**fields, "output": output_field(tool, components)},
    }


def _raw_schema(tool: Tool[..., Any], field: str) -> dict[str, Any]:
    parameter = next(parameter for parameter in tool.parameters if parameter.name == field)
    # `format: binary` is the body as it is. Generated clients would send a plain string as JSON, or not at all.
    schema: dict[str, Any] = {"type": "string", "format": "binary"}
    if parameter.is_file:
        return {**schema, "description": f"{parameter.help} At most {MAX_FILE_BYTES:,} bytes."}
    limits = {key: parameter.schema[key] for key in ("minLength", "maxLength") if key in parameter.schema}
    return {**schema, **limits, "description": f"{parameter.help} UTF-8, or the charset in the Content-Type."}


def _examples(examples: Iterable[Example]) -> dict[str, Any]:
    shown = [example for example in examples if not any(map(has_file, example.values.values()))]
    return {example.title: {"summary": example.title, "value": dict(example.values)} for example in shown}
