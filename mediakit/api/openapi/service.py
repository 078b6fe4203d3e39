"""The operations beside the tools: usage, links, jobs, templates and the health of the server."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from mediakit.api.openapi.components import (
    ETAG_EXAMPLE,
    LINK_FILE,
    PREFIX,
    RATE_LIMITED,
    REPLAYED,
    Components,
    header_references,
)
from mediakit.api.openapi.errors import JSON, error_references
from mediakit.api.openapi.examples import thumbnail
from mediakit.api.public_pages import PATHS
from mediakit.api.usage_endpoint import usage_options
from mediakit.core.parameters import Parameter, public_schema
from mediakit.core.tool import Tag
from mediakit.errors import (
    InvalidInput,
    InvalidKey,
    KeyNotAllowed,
    MediakitError,
    NotFound,
    RangeNotSatisfiable,
    ServerBusy,
)
from mediakit.usage import UsageReport

USAGE_EXAMPLE = {
    "plan": "pro",
    "limit": 525,
    "unlimited": False,
    "used": 42,
    "remaining": 483,
    "loyalty": {"pct": 5, "bonus": 25},
    "reset": "2026-12-03T00:00:00Z",
}

REPORT_EXAMPLE = {
    "usage": USAGE_EXAMPLE,
    "days": [{"day": "2026-11-21", "calls": 12, "charged": 11}, {"day": "2026-11-22", "calls": 3, "charged": 3}],
    "tools": [{"tool": "qr", "calls": 10, "charged": 10}, {"tool": "pdf", "calls": 5, "charged": 4}],
    "recent": [
        {
            "created": "2026-11-22T14:05:09.250000Z",
            "tool": "qr",
            "status": 200,
            "milliseconds": 12,
            "request_id": "6f1c0a9be2d94c37",
            "charged": True,
        }
    ],
}

JOB_EXAMPLE = {
    "id": "6f1c0a9be2d94c376f1c0a9be2d94c37",
    "tool": "pdf",
    "state": "succeeded",
    "progress": 1.0,
    "created_at": "2026-11-22T14:05:09Z",
    "started_at": "2026-11-22T14:05:09Z",
    "finished_at": "2026-11-22T14:05:31Z",
    "expires_at": "2026-11-23T14:05:31Z",
    "result": {
        "url": "https://api.example.com/files/3q2-7wAAAAAexampleexampleexampleexampleexam",
        "mime_type": "application/pdf",
        "size_bytes": 20335,
    },
    "error": None,
    "meta": {"used": 42, "remaining": 458, "unlimited": False},
}

QUEUED_JOB_EXAMPLE = JOB_EXAMPLE | {
    "state": "queued",
    "progress": 0.0,
    **dict.fromkeys(("started_at", "finished_at", "expires_at", "result", "meta")),
}

_TIME = {"type": ["string", "null"], "format": "date-time"}

JOB: Mapping[str, Any] = {
    "type": "object",
    "description": "A call that is answered later.",
    "required": list(JOB_EXAMPLE),
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "tool": {"type": "string", "description": "Name of the tool."},
        "state": {"type": "string", "enum": ["queued", "running", "succeeded", "failed", "canceled"]},
        "progress": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "While the job runs, an estimate from the duration of recent calls.",
        },
        "created_at": {"type": "string", "format": "date-time"},
        "started_at": _TIME,
        "finished_at": _TIME,
        "expires_at": {**_TIME, "description": "24 hours after the end."},
        "result": {
            "type": ["object", "null"],
            "description": "The result of a job that succeeded: the JSON envelope, or the file with another `output`.",
            "required": ["url", "mime_type", "size_bytes"],
            "properties": {
                "url": {"type": "string", "format": "uri", "description": "Works without a key."},
                "mime_type": {"type": "string"},
                "size_bytes": {"type": "integer"},
            },
        },
        "error": {
            "type": ["object", "null"],
            "description": "The error of a job that failed: the body of the error response, with its `status`.",
            "required": ["status", "error"],
            "properties": {"status": {"type": "integer"}, "error": {"type": "string"}},
        },
        "meta": {"anyOf": [{"$ref": f"{PREFIX}Credits"}, {"type": "null"}]},
    },
}

METRICS_EXAMPLE = """\
# HELP mediakit_calls_total Responses by path, method and status.
# TYPE mediakit_calls_total counter
mediakit_calls_total{method="POST",path="/qr",status="200"} 42.0
"""

TEMPLATES_EXAMPLE = {
    "templates": [
        {
            "name": "og",
            "description": "A share image for links (Open Graph).",
            "width": 1200,
            "height": 630,
            "pdf_format": "A4",
            "landscape": True,
            "styles": ["corner", "split"],
            "keys": [
                {
                    "name": "site",
                    "max_length": 80,
                    "examples": {"en": "example.com", "es": "ejemplo.com"},
                    "format": "text",
                    "main": False,
                }
            ],
        }
    ]
}

INDEX_EXAMPLE = {
    "name": "mediakit",
    "version": "0.1.0",
    **{name: f"https://api.example.com{path}" for name, path in PATHS.items()},
}

INDEX: Mapping[str, Any] = {
    "type": "object",
    "description": "Links to the parts of the server.",
    "required": list(INDEX_EXAMPLE),
    "properties": {
        "name": {"type": "string"},
        "version": {"type": "string", "description": "Version of the package."},
        **{name: {"type": "string", "format": "uri"} for name in PATHS},
    },
}

HEALTH: Mapping[str, Any] = {
    "type": "object",
    "description": "The state of the server.",
    "required": ["status"],
    "properties": {"status": {"type": "string", "enum": ["ok", "ready"]}},
}

_TEXT = {"type": "string"}
_PIXELS = {"type": "integer", "description": "CSS pixels."}

TEMPLATE_SCHEMAS: Mapping[str, Any] = {
    "TemplateList": {
        "type": "object",
        "required": ["templates"],
        "properties": {"templates": {"type": "array", "items": {"$ref": f"{PREFIX}Template"}}},
    },
    "Template": {
        "type": "object",
        "description": "A template of `/capture` and `/pdf`.",
        "required": ["name", "description", "width", "height", "pdf_format", "landscape", "styles", "keys"],
        "properties": {
            "name": _TEXT,
            "description": _TEXT,
            "width": _PIXELS,
            "height": _PIXELS,
            "pdf_format": _TEXT,
            "landscape": {"type": "boolean"},
            "styles": {"type": "array", "items": _TEXT, "description": "The first one is the default."},
            "keys": {"type": "array", "items": {"$ref": f"{PREFIX}TemplateKey"}},
        },
    },
    "TemplateKey": {
        "type": "object",
        "description": "A key of `data`.",
        "required": ["name", "max_length", "examples", "format", "main"],
        "properties": {
            "name": _TEXT,
            "max_length": {"type": "integer", "description": "Characters."},
            "examples": {
                "type": "object",
                "description": "The example text by language.",
                "additionalProperties": _TEXT,
            },
            "format": {"type": "string", "description": "`text`, `color`, `image` and others."},
            "main": {"type": "boolean", "description": "Whether the key belongs in a short form."},
        },
    },
}


LINK_TOKEN = {
    "name": "token",
    "in": "path",
    "required": True,
    "description": "The last part of the `url` of a link.",
    "schema": {"type": "string", "pattern": "^[0-9A-Za-z_-]{43}$"},
    "example": "3q2-7wAAAAAexampleexampleexampleexampleexam",
}

LINK_HEADERS = [
    {
        "name": name,
        "in": "header",
        "description": description,
        "schema": {"type": "string"},
        "example": example,
    }
    for name, description, example in (
        ("Range", "One range of bytes. Several ranges return the whole file.", "bytes=0-1048575"),
        ("If-Range", "The `ETag` of the first part; the range is ignored if the file is another.", ETAG_EXAMPLE),
        (
            "If-None-Match",
            "The `ETag` of a file that the client has; the response is 304 if it is this one.",
            ETAG_EXAMPLE,
        ),
    )
]
"""Request headers of downloads."""


JOB_ID = {
    "name": "id",
    "in": "path",
    "required": True,
    "description": "The `id` of a job.",
    "schema": {"type": "string"},
    "example": JOB_EXAMPLE["id"],
}


def service_paths(components: Components) -> dict[str, Any]:
    """Return the operations that belong to no tool, by path, and register their schemas."""
    report = TypeAdapter(UsageReport).json_schema(ref_template=f"{PREFIX}{{model}}")
    schemas = report.pop("$defs")
    schemas["Usage"]["properties"]["plan"] = {"$ref": f"{PREFIX}Plan"}
    own = {"UsageReport": report, **TEMPLATE_SCHEMAS, "Health": HEALTH, "Index": INDEX, "Job": JOB}
    for name, schema in {**schemas, **own}.items():
        components.extract(schema, name)
    operations: dict[str, tuple[dict[str, Any], list[type[MediakitError]]]] = {
        "/": (_index(), []),
        "/status": (_status(), [InvalidKey]),
        "/usage": (_usage(), [InvalidInput, InvalidKey]),
        "/files/{token}": (_file(), [NotFound, RangeNotSatisfiable, ServerBusy]),
        "/jobs/{id}": (_job(), [InvalidKey, KeyNotAllowed, NotFound, ServerBusy]),
        "/templates": (_templates(), []),
        "/healthz": (_health("healthz", "Return whether the process responds.", "ok"), []),
        "/readyz": (_health("readyz", "Return whether the server can accept calls.", "ready"), [ServerBusy]),
        "/metrics": (_metrics(), []),
    }
    for operation, errors in operations.values():
        operation["responses"] |= error_references(errors, components)
    paths = {path: {"get": operation} for path, (operation, _) in operations.items()}
    ended = {"204": {"description": "It is canceled or deleted.", "headers": header_references()}}
    paths["/jobs/{id}"]["delete"] = _job() | {
        "operationId": "end_job",
        "summary": "Cancel a job, or delete the result of one that has ended.",
        "description": "A canceled job costs no credit. The state of a canceled job can be read for 24 hours.",
        "responses": ended | error_references([InvalidKey, KeyNotAllowed, NotFound, ServerBusy], components),
    }
    return paths


def _index() -> dict[str, Any]:
    page = _text("A page for browsers", "<!doctype html><title>mediakit</title>")
    response = _response("Links to the parts of the server.", {JSON: _json("Index", INDEX_EXAMPLE), "text/html": page})
    return _public("index", "Return an index of the server.", "Account", response)


def _status() -> dict[str, Any]:
    return {
        "operationId": "status",
        "summary": "Return the plan and the credits used.",
        "description": "Costs no credit.",
        "tags": ["Account"],
        "x-docs": thumbnail("status"),
        "responses": {"200": _response("Plan and usage.", {JSON: _json("Usage", USAGE_EXAMPLE)})},
    }


def _usage() -> dict[str, Any]:
    return {
        "operationId": "usage",
        "summary": "Return the calls per day and per tool, and the newest calls.",
        "description": "Costs no credit. Calls that failed are included. Days are in UTC.",
        "tags": ["Account"],
        "parameters": [_option(option) for option in usage_options()],
        "responses": {"200": _response("Plan, credits and calls.", {JSON: _json("UsageReport", REPORT_EXAMPLE)})},
    }


def _option(option: Parameter) -> dict[str, Any]:
    # Without the default, as in the options of tools: generated clients would send it.
    schema = {key: part for key, part in public_schema(option.schema).items() if key not in ("default", "description")}
    description = f"{option.help} Default: `{option.default}`."
    return {"name": option.name, "in": "query", "description": description, "schema": schema}


def _file() -> dict[str, Any]:
    file = {"*/*": _text("The file itself", "(the bytes of the file)", format="binary")}
    whole = _response("The file, with its own media type.", file, *LINK_FILE)
    operation = _public("download_file", "Return the file of a temporary link.", "Files", whole)
    operation["responses"] |= {
        "206": _response("The part of the file that `Range` asks for.", file, *LINK_FILE, "Content-Range"),
        "304": {"description": "The file is the one of `If-None-Match`.", "headers": header_references("ETag")},
    }
    return operation | {"parameters": [LINK_TOKEN, *LINK_HEADERS]}


def _job() -> dict[str, Any]:
    return {
        "operationId": "job",
        "summary": "Return the state of a call with `Prefer: respond-async`, and its result.",
        "description": "Costs no credit. A job and its result are kept for 24 hours after its end.",
        "tags": ["Account"],
        "parameters": [JOB_ID],
        "responses": {"200": _response("The job.", {JSON: _json("Job", JOB_EXAMPLE)})},
    }


def _templates() -> dict[str, Any]:
    page = _text("A page for browsers", "<!doctype html><title>Templates</title>")
    content = {JSON: _json("TemplateList", TEMPLATES_EXAMPLE), "text/html": page}
    response = _response("The templates with their sizes, keys, limits and example texts.", content)
    return _public("list_templates", "List the templates of `/capture` and `/pdf`.", "Images", response)


def _health(operation_id: str, summary: str, status: str) -> dict[str, Any]:
    response = _response("It does.", {JSON: _json("Health", {"status": status})})
    return _public(operation_id, summary, "Account", response)


def _metrics() -> dict[str, Any]:
    response = _response(
        "Metrics in the text format of Prometheus.", {"text/plain": _text("A counter", METRICS_EXAMPLE)}
    )
    return _public("metrics", "Return the metrics of the server.", "Account", response)


def _public(operation_id: str, summary: str, tag: Tag, response: dict[str, Any]) -> dict[str, Any]:
    """Return an operation that needs no key and costs no credit."""
    return {
        "operationId": operation_id,
        "summary": summary,
        "description": "Needs no key and costs no credit.",
        "tags": [tag],
        "security": [],
        "responses": {"200": response},
    }


def _response(description: str, content: dict[str, Any], *headers: str) -> dict[str, Any]:
    return {"description": description, "headers": header_references(*headers), "content": content}


def _json(schema: str, example: Any) -> dict[str, Any]:
    return {"schema": {"$ref": f"{PREFIX}{schema}"}, "examples": {"json": {"summary": "JSON", "value": example}}}


def _text(summary: str, example: str, **schema: str) -> dict[str, Any]:
    return {"schema": {"type": "string", **schema}, "examples": {"text": {"summary": summary, "value": example}}}


ACCEPTED = {
    "description": "The job that runs the call, for a request with `Prefer: respond-async`.",
    "headers": header_references(*RATE_LIMITED, "Location", "Preference-Applied", "Retry-After", *REPLAYED),
    "content": {JSON: _json("Job", QUEUED_JOB_EXAMPLE)},
}
"""The response to a call that is answered later."""
