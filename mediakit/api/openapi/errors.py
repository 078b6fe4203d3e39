"""Error responses: a schema, a description and examples for each class of `mediakit.errors`.

Each example is made by the error class itself, so that its fields are complete.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from operator import methodcaller
from typing import Any, get_args

from mediakit.api.headers import JSON, PROBLEM_JSON
from mediakit.api.openapi.components import RATE_LIMITED, REPLAYED, Components, header_references
from mediakit.api.responses import problem
from mediakit.core.request import invalid
from mediakit.core.tool import Tool
from mediakit.errors import (
    CallInProgress,
    CreditsUsedUp,
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
    TooManyRequests,
)
from mediakit.settings import Plan

EXAMPLES: Mapping[str, MediakitError] = {
    "A value out of range": invalid([{"field": "size", "message": "must be between 64 and 2000, got 9."}]),
    "Query options beside a JSON body": invalid(
        [{"field": "size", "message": "must be in the JSON body, not in the query."}]
    ),
    "An idempotency key of another request": invalid(
        [
            {
                "field": "Idempotency-Key",
                "message": "was used for another request in the last 24 hours; use a new key for each request.",
            }
        ]
    ),
    "A body that is not JSON": InvalidInput("The body is not JSON: expected value at line 1 column 1."),
    "No key": InvalidKey("Missing API key. Send it in the x-api-key header."),
    "A wrong or revoked key": InvalidKey("This API key is not valid."),
    "An expired key": InvalidKey("This API key expired on 2026-12-01 00:00 UTC. Create a new key."),
    "Email not verified": EmailNotVerified(
        "Verify your email address to use the tools: sign in once at /dashboard/sign-in."
    ),
    "A tool outside of the scopes of the key": KeyNotAllowed(
        "x-api-key: this key may only call qr, tag:images; pdf needs a key with another scope."
    ),
    "Expired link": NotFound("This link has expired or does not exist."),
    "Idempotency key in use": CallInProgress(
        "Idempotency-Key: a call with this key is running. Try again in 1 second to receive its response."
    ),
    "Range after the end": RangeNotSatisfiable("Range: must begin within the 48,213 bytes of the file, got 90000-."),
    "Slow resources": ResourcesTimeout(
        "Some resources did not load within 20 seconds.", hosts=["fonts.example", "images.example"]
    ),
    "Input that cannot be converted": NotConvertible("The address is not a web page."),
    "Credits used up": CreditsUsedUp(
        "Monthly credit limit reached (50). It resets on 2026-12-03.", plan="free", limit=50, retry_after=86400
    ),
    "Too many requests": TooManyRequests(
        "Too many requests: 10 per minute for this account. Try again in 12 seconds.",
        plan="free",
        limit=10,
        retry_after=12,
    ),
    "Page not found": PageUnavailable("The page could not be loaded (HTTP 404)."),
    "Blocked address": PageUnavailable("The page could not be loaded."),
    "Long query": RequestHeadersTooLarge(
        "headers: the request line and headers must be at most 65,536 bytes together. Send long options in a JSON body."
    ),
    "Queue full": ServerBusy("The server is busy. Try again in 5 seconds.", retry_after=5),
}
"""Errors by title."""

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
    components.add("Problem", PROBLEM)
    kinds = [error, SAME_STATUS[error]] if error in SAME_STATUS else [error]
    schemas = [components.add(f"{kind.__name__}Error", _schema(kind)) for kind in kinds]
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    shown = {title: made for kind in kinds for title, made in EXAMPLES.items() if isinstance(made, kind)}
    headers = (
        *(() if error in BEFORE_RATE_LIMIT else RATE_LIMITED),
        *(("Retry-After",) if "retry_after" in error.fields else ()),
        *(("WWW-Authenticate",) if error is InvalidKey else ()),
        *(REPLAYED if error in STORED_ERRORS else ()),
    )
    return {
        "description": " Or: ".join(inspect.cleandoc(kind.__doc__ or "") for kind in kinds),
        "headers": header_references(*headers),
        "content": {
            JSON: {"schema": schema, "examples": _examples(shown, methodcaller("body"))},
            PROBLEM_JSON: {
                "schema": {"allOf": [{"$ref": "#/components/schemas/Problem"}, schema]},
                "examples": _examples(shown, problem),
            },
        },
    }


def _examples(shown: Mapping[str, MediakitError], body: Callable[[MediakitError], dict[str, Any]]) -> dict[str, Any]:
    return {title.lower().replace(" ", "-"): {"summary": title, "value": body(made)} for title, made in shown.items()}


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
