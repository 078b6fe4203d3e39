"""Every error carries its status and its fields, and comes back from HTTP as itself."""

import inspect
import json

import pytest

from mediakit import errors
from mediakit.errors import MediakitError

SAMPLES: list[MediakitError] = [
    errors.InvalidInput("size: too small.", details=[{"field": "size", "message": "too small."}]),
    errors.InvalidKey("This API key is not valid."),
    errors.EmailNotVerified("Verify your email address to use the tools."),
    errors.NotFound("This link has expired or does not exist."),
    errors.MethodNotAllowed("GET is not allowed here; use POST."),
    errors.ResourcesTimeout("Some resources did not load within 20 seconds.", hosts=["a.example"]),
    errors.RequestHeadersTooLarge("headers: at most 100 header lines are accepted."),
    errors.CreditsUsedUp("Monthly credit limit reached (50).", plan="free", limit=50, retry_after=9),
    errors.TooManyRequests("Too many requests: 10 per minute for this key.", plan="free", limit=10, retry_after=3),
    errors.PageUnavailable("The page could not be loaded (HTTP 404)."),
    errors.ServerBusy("The server is busy.", retry_after=4),
]


@pytest.mark.parametrize("error", SAMPLES, ids=lambda error: type(error).__name__)
def test_comes_back_from_its_body_as_itself(error: MediakitError) -> None:
    body = json.loads(json.dumps(error.body()))
    again = MediakitError.from_body(error.status, body)
    assert type(again) is type(error)
    assert (str(again), again.body()) == (str(error), error.body())


@pytest.mark.parametrize("error", SAMPLES, ids=lambda error: type(error).__name__)
def test_every_body_has_the_message(error: MediakitError) -> None:
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
def test_is_the_built_in_that_fits(kind: type[MediakitError], built_in: type[Exception]) -> None:
    assert issubclass(kind, built_in)


def test_an_unknown_answer_is_still_an_error() -> None:
    assert type(MediakitError.from_body(418, {"error": "teapot"})) is MediakitError
    assert type(MediakitError.from_body(429, {"error": "no fields"})) is MediakitError


def test_the_tree_at_the_top_of_the_file_names_every_class() -> None:
    classes = {name for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, MediakitError)}
    assert classes <= set((errors.__doc__ or "").split())
