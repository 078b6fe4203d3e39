"""The errors of mediakit, with their HTTP status and base classes.

    MediakitError                 500
    ├── InvalidInput              400   ValueError
    │   └── MissingPackage              ImportError
    ├── InvalidKey                401   PermissionError
    ├── EmailNotVerified          403   PermissionError
    ├── KeyNotAllowed             403   PermissionError
    ├── NotFound                  404   LookupError
    ├── MethodNotAllowed          405
    ├── CallInProgress            409   retry_after
    ├── RangeNotSatisfiable       416
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
        ├── WorkerEnded
        └── BrowserMissing

A message names the field and how to fix the error. Security errors have a generic message, and the log has the reason.

In IPython a traceback has two lines: the user's line that called mediakit, and the message.
"""

import copyreg
import linecache
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Literal, Self, TypedDict

PACKAGE = Path(__file__).parent
LIBRARIES = tuple(
    {
        Path(path)
        for name, path in sysconfig.get_paths().items()
        if name in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)

MAX_SOURCE_LENGTH = 160
"""Characters of the longest source line; a call of several lines is joined to one."""

COMPLETE_MODES = ("Verbose", "Minimal")
"""Modes of `%xmode` in which IPython renders the traceback as for any other error."""

RED, GREEN, DEFAULT = "\x1b[31m", "\x1b[32m", "\x1b[39m"


class ShortTraceback:
    """Base class of errors that IPython shows in two lines. Outside of IPython it has no effect."""

    def _render_traceback_(self) -> list[str]:
        assert isinstance(self, BaseException)  # noqa: S101  # a mixin of exceptions
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if shell is None:
            return traceback.format_exception(self)
        if shell.InteractiveTB.mode in COMPLETE_MODES:
            lines: list[str] = shell.InteractiveTB.structured_traceback(type(self), self, self.__traceback__)
            return lines
        colored = str(shell.colors).lower() != "nocolor"
        red, green, default = (RED, GREEN, DEFAULT) if colored else ("", "", "")
        message = f"{red}{type(self).__name__}{default}: {self}"
        trace = _user_line(self.__traceback__)
        return [f"{green}{_place(trace, shell)}{default}: {_source(trace)}", message] if trace else [message]


def _user_line(trace: TracebackType | None) -> TracebackType | None:
    """Return the innermost line of the user's code before mediakit's; None if only libraries called mediakit."""
    found = None
    while trace and not (path := Path(trace.tb_frame.f_code.co_filename)).is_relative_to(PACKAGE):
        if not any(map(path.is_relative_to, LIBRARIES)):
            found = trace
        trace = trace.tb_next
    return found


def _place(trace: TracebackType, shell: Any) -> str:
    """Return where a line is: `Cell In[3], line 2, in draw`, or the name of a file instead of the cell."""
    code = trace.tb_frame.f_code
    path, label = Path(code.co_filename), shell.compile.format_code_name(code.co_filename)
    place = " ".join(label) if label else path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    function = "" if code.co_name.startswith("<") else f", in {code.co_name}"
    return f"{place}, line {trace.tb_lineno}{function}"


def _source(trace: TracebackType) -> str:
    """Return the source of a call in one line."""
    code, first = trace.tb_frame.f_code, trace.tb_lineno
    # The last line of the expression of the instruction, which can be missing.
    ends = [end for _, end, _, _ in code.co_positions()][trace.tb_lasti // 2 :]
    joined = ""
    for number in range(first, max(first, (ends and ends[0]) or first) + 1):
        text = linecache.getline(code.co_filename, number, trace.tb_frame.f_globals).strip()
        if text[:1] in (*")]}",):
            joined = joined.removesuffix(",")
        elif joined and joined[-1] not in "([{":
            joined += " "
        joined += text
    return joined if len(joined) <= MAX_SOURCE_LENGTH else f"{joined[:MAX_SOURCE_LENGTH]}…"


_FIELD = re.compile(r"[A-Za-z_][\w.\[\]-]*")
"""The name of a field, an option or a header, as the first word of a message."""


class FieldError(TypedDict):
    """An error of one field."""

    field: str
    message: str


class MediakitError(ShortTraceback, Exception):
    """Base class of all errors. The server responds with this class to an unexpected error."""

    status: ClassVar[int] = 500
    """HTTP status of the response."""
    fields: ClassVar[tuple[str, ...]] = ()
    """Attributes that the response body contains in addition to `error`."""
    constants: ClassVar[Mapping[str, str]] = {}
    """Fields of the response body with the same value for every error of this class."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickling must not call the constructor, because some constructors have required keyword arguments.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    def body(self) -> dict[str, Any]:
        """Return the JSON body of the HTTP response."""
        return {"error": self.message, **self.constants, **{name: getattr(self, name) for name in self.fields}}

    @classmethod
    def from_body(cls, status: int, body: Mapping[str, Any]) -> "MediakitError":
        """Return an instance of the error class that matches the status and the JSON body of an HTTP response."""
        matches = [
            kind
            for kind in _class_and_subclasses(cls)
            if kind.status == status
            and all(body.get(name) == value for name, value in kind.constants.items())
            and all(name in body for name in kind.fields)
        ]
        kind = max(matches, key=lambda kind: (len(kind.constants), len(kind.fields)), default=MediakitError)
        return kind._from_fields(body)  # noqa: SLF001

    @classmethod
    def _from_fields(cls, body: Mapping[str, Any]) -> Self:
        return cls(
            str(body.get("error", "The server sent no error message.")), **{name: body[name] for name in cls.fields}
        )


class InvalidInput(MediakitError, ValueError):
    """A value is not valid, or fields cannot be combined."""

    status = 400

    def __init__(self, message: str, *, details: Sequence[FieldError] = ()) -> None:
        super().__init__(message)
        self.details = list(details)

    def body(self) -> dict[str, Any]:
        """Return the JSON body, with `details`: a message for each field; `body` stands for the request as a whole."""
        return self._body(self.message)

    def _body(self, message: str) -> dict[str, Any]:
        field, _, about = message.partition(": ")
        if not _FIELD.fullmatch(field):
            field, about = "body", message
        return {"error": message, "details": self.details or [{"field": field, "message": about}]}

    @classmethod
    def _from_fields(cls, body: Mapping[str, Any]) -> Self:
        return cls(str(body.get("error", "The input is not valid.")), details=body.get("details", ()))


class MissingPackage(InvalidInput, ImportError):
    """A package that the call needs is not installed. In Python and in the shell, the message names a fix."""

    def __init__(self, message: str, *, command: str = "") -> None:
        super().__init__(f"{message} Install it: {command}" if command else message)
        self.command = command
        """The command that installs the package."""

    def body(self) -> dict[str, Any]:
        """Return the JSON body, without the command, which is for the operator of the server."""
        return self._body(self.message.removesuffix(f" Install it: {self.command}"))


class InvalidCall(ShortTraceback, TypeError):
    """A call has too many positional arguments, or two values for one name. Only Python calls raise it."""


class UnknownName(ShortTraceback, AttributeError):
    """The package or one of its objects has no such name. Only Python raises it."""


class InvalidKey(MediakitError, PermissionError):
    """The API key is missing, unknown, revoked or expired."""

    status = 401


class EmailNotVerified(MediakitError, PermissionError):
    """The email address of the account is not verified."""

    status = 403


class KeyNotAllowed(MediakitError, PermissionError):
    """The scopes of the API key do not include the tool."""

    status = 403
    constants: ClassVar = {"reason": "scope"}


class NotFound(MediakitError, LookupError):
    """The path, link, key or account does not exist, or the link has expired."""

    status = 404


class MethodNotAllowed(MediakitError):
    """The path does not support this HTTP method."""

    status = 405


class CallInProgress(MediakitError):
    """Another call with the same idempotency key is running. Retry to receive its response."""

    status = 409
    fields = ("retry_after",)

    def __init__(self, message: str, *, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RangeNotSatisfiable(MediakitError):
    """The `Range` header asks for bytes after the end of the file."""

    status = 416


class ResourcesTimeout(MediakitError, TimeoutError):
    """An image, a font or a stylesheet of the HTML did not load before the timeout."""

    status = 422
    fields = ("hosts",)
    constants: ClassVar = {"code": "resources_timeout"}

    def __init__(self, message: str, *, hosts: Sequence[str]) -> None:
        super().__init__(message)
        self.hosts = list(hosts)


class NotConvertible(MediakitError, ValueError):
    """The input is not a web page, is too large, or took too long to convert."""

    status = 422


class LimitReached(MediakitError):
    """A limit of the plan is reached: credits per month or requests per minute."""

    status = 429
    fields = ("plan", "limit", "retry_after")
    reason: ClassVar[Literal["credits", "rate"]]
    """The limit that was reached: credits per month, or requests per minute."""

    def __init__(self, message: str, *, plan: str, limit: int, retry_after: int) -> None:
        super().__init__(message)
        self.plan = plan
        self.limit = limit
        self.retry_after = retry_after
        """Seconds until the next call can succeed."""


class CreditsUsedUp(LimitReached):
    """The credits of the month are used up. `limit` is the number of credits per month."""

    reason = "credits"
    constants: ClassVar = {"reason": reason}


class TooManyRequests(LimitReached):
    """The account made too many requests in a minute, or its calls ran too long. `limit` is the limit of its plan."""

    reason = "rate"
    constants: ClassVar = {"reason": reason}


class RequestHeadersTooLarge(MediakitError):
    """The request has too many headers, or its request line and headers are too long."""

    status = 431


class PageUnavailable(MediakitError, ConnectionError):
    """The page could not be loaded, responded with an error, or is on a blocked network."""

    status = 502


class ServerUnreachable(MediakitError, ConnectionError):
    """The client received no response from the server."""

    status = 503


class ServerBusy(MediakitError):
    """The server is busy. The same call can succeed after `retry_after` seconds."""

    status = 503
    fields = ("retry_after",)

    def __init__(self, message: str, *, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RenderFailed(ServerBusy, RuntimeError):
    """The browser failed, or had too little processor time, for a reason other than the page."""


class WorkerEnded(ServerBusy, RuntimeError):
    """The worker process of a batch ended while it made a row, for example because the memory was full."""


class BrowserMissing(ServerBusy, RuntimeError):
    """No working Chromium was found. The message contains the command that installs one."""


def _class_and_subclasses(kind: type[MediakitError]) -> Iterator[type[MediakitError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _class_and_subclasses(child)
