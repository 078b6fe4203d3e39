"""Error responses: a schema, a description and examples for each class of `mediakit.errors`."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from mediakit.api.headers import PROBLEM_JSON
from mediakit.api.openapi.components import Components
from mediakit.api.openapi.error_examples import error_examples, problem_examples
from mediakit.api.openapi.headers import RATE_LIMITED, REPLAYED, header_references
from mediakit.core.tool import Tool
from mediakit.errors import (
    CallInProgress,
    EmailNotVerified,
    InvalidInput,
    InvalidKey,
    KeyNotAllowed,
    LimitReached,
    MediakitError,
    NotConvertible,
    NotFound,
    PageUnavailable,
    RangeNotSatisfiable,
    RequestHeadersTooLarge,
    ResourcesTimeout,
    ServerBusy,
)
from mediakit.settings import Plan

JSON = "application/json"

OPTIONAL: Mapping[type[MediakitError], tuple[str, ...]] = {InvalidInput: ("details",)}
ABSTRACT: Mapping[type[MediakitError], tuple[str, ...]] = {LimitReached: ("reason",)}
"""Fields that every subclass sets to a constant of its own."""

SAME_STATUS: Mapping[type[MediakitError], type[MediakitError]] = {EmailNotVerified: KeyNotAllowed}
"""Errors whose response can also have the body of another class with the same status."""

COMMON_ERRORS: tuple[type[MediakitError], ...] = (
    InvalidInput,
    InvalidKey,
    EmailNotVerified,
    CallInProgress,
    LimitReached,
    ServerBusy,
)
"""Errors of every tool."""

BEFORE_RATE_LIMIT = (InvalidKey, EmailNotVerified, KeyNotAllowed, NotFound, RangeNotSatisfiable, RequestHeadersTooLarge)
"""Errors of calls that are not counted by the rate limit."""

STORED_ERRORS = (ResourcesTimeout, NotConvertible, PageUnavailable)
"""Errors that a repeated call with the same idempotency key returns again."""

PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457), for requests with `Accept: application/problem+json`.",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "The documentation of the error."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "The same text as `error`."},
    },
}

FIELD_ERROR = {
    "type": "object",
    "description": "An error of one field.",
    "required": ["field", "message"],
    "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
}

FIELDS: Mapping[str, Mapping[str, Any]] = {
    "details": {"type": "array", "items": {"$ref": "#/components/schemas/FieldError"}},
    "hosts": {"type": "array", "items": {"type": "string"}, "description": "The sites involved."},
    "plan": {"$ref": "#/components/schemas/Plan"},
    "limit": {"type": "integer", "description": "Credits per month, or requests per minute."},
    "retry_after": {"type": "integer", "minimum": 1, "description": "Seconds to wait before a retry."},
    "reason": {
        "type": "string",
        "enum": ["credits", "rate"],
        "description": "The limit that was exceeded: credits per month, or requests per minute.",
    },
}
"""Schemas of the fields of error bodies."""


def errors_of(tool: Tool[..., Any]) -> tuple[type[MediakitError], ...]:
    """Return the errors of a tool, ordered by status and then by name."""
    return tuple(sorted({*COMMON_ERRORS, *tool.spec.errors}, key=lambda error: (error.status, error.__name__)))


def error_references(errors: Sequence[type[MediakitError]], components: Components) -> dict[str, Any]:
    """Return the responses of errors by status, and register them."""
    for error in errors:
        if error.__name__ not in components.responses:
            components.responses[error.__name__] = _response(error, components)
    return {str(error.status): {"$ref": f"#/components/responses/{error.__name__}"} for error in errors}


def _response(error: type[MediakitError], components: Components) -> dict[str, Any]:
    components.add("FieldError", FIELD_ERROR)
    components.add("Plan", {"type": "string", "enum": list(get_args(Plan))})
    retry = ("Retry-After",) if "retry_after" in error.fields else ()
    scheme = ("WWW-Authenticate",) if error is InvalidKey else ()
    replayed = REPLAYED if error in STORED_ERRORS else ()
    rate = () if error in BEFORE_RATE_LIMIT else RATE_LIMITED
    components.add("Problem", PROBLEM)
    kinds = [error, SAME_STATUS[error]] if error in SAME_STATUS else [error]
    schemas = [components.add(f"{kind.__name__}Error", _schema(kind)) for kind in kinds]
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    return {
        "description": " Or: ".join(inspect.cleandoc(kind.__doc__ or "") for kind in kinds),
        "headers": header_references(*rate, *retry, *scheme, *replayed),
        "content": {
            JSON: {"schema": schema, "examples": error_examples(kinds)},
            PROBLEM_JSON: {
                "schema": {"allOf": [{"$ref": "#/components/schemas/Problem"}, schema]},
                "examples": problem_examples(kinds),
            },
        },
    }


def _schema(error: type[MediakitError]) -> dict[str, Any]:
    required = (*error.fields, *ABSTRACT.get(error, ()))
    members = {name: FIELDS[name] for name in (*required, *OPTIONAL.get(error, ()))}
    constants = {name: {"type": "string", "const": value} for name, value in error.constants.items()}
    message = {"type": "string", "description": "What is wrong, and how to fix it."}
    return {
        "type": "object",
        "description": inspect.cleandoc(error.__doc__ or ""),
        "required": ["error", *error.constants, *required],
        "properties": {"error": message, **constants, **members},
    }
