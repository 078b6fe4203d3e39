"""Examples of error bodies. Each is made by the error class itself, so that its fields are complete."""

from collections.abc import Iterable, Mapping
from typing import Any

from mediakit.api.error_responses import problem
from mediakit.core.request import invalid
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

EXAMPLES: Mapping[type[MediakitError], Mapping[str, MediakitError]] = {
    InvalidInput: {
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
    },
    InvalidKey: {
        "No key": InvalidKey("Missing API key. Send it in the x-api-key header."),
        "A wrong or revoked key": InvalidKey("This API key is not valid."),
        "An expired key": InvalidKey("This API key expired on 2026-12-01 00:00 UTC. Create a new key."),
    },
    EmailNotVerified: {
        "Email not verified": EmailNotVerified(
            "Verify your email address to use the tools: sign in once at /dashboard/sign-in."
        ),
    },
    KeyNotAllowed: {
        "A tool outside of the scopes of the key": KeyNotAllowed(
            "x-api-key: this key may only call qr, tag:images; pdf needs a key with another scope."
        ),
    },
    NotFound: {
        "Expired link": NotFound("This link has expired or does not exist."),
    },
    CallInProgress: {
        "Idempotency key in use": CallInProgress(
            "Idempotency-Key: a call with this key is running. Try again in 1 second to receive its response."
        ),
    },
    RangeNotSatisfiable: {
        "Range after the end": RangeNotSatisfiable(
            "Range: must begin within the 48,213 bytes of the file, got 90000-."
        ),
    },
    ResourcesTimeout: {
        "Slow resources": ResourcesTimeout(
            "Some resources did not load within 20 seconds.", hosts=["fonts.example", "images.example"]
        ),
    },
    NotConvertible: {
        "Input that cannot be converted": NotConvertible("The address is not a web page."),
    },
    LimitReached: {
        "Credits used up": CreditsUsedUp(
            "Monthly credit limit reached (50). It resets on 2026-12-03.", plan="free", limit=50, retry_after=86400
        ),
        "Too many requests": TooManyRequests(
            "Too many requests: 10 per minute for this account. Try again in 12 seconds.",
            plan="free",
            limit=10,
            retry_after=12,
        ),
    },
    PageUnavailable: {
        "Page not found": PageUnavailable("The page could not be loaded (HTTP 404)."),
        "Blocked address": PageUnavailable("The page could not be loaded."),
    },
    RequestHeadersTooLarge: {
        "Long query": RequestHeadersTooLarge(
            "headers: the request line and headers must be at most 65,536 bytes together. "
            "Send long options in a JSON body."
        ),
    },
    ServerBusy: {
        "Queue full": ServerBusy("The server is busy. Try again in 5 seconds.", retry_after=5),
    },
}
"""Errors by class and title."""


def error_examples(errors: Iterable[type[MediakitError]]) -> dict[str, Any]:
    """Return the examples of error classes by name."""
    return {_key(title): {"summary": title, "value": made.body()} for title, made in _examples(errors)}


def problem_examples(errors: Iterable[type[MediakitError]]) -> dict[str, Any]:
    """Return the examples of error classes as problem details."""
    return {_key(title): {"summary": title, "value": problem(made)} for title, made in _examples(errors)}


def _examples(errors: Iterable[type[MediakitError]]) -> list[tuple[str, MediakitError]]:
    return [example for error in errors for example in EXAMPLES.get(error, {}).items()]


def _key(title: str) -> str:
    return title.lower().replace(" ", "-")
