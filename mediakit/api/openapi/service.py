"""The operations beside the tools: usage, links, jobs, templates and the health of the server."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from mediakit.accounts.accounts import MAX_DAYS, MAX_RECENT_CALLS
from mediakit.api.headers import JSON
from mediakit.api.openapi.components import (
    ETAG_EXAMPLE,
    LINK_FILE,
    PREFIX,
    RATE_LIMITED,
    REPLAYED,
    Components,
    header_references,
)
from mediakit.api.openapi.errors import error_references
from mediakit.api.openapi.examples import thumbnail
from mediakit.api.public_pages import PATHS
from mediakit.core.parameters import Parameter, json_schema, parameters, public_schema
from mediakit.core.request import request
from mediakit.core.tool import Tag
from mediakit.errors import (
    InvalidInput,
    InvalidKey,
    KeyNotAllowed,
    NotFound,
    RangeNotSatisfiable,
    ServerBusy,
)
from mediakit.usage import UsageReport


@request
class UsageRequest:
    """The options of a usage report."""

    _: KW_ONLY
    days: Annotated[int, Field(ge=1, le=MAX_DAYS)] = 30
    """Number of days in UTC, including today."""
    recent: Annotated[int, Field(ge=0, le=MAX_RECENT_CALLS)] = 20
    """Maximum number of recent calls."""


USAGE_OPTIONS = parameters(UsageRequest, json_schema(UsageRequest))

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

_TEXT = {"type": "string"}
_URL = {"type": "string", "format": "uri"}
_TIME = {"type": ["string", "null"], "format": "date-time"}
_PIXELS = {"type": "integer", "description": "CSS pixels."}


def _object(properties: Mapping[str, Any], description: str = "", kind: Any = "object") -> dict[str, Any]:
    """Return the schema of an object that has all of its properties."""
    described = {"description": description} if description else {}
    return {"type": kind, **described, "required": list(properties), "properties": properties}


JOB = _object(
    {
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
        "result": _object(
            {
                "url": {**_URL, "description": "Works without a key."},
                "mime_type": _TEXT,
                "size_bytes": {"type": "integer"},
            },
            "The result of a job that succeeded: the JSON envelope, or the file with another `output`.",
            ["object", "null"],
        ),
        "error": _object(
            {"status": {"type": "integer"}, "error": _TEXT},
            "The error of a job that failed: the body of the error response, with its `status`.",
            ["object", "null"],
        ),
        "meta": {"anyOf": [{"$ref": f"{PREFIX}Credits"}, {"type": "null"}]},
    },
    "A call that is answered later.",
)

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

INDEX = _object(
    {
        "name": _TEXT,
        "version": {"type": "string", "description": "Version of the package."},
        **dict.fromkeys(PATHS, _URL),
    },
    "Links to the parts of the server.",
)

HEALTH = _object({"status": {"type": "string", "enum": ["ok", "ready"]}}, "The state of the server.")

TEMPLATE_SCHEMAS: Mapping[str, Any] = {
    "TemplateList": _object({"templates": {"type": "array", "items": {"$ref": f"{PREFIX}Template"}}}),
    "Template": _object(
        {
            "name": _TEXT,
            "description": _TEXT,
            "width": _PIXELS,
            "height": _PIXELS,
            "pdf_format": _TEXT,
            "landscape": {"type": "boolean"},
            "styles": {"type": "array", "items": _TEXT, "description": "The first one is the default."},
            "keys": {"type": "array", "items": {"$ref": f"{PREFIX}TemplateKey"}},
        },
        "A template of `/capture` and `/pdf`.",
    ),
    "TemplateKey": _object(
        {
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
        "A key of `data`.",
    ),
}

LINK_PARAMETERS: list[dict[str, Any]] = [
    {
        "name": "token",
        "in": "path",
        "required": True,
        "description": "The last part of the `url` of a link.",
        "schema": {"type": "string", "pattern": "^[0-9A-Za-z_-]{43}$"},
        "example": "3q2-7wAAAAAexampleexampleexampleexampleexam",
    },
    *(
        {"name": name, "in": "header", "description": description, "schema": _TEXT, "example": example}
        for name, description, example in (
            ("Range", "One range of bytes. Several ranges return the whole file.", "bytes=0-1048575"),
            ("If-Range", "The `ETag` of the first part; the range is ignored if the file is another.", ETAG_EXAMPLE),
            (
                "If-None-Match",
                "The `ETag` of a file that the client has; the response is 304 if it is this one.",
                ETAG_EXAMPLE,
            ),
        )
    ),
]

JOB_ID = {
    "name": "id",
    "in": "path",
    "required": True,
    "description": "The `id` of a job.",
    "schema": _TEXT,
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
    job_errors = error_references([InvalidKey, KeyNotAllowed, NotFound, ServerBusy], components)
    file = {"*/*": _text("The file itself", "(the bytes of the file)", format="binary")}
    return {
        "/": _get(
            "index",
            "Return an index of the server.",
            _response(
                "Links to the parts of the server.",
                _json("Index", INDEX_EXAMPLE) | _page("<!doctype html><title>mediakit</title>"),
            ),
        ),
        "/status": _get(
            "status",
            "Return the plan and the credits used.",
            _response("Plan and usage.", _json("Usage", USAGE_EXAMPLE)) | error_references([InvalidKey], components),
            description="Costs no credit.",
            docs=thumbnail("status"),
        ),
        "/usage": _get(
            "usage",
            "Return the calls per day and per tool, and the newest calls.",
            _response("Plan, credits and calls.", _json("UsageReport", REPORT_EXAMPLE))
            | error_references([InvalidInput, InvalidKey], components),
            description="Costs no credit. Calls that failed are included. Days are in UTC.",
            parameters=[_option(option) for option in USAGE_OPTIONS],
        ),
        "/files/{token}": _get(
            "download_file",
            "Return the file of a temporary link.",
            _response("The file, with its own media type.", file, *LINK_FILE)
            | {
                "206": _described("The part of the file that `Range` asks for.", file, *LINK_FILE, "Content-Range"),
                "304": {"description": "The file is the one of `If-None-Match`.", "headers": header_references("ETag")},
            }
            | error_references([NotFound, RangeNotSatisfiable, ServerBusy], components),
            tag="Files",
            parameters=LINK_PARAMETERS,
        ),
        "/jobs/{id}": _get(
            "job",
            "Return the state of a call with `Prefer: respond-async`, and its result.",
            _response("The job.", _json("Job", JOB_EXAMPLE)) | job_errors,
            description="Costs no credit. A job and its result are kept for 24 hours after its end.",
            parameters=[JOB_ID],
        )
        | {
            "delete": {
                "operationId": "end_job",
                "summary": "Cancel a job, or delete the result of one that has ended.",
                "description": "A canceled job costs no credit. The state of a canceled job can be read for 24 hours.",
                "tags": ["Account"],
                "parameters": [JOB_ID],
                "responses": {
                    "204": {"description": "It is canceled or deleted.", "headers": header_references()},
                    **job_errors,
                },
            }
        },
        "/templates": _get(
            "list_templates",
            "List the templates of `/capture` and `/pdf`.",
            _response(
                "The templates with their sizes, keys, limits and example texts.",
                _json("TemplateList", TEMPLATES_EXAMPLE) | _page("<!doctype html><title>Templates</title>"),
            ),
            tag="Images",
        ),
        "/healthz": _get(
            "healthz",
            "Return whether the process responds.",
            _response("It does.", _json("Health", {"status": "ok"})),
        ),
        "/readyz": _get(
            "readyz",
            "Return whether the server can accept calls.",
            _response("It does.", _json("Health", {"status": "ready"})) | error_references([ServerBusy], components),
        ),
        "/metrics": _get(
            "metrics",
            "Return the metrics of the server.",
            _response("Metrics in the text format of Prometheus.", {"text/plain": _text("A counter", METRICS_EXAMPLE)}),
        ),
    }


def _get(
    operation_id: str,
    summary: str,
    responses: dict[str, Any],
    *,
    tag: Tag = "Account",
    description: str = "",
    parameters: Sequence[Mapping[str, Any]] = (),
    docs: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the operation of a path. Without a description, it needs no key."""
    public = {"description": "Needs no key and costs no credit.", "security": []}
    described = {"description": description} if description else public
    operation = {"operationId": operation_id, "summary": summary, "tags": [tag], **described}
    listed = {"parameters": list(parameters)} if parameters else {}
    shown = {} if docs is None else {"x-docs": docs}
    return {"get": operation | listed | shown | {"responses": responses}}


