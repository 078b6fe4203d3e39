"""Errors: HTTP bodies, base classes, and their restoration from a response."""

import inspect
import json

import pytest

from mediakit import errors
from mediakit.errors import MediakitError

SAMPLES: list[MediakitError] = [
    errors.InvalidInput("size: too small.", details=[{"field": "size", "message": "too small."}]),
    errors.InvalidKey("This API key is not valid."),
    errors.EmailNotVerified("Verify your email address to use the tools: sign in once at /dashboard/sign-in."),
    errors.NotFound("This link has expired or does not exist."),
    errors.MethodNotAllowed("method: GET is not allowed for this path, use POST."),
    errors.CallInProgress("A call with this idempotency key is running.", retry_after=1),
    errors.ResourcesTimeout("Some resources did not load within 20 seconds.", hosts=["a.example"]),
    errors.RequestHeadersTooLarge("headers: at most 100 header lines are accepted."),
    errors.CreditsUsedUp("Monthly credit limit reached (50).", plan="free", limit=50, retry_after=9),
    errors.TooManyRequests("Too many requests: 10 per minute for this account.", plan="free", limit=10, retry_after=3),
    errors.PageUnavailable("The page could not be loaded (HTTP 404)."),
    errors.ServerBusy("The server is busy.", retry_after=4),
]


@pytest.mark.parametrize("error", SAMPLES, ids=lambda error: type(error).__name__)
def test_from_body_restores_error(error: MediakitError) -> None:
    body = json.loads(json.dumps(error.body()))
    restored = MediakitError.from_body(error.status, body)
    assert type(restored) is type(error)
    assert (str(restored), restored.body()) == (str(error), error.body())


@pytest.mark.parametrize("error", SAMPLES, ids=lambda error: type(error).__name__)
def test_body_contains_message(error: MediakitError) -> None:
    assert error.body()["error"] == str(error)


@pytest.mark.parametrize(
    ("kind", "built_in"),
    [
        (errors.InvalidInput, ValueError),
        (errors.InvalidKey, PermissionError),
        (errors.EmailNotVerified, PermissionError),
        (errors.NotFound, LookupError),
        (errors.ResourcesTimeout, TimeoutError),
        (errors.PageUnavailable, ConnectionError),
        (errors.ServerUnreachable, ConnectionError),
    ],
)
def test_error_subclasses_builtin(kind: type[MediakitError], built_in: type[Exception]) -> None:
    assert issubclass(kind, built_in)


def test_unknown_body_returns_mediakit_error() -> None:
    assert type(MediakitError.from_body(418, {"error": "teapot"})) is MediakitError
    assert type(MediakitError.from_body(429, {"error": "no fields"})) is MediakitError


def test_module_docstring_lists_every_class() -> None:
    classes = {name for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, MediakitError)}
    assert classes <= set((errors.__doc__ or "").split())
