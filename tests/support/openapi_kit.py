"""Reads parts of an OpenAPI document, following its references."""

from typing import Any

from jsonschema import Draft202012Validator


def resolved(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return the target of a reference, or the part itself."""
    while "$ref" in part:
        target: Any = document
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        part = target
    return part


def json_body(document: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the schema of the JSON body of a tool, which tests can change."""
    content = document["paths"][path]["post"]["requestBody"]["content"]
    return resolved(document, content["application/json"]["schema"])


def validator(document: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    """Return a validator for a schema of the document."""
    return Draft202012Validator({**schema, "components": document["components"]})