def _option(option: Parameter) -> dict[str, Any]:
    # Without the default, as in the options of tools: generated clients would send it.
    schema = {key: part for key, part in public_schema(option.schema).items() if key not in ("default", "description")}
    description = f"{option.help} Default: `{option.default}`."
    return {"name": option.name, "in": "query", "description": description, "schema": schema}


def _response(description: str, content: dict[str, Any], *headers: str) -> dict[str, Any]:
    """Return the response of a call that succeeded, by its status."""
    return {"200": _described(description, content, *headers)}


def _described(description: str, content: dict[str, Any], *headers: str) -> dict[str, Any]:
    return {"description": description, "headers": header_references(*headers), "content": content}


def _json(schema: str, example: Any) -> dict[str, Any]:
    examples = {"json": {"summary": "JSON", "value": example}}
    return {JSON: {"schema": {"$ref": f"{PREFIX}{schema}"}, "examples": examples}}


def _page(example: str) -> dict[str, Any]:
    return {"text/html": _text("A page for browsers", example)}


def _text(summary: str, example: str, **schema: str) -> dict[str, Any]:
    return {"schema": {"type": "string", **schema}, "examples": {"text": {"summary": summary, "value": example}}}


ACCEPTED = _described(
    "The job that runs the call, for a request with `Prefer: respond-async`.",
    _json("Job", QUEUED_JOB_EXAMPLE),
    *RATE_LIMITED,
    "Location",
    "Preference-Applied",
    "Retry-After",
    *REPLAYED,
)
"""The response to a call that is answered later."""
