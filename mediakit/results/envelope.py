"""Results of a tool as the faces see them: reading a response, the member of the file, the JSON Schema."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, get_args, get_origin

from mediakit.core.tool import Tool
from mediakit.results.data import Data, hints_of
from mediakit.results.files import FileResult
from mediakit.results.item import json_schema, type_parts
from mediakit.results.result import Result

SIZE: Mapping[str, Any] = {"type": "integer", "description": "Size of the file.", "examples": [20335]}

EXAMPLES: Mapping[str, str] = {
    "image": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
    "pdf": "JVBERi0xLjcKJSBzaG9ydGVuZWQgZXhhbXBsZQo=",
    "file": "Y2l0eSxvcmRlcnMKTGlzYm9uLDEyCg==",
}
"""Short base64 of the file in an envelope, by the name of its member."""

LISTED: Mapping[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "file", "mime_type", "size_bytes"],
        "properties": {
            "name": {"type": "string", "description": "Safe and unique, with `/` between folders."},
            "file": {"type": "string", "contentEncoding": "base64"},
            "mime_type": {"type": "string"},
            "size_bytes": {"type": "integer"},
        },
    },
}
"""Several files that stand beside each other in the JSON."""

OPTIONAL: Mapping[str, Any] = {"x-optional": True}


def parse(tool: Tool[..., Any], body: Mapping[str, Any]) -> Any:
    """Return the result in the JSON body of a server's response to a call of a tool, without the account's usage.

    Raises:
        InvalidInput: The body does not have the members of the tool's results.
    """
    annotation = next((each for each in tool.returns if _is_in(each, body)), tool.returns[-1])
    kind = get_origin(annotation) or annotation
    return kind.from_envelope(body, annotation)


def _is_in(annotation: Any, body: Mapping[str, Any]) -> bool:
    """Return whether a response has the file of a class, or the first required field of its data."""
    kind = get_origin(annotation) or annotation
    if issubclass(kind, FileResult):
        return kind._wire.member in body
    if not issubclass(kind, Data):
        return True
    required = (each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING)
    first = next(required, None)
    return first is None or first in body


def member_of(result: Result) -> str:
    """Return the name of the member that holds the file of a result; empty for data."""
    return result._sent_as() if isinstance(result, FileResult) else ""


def file_fields(result: Result) -> dict[str, Any]:
    """Return the members of the JSON between the media type of a file and the meta; none for data."""
    if not isinstance(result, FileResult):
        return {}
    return {name: value for name, value in result._members().items() if name != "mime_type"}


def tool_schema(tool: Tool[..., Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each member of a tool's responses, the meta of its files included.

    Members that some responses do not have are marked with `x-optional`.
    """
    found = [_schema(annotation, tool) for annotation in tool.returns]
    if len(found) == 1:
        return found[0]
    merged: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(name for each in found for name in each if name != "meta"):
        parts = [each[name] for each in found if name in each]
        merged[name] = {**parts[0], **({} if len(parts) == len(found) else OPTIONAL)}
    return merged | {"meta": _meta([each.get("meta", {}) for each in found])}


def _meta(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    known = [each.get("properties", {}) for each in schemas]
    names = dict.fromkeys(name for each in known for name in each)
    return {
        "properties": {
            name: {
                **next(each[name] for each in known if name in each),
                **({} if all(name in each for each in known) else OPTIONAL),
            }
            for name in names
        }
    }


def _schema(annotation: Any, tool: Tool[..., Any]) -> dict[str, dict[str, Any]]:
    kind = get_origin(annotation) or annotation
    if issubclass(kind, FileResult):
        return _file_schema(kind, tool)
    return data_schema(annotation, tool)


def _file_schema(kind: type[FileResult], tool: Tool[..., Any]) -> dict[str, dict[str, Any]]:
    member = kind._wire.member
    content = {"type": "string", "contentEncoding": "base64", "examples": [EXAMPLES[member]]}
    mime_type = {"type": "string", "enum": list(tool.produces)}
    named: dict[str, Any] = {"filename": {"type": "string"}} if member == "file" else {}
    extra = kind._extra_schema()
    meta = {"properties": {"size_bytes": SIZE, **extra.pop("meta", {}).get("properties", {})}}
    return {member: content, "mime_type": mime_type, **named, **extra, "meta": meta}


def data_schema(annotation: Any, tool: Tool[..., Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each member of a response with data. Optional ones have `x-optional`.

    A file is its member (base64), its media type and, except of images and PDFs, its name; `meta` has its size.
    """
    found: dict[str, dict[str, Any]] = {}
    kind = get_origin(annotation) or annotation
    schemas = json_schema(annotation)
    if (described := kind._described(dict(schemas))) != schemas:
        return dict(described)
    for name, hint in hints_of(kind).items():
        files = [part for part in type_parts(hint) if isinstance(part, type) and issubclass(part, FileResult)]
        schema = schemas[name]
        about: dict[str, Any] = {key: schema[key] for key in ("description", "examples", "x-optional") if key in schema}
        if not files:
            found[name] = schema
        elif list in (get_origin(part) for part in (hint, *get_args(hint))):
            found[name] = {**LISTED, **about}
        else:
            optional = {"x-optional": True} if "x-optional" in schema else {}
            member = files[0]._wire.member
            found[member] = {"type": "string", "contentEncoding": "base64", "examples": [EXAMPLES[member]], **about}
            types = [media for media in tool.produces if media != "application/json"]
            found["mime_type"] = {"type": "string", "enum": types, **optional}
            if member == "file":
                found["filename"] = {"type": "string", **optional}
            if "size_bytes" not in tool.spec.meta:
                found["meta"] = {"properties": {"size_bytes": {**SIZE, **optional}}}
    return found
