"""Every failure, as a person reads it and as HTTP answers it.

    MediakitError                 500
    ├── InvalidInput              400   ValueError
    ├── InvalidKey                401   PermissionError
    ├── EmailNotVerified          403   PermissionError
    ├── NotFound                  404   LookupError
    ├── MethodNotAllowed          405
    ├── ResourcesTimeout          422   TimeoutError
    ├── NotConvertible            422   ValueError
    ├── RequestHeadersTooLarge    431
    ├── LimitReached              429
    │   ├── CreditsUsedUp
    │   └── TooManyRequests
    ├── PageUnavailable           502   ConnectionError
    ├── ServerUnreachable         503   ConnectionError
    └── ServerBusy                503   retry_after
        ├── RenderFailed
        └── BrowserMissing

A message names the field and the mend. A refusal for reasons of security stays generic; its reason goes to the log.
"""

import copyreg
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self, TypedDict


class FieldError(TypedDict):
    """One thing wrong with one field."""

    field: str
    message: str


class MediakitError(Exception):
    """Something went wrong; the message says what, and what to do."""

    status: ClassVar[int] = 500
    """HTTP status of the answer."""
    fields: ClassVar[tuple[str, ...]] = ()
    """Attributes that the answer's body carries beside `error`."""
    constants: ClassVar[Mapping[str, str]] = {}
    """Members of the body that are the same for every error of this class."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle makes it without its constructor, which some give keywords.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    def body(self) -> dict[str, Any]:
        """Give the JSON body that HTTP answers with."""
        return {"error": self.message, **self.constants, **{name: getattr(self, name) for name in self.fields}}

    @classmethod
    def from_body(cls, status: int, body: Mapping[str, Any]) -> "MediakitError":
        """Make again the error that a server answered with."""
        matches = [kind for kind in _family(cls) if kind.status == status and kind._made(body)]  # noqa: SLF001  # its own classes
        kind = max(matches, key=lambda kind: (len(kind.constants), len(kind.fields)), default=MediakitError)
        return kind._remake(body)  # noqa: SLF001

    @classmethod
    def _made(cls, body: Mapping[str, Any]) -> bool:
        same = all(body.get(name) == value for name, value in cls.constants.items())
        return same and all(name in body for name in cls.fields)

    @classmethod
    def _remake(cls, body: Mapping[str, Any]) -> Self:
        return cls(str(body.get("error", "The server gave no reason.")), **{name: body[name] for name in cls.fields})


class InvalidInput(MediakitError, ValueError):
    """A value breaks a rule of its field, or fields do not go together."""

    status = 400

    def __init__(self, message: str, *, details: Sequence[FieldError] = ()) -> None:
        super().__init__(message)
        self.details = list(details)

    def body(self) -> dict[str, Any]:
        """Give the JSON body, with `details` where single fields are to blame."""
        return {**super().body(), **({"details": self.details} if self.details else {})}

    @classmethod
    def _remake(cls, body: Mapping[str, Any]) -> Self:
        return cls(str(body.get("error", "The input is not valid.")), details=body.get("details", ()))


class InvalidKey(MediakitError, PermissionError):
    """The API key is missing, unknown or revoked."""

    status = 401


class EmailNotVerified(MediakitError, PermissionError):
    """The account's owner has not confirmed the email address."""

    status = 403


class NotFound(MediakitError, LookupError):
    """Nothing is there: an unknown path, or a link that has expired."""

    status = 404


class MethodNotAllowed(MediakitError):
    """The path exists, but not for this HTTP method."""

    status = 405


class ResourcesTimeout(MediakitError, TimeoutError):
    """An image, a font or a stylesheet of the HTML did not finish loading in time."""

    status = 422
    fields = ("hosts",)
    constants: ClassVar = {"code": "resources_timeout"}

    def __init__(self, message: str, *, hosts: Sequence[str]) -> None:
        super().__init__(message)
        self.hosts = list(hosts)


class NotConvertible(MediakitError, ValueError):
    """What was given is no web page, is too large, or took too long to convert."""

    status = 422


class LimitReached(MediakitError):
    """The plan allows no further call for now."""

    status = 429
    fields = ("plan", "limit", "retry_after")
    reason: ClassVar[Literal["credits", "rate"]]
    """Which limit was reached: the credits of the month, or the requests per minute."""

    def __init__(self, message: str, *, plan: str, limit: int, retry_after: int) -> None:
        super().__init__(message)
        self.plan = plan
        self.limit = limit
        self.retry_after = retry_after
        """Seconds until the next call can succeed."""


class CreditsUsedUp(LimitReached):
    """The month's credits are used up; `limit` is their number."""

    reason = "credits"
    constants: ClassVar = {"reason": reason}


class TooManyRequests(LimitReached):
    """The key made too many requests in a minute; `limit` is how many it may make."""

    reason = "rate"
    constants: ClassVar = {"reason": reason}


class RequestHeadersTooLarge(MediakitError):
    """The request has too many headers, or its request line and headers are too long."""

    status = 431


class PageUnavailable(MediakitError, ConnectionError):
    """The page could not be loaded, answered with an error, or may not be loaded."""

    status = 502


class ServerUnreachable(MediakitError, ConnectionError):
    """A client got no answer from its server."""

    status = 503


class ServerBusy(MediakitError):
    """No slot became free; the same call can succeed after `retry_after` seconds."""

    status = 503
    fields = ("retry_after",)

    def __init__(self, message: str, *, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RenderFailed(ServerBusy, RuntimeError):
    """The browser could not finish the picture: it crashed, or the deadline passed."""


class BrowserMissing(ServerBusy, RuntimeError):
    """No Chromium works here; the message holds the command that installs one."""


def _family(kind: type[MediakitError]) -> Iterator[type[MediakitError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _family(child)
