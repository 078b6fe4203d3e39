"""Schemathesis hooks: rules of the API that its OpenAPI document cannot express, and files that tools can open."""

import base64
import itertools
import re
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

from mediakit.samples import LOGO, REPORT

IMAGE, PDF = LOGO.read_bytes(), REPORT.read_bytes()
TEXT_TYPES = ("text/plain", "text/html", "text/csv", "text/markdown", "application/yaml", "application/toml")
_numbers = itertools.count()
FILE_FIELDS = ("file", "files", "logo")

for media_type in TEXT_TYPES:
    schemathesis.openapi.media_type(media_type, st.text(min_size=1, max_size=200).map(str.encode))
schemathesis.openapi.media_type("image/*", st.just(IMAGE) | st.binary(max_size=200))
schemathesis.openapi.media_type("application/pdf", st.just(PDF) | st.binary(max_size=200))
schemathesis.openapi.format("color", st.sampled_from(["#2563eb", "000000", "#ffffff"]))


@schemathesis.hook
def map_case(_context: Any, case: Any) -> Any:
    """Remove query options beside a JSON body, which the API rejects, and send files that are images or PDFs."""
    if not _is_valid(case):
        return case
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"{next(_numbers)}"  # a used key is a 400
    if case.media_type == "application/json" and case.query:
        case.query = {}
    if isinstance(case.body, dict):
        case.body = {name: _readable(name, value) for name, value in case.body.items()}
    return case


@schemathesis.check
def rejection_names_a_field(_context: Any, response: Any, case: Any) -> None:
    """Check that a 400 for a request that matches the schema names a field of the operation."""
    if response.status_code != 400 or not _is_valid(case):
        return
    error = response.json()["error"]
    words = set(re.findall(r"\w+", error))
    if not words & _fields(case.operation.definition.raw, case.operation.schema.raw_schema):
        raise AssertionError(f"A valid request was rejected without naming a field: {error}")


def _is_valid(case: Any) -> bool:
    """Return whether a request matches the schema."""
    return case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE


def _readable(name: str, value: Any) -> Any:
    """Return an image or a PDF in place of every second generated file."""
    if name == "files" and isinstance(value, list):
        return [_readable("file", item) for item in value]
    if name not in FILE_FIELDS:
        return value
    if isinstance(value, bytes):
        return value if len(value) % 2 else IMAGE
    if isinstance(value, str):
        return value if len(value) % 8 else base64.b64encode(IMAGE).decode()
    return {**value, "file": base64.b64encode(PDF).decode()} if isinstance(value, dict) else value


def _fields(operation: dict[str, Any], document: dict[str, Any]) -> set[str]:
    names = {parameter["name"] for parameter in operation.get("parameters", ()) if "name" in parameter} | {
        "Idempotency"
    }
    content = operation.get("requestBody", {}).get("content", {})
    for media_type in ("application/json", "multipart/form-data"):
        reference = content.get(media_type, {}).get("schema", {}).get("$ref", "")
        names |= set(document["components"]["schemas"].get(reference.rpartition("/")[2], {}).get("properties", ()))
    return names
