"""Schemas and examples of the operations beside the tools."""

from collections.abc import Mapping
from typing import Any

from mediakit.api.openapi.components import PREFIX
from mediakit.api.public_pages import PATHS

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
