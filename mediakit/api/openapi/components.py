"""Named parts of the document: schemas of objects, enumerations and files, and response headers.

Every use of them is a reference.
"""

import re
from collections.abc import Mapping
from typing import Any

from mediakit.api.responses import AUTHENTICATION_SCHEME
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
        """Return a schema in which objects, enumerations and files are references to components."""
        if not isinstance(schema, Mapping):
            return schema
        if len(schema.get("anyOf", ())) == 2 and schema["anyOf"][0].get("contentEncoding") == "base64":  # a file
            return self._file(schema) | {key: schema[key] for key in ("description",) if key in schema}
        inner = {key: self._member(key, part, name) for key, part in schema.items() if key not in INTERNAL}
        if inner.get("type") == "array":
            inner.setdefault("items", {})  # some generators of clients need it
        if "properties" in schema:
            return self.add(name, inner)
        values = schema.get("enum", ())
        if len(values) > 1 and all(isinstance(value, str) for value in values):
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


def pascal(name: str) -> str:
    """Return a name such as `wait_ms` or `pdf-merge` in Pascal case."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", name))


def singular(name: str) -> str:
    """Return the name of one item of a list."""
    if name.endswith("Series"):
        return name
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else f"{name}Item"


ETAG_EXAMPLE = '"5c1d9c1f0f3b4f7f8a6ce1e5f2f6b7aa"'

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}

_HEADERS: Mapping[str, tuple[Mapping[str, Any], str | int, str]] = {
    "X-Request-Id": (
        {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
        "6f1c0a9be2d94c37",
        "The id of the request: the one that was sent in this header, or a new one. The log has it.",
    ),
    "X-RateLimit-Limit": (
        {"type": "integer", "minimum": 1},
        120,
        "Requests per minute of the account. Unlimited accounts have no such header.",
    ),
    "X-RateLimit-Remaining": (_COUNT, 119, "Requests that the API key has left in this minute."),
    "X-RateLimit-Reset": (_COUNT, 60, "Seconds until the API key has all of its requests again."),
    "RateLimit-Policy": (
        _TEXT,
        '"requests";q=120;w=60',
        "The quota `q` in requests per window of `w` seconds (draft-ietf-httpapi-ratelimit-headers).",
    ),
    "RateLimit": (
        _TEXT,
        '"requests";r=119;t=60',
        "The requests `r` that are left, and the seconds `t` until all are available again.",
    ),
    "WWW-Authenticate": (_TEXT, AUTHENTICATION_SCHEME, "The header that the API key is sent in."),
    "Retry-After": ({"type": "integer", "minimum": 1}, 5, "Seconds to wait before a retry."),
    "Location": (
        _TEXT,
        "/jobs/6f1c0a9be2d94c376f1c0a9be2d94c37",
        "The path of the job of a call that is answered later.",
    ),
    "Preference-Applied": (
        {"type": "string", "const": "respond-async"},
        "respond-async",
        "The preference that the server has followed (RFC 7240).",
    ),
    "Idempotency-Replayed": (
        {"type": "string", "const": "true"},
        "true",
        "`true` if this is the response of an earlier call with the same `Idempotency-Key`.",
    ),
    "X-Mediakit-Meta": (
        _TEXT,
        '{"size_bytes": 713, "format": "png", "used": 42, "remaining": 458, "unlimited": false}',
        (
            "The `meta` of the JSON response as JSON text, when the response is the file itself. "
            "Lists of more than 4,000 characters are omitted."
        ),
    ),
    "Content-Disposition": (
        _TEXT,
        'inline; filename="result.png"',
        "The name of the file (RFC 6266), when the response is the file itself.",
    ),
    "ETag": (_TEXT, ETAG_EXAMPLE, "Identifies the file of a link, for `If-None-Match` and `If-Range`."),
    "Accept-Ranges": (
        {"type": "string", "const": "bytes"},
        "bytes",
        "The file can be downloaded in parts, with `Range`.",
    ),
    "Content-Range": (
        _TEXT,
        "bytes 0-1048575/4821300",
        "The first and last byte of the part, and the size of the file.",
    ),
}
HEADERS: Mapping[str, Mapping[str, Any]] = {
    name: {"description": description, "schema": schema, "example": example}
    for name, (schema, example, description) in _HEADERS.items()
}
"""Every header that responses of the API have beside those of HTTP."""

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A unique value for this call, such as a UUID. A repeated call with the same value returns the "
    "response of the first call, and is not charged again. Responses are kept for 24 hours.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    "example": "0b9a2c64-6a5e-4a53-8a0c-7f1d6f7f4d36",
}

PREFER = {
    "name": "Prefer",
    "in": "header",
    "description": "`respond-async` returns a job at once (202), and the result later (RFC 7240).",
    "schema": {"type": "string"},
    "example": "respond-async",
}

CALL_HEADERS = {"IdempotencyKey": IDEMPOTENCY_KEY, "Prefer": PREFER}
"""The request headers of every call to a tool, by the name of their component."""

RATE_LIMITED = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit")
REPLAYED = ("Idempotency-Replayed",)
LINK_FILE = ("Content-Disposition", "ETag", "Accept-Ranges")
FILE = ("X-Mediakit-Meta", "Content-Disposition")


def header_references(*names: str) -> dict[str, Any]:
    """Return the headers of a response by name, as references; those of every response come first."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *names)}
