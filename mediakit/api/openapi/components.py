"""Named schemas: objects, enumerations and files become components, and every use is a reference."""

import re
from collections.abc import Mapping
from typing import Any

from mediakit.core.fields import MAX_URL_LENGTH

PREFIX = "#/components/schemas/"
INTERNAL = frozenset({"title", "x-kind", "x-optional", "x-takes"})
"""Members of schemas that only mediakit reads, and titles, which repeat the name of their field."""


class Components:
    """The schemas and the error responses of a document by name."""

    def __init__(self) -> None:
        self.schemas: dict[str, Any] = {}
        self.responses: dict[str, Any] = {}

    def add(self, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        """Register a schema, and return a reference to it.

        Raises:
            ValueError: Another schema has this name.
        """
        if self.schemas.setdefault(name, schema) != schema:
            raise ValueError(f"{name}: two different schemas have this name.")
        return {"$ref": f"{PREFIX}{name}"}

    def extract(self, schema: Any, name: str) -> Any:
        """Return a schema in which objects, enumerations and files are references to components.

        Args:
            schema: The JSON Schema of a field.
            name: The name of its component: the name of the tool and of the field.
        """
        if not isinstance(schema, Mapping):
            return schema
        if _is_file(schema):
            return _with_description(self._file(schema), schema)
        inner = {key: self._member(key, part, name) for key, part in schema.items() if key not in INTERNAL}
        if inner.get("type") == "array":
            inner.setdefault("items", {})  # some generators of clients need it
        if "properties" in schema:
            return self.add(name, inner)
        if _is_enumeration(schema):
            annotations = {key: inner.pop(key) for key in ("description", "default") if key in inner}
            return self.add(name, inner) | annotations
        return inner

    def _member(self, key: str, part: Any, name: str) -> Any:
        if key == "properties":
            return {field: self.extract(schema, f"{name}{pascal(field)}") for field, schema in part.items()}
        if key in ("items", "additionalProperties"):
            return self.extract(part, singular(name))
        if key in ("anyOf", "oneOf", "allOf"):
            return [self.extract(each, name) for each in part]
        return part

    def _file(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        text, named = schema["anyOf"]
        remote = {
            "type": "object",
            "description": "A file by URL. The server loads it, from public addresses only, within 20 seconds.",
            "properties": {
                "url": {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": MAX_URL_LENGTH},
                "name": {"description": "By default, the end of the URL.", **named["properties"]["name"]},
            },
            "required": ["url"],
            "additionalProperties": False,
        }
        return self.add(
            "File",
            {
                "description": "A file: its content as base64, an object with its name and content, or its URL.",
                "anyOf": [
                    text,
                    self.add("NamedFile", {"description": "A file with its name.", **named}),
                    self.add("RemoteFile", remote),
                ],
            },
        )


def _is_file(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema is that of a file in a JSON body."""
    return len(schema.get("anyOf", ())) == 2 and schema["anyOf"][0].get("contentEncoding") == "base64"


def pascal(name: str) -> str:
    """Return a name such as `wait_ms` or `pdf-merge` in Pascal case."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", name))


def singular(name: str) -> str:
    """Return the name of one item of a list."""
    if name.endswith("Series"):
        return name
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else f"{name}Item"


def _is_enumeration(schema: Mapping[str, Any]) -> bool:
    values = schema.get("enum", ())
    return len(values) > 1 and all(isinstance(value, str) for value in values)


def _with_description(reference: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    return reference | {key: schema[key] for key in ("description",) if key in schema}
