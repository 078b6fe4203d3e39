"""HTTP messages as the proxy forwards them (RFC 9110, RFC 9112)."""

import re
from dataclasses import dataclass
from typing import Self

import h11

Headers = list[tuple[bytes, bytes]]

HOP_BY_HOP = frozenset(
    b"connection proxy-connection keep-alive te trailer transfer-encoding upgrade proxy-authenticate "
    b"proxy-authorization proxy-authentication-info".split()
)
"""Header fields that apply to a single connection (RFC 9110, section 7.6.1)."""

_AUTHORITY = rb"(?P<authority>(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))%s)"
_ABSOLUTE_FORM = re.compile(rb"http://" + _AUTHORITY % b"?" + rb"(?P<path>[/?][^#]*)?", re.IGNORECASE)
_AUTHORITY_FORM = re.compile(_AUTHORITY % b"", re.IGNORECASE)


class MalformedRequestError(ValueError):
    """The request is not one that a browser sends to a proxy."""


@dataclass(frozen=True, slots=True)
class Target:
    """Destination of a request."""

    host: str
    """In lower case; an IPv6 address without brackets."""
    port: int
    authority: bytes
    """Host and port as received, for the `Host` field."""
    path: bytes = b""
    """Path and query; empty for a tunnel."""

    @classmethod
    def of(cls, request: h11.Request) -> Self:
        """Parse the target of a request: authority form for CONNECT, absolute form with `http` for other methods.

        Raises:
            MalformedRequestError: The target has another form, or contains user information.
        """
        form = _AUTHORITY_FORM if is_connect(request) else _ABSOLUTE_FORM
        match = form.fullmatch(request.target)
        if match is None:
            raise MalformedRequestError("the request target has the wrong form")
        parts = match.groupdict()
        path = parts.get("path") or b"/"
        return cls(
            host=parts["host"].decode("ascii").strip("[]").lower(),
            port=int(parts["port"] or 80),
            authority=parts["authority"],
            path=path if path.startswith(b"/") else b"/" + path,
        )


def is_connect(request: h11.Request) -> bool:
    """Return whether a request opens a tunnel."""
    return request.method == b"CONNECT"


def check_framing(request: h11.Request) -> None:
    """Reject a request whose body length is ambiguous (RFC 9112, section 6.1).

    Raises:
        MalformedRequestError: The request has both a length and a transfer coding, or is a CONNECT with a body.
    """
    framing = [name for name, _ in request.headers if name in {b"content-length", b"transfer-encoding"}]
    if len(framing) > 1 or (framing and is_connect(request)):
        raise MalformedRequestError("the framing is ambiguous")


def to_origin(request: h11.Request, target: Target) -> h11.Request:
    """Return the request for the origin. The target overrides the `Host` field (RFC 9112, section 3.2.2)."""
    headers = [(b"Host", target.authority)]
    headers += [(name, value) for name, value in _end_to_end(request) if name.lower() != b"host"]
    if _field(request, b"transfer-encoding"):
        headers.append((b"Transfer-Encoding", b"chunked"))
    if _field(request, b"upgrade").lower() == b"websocket":
        headers += [(b"Connection", b"Upgrade"), (b"Upgrade", b"websocket")]
    else:
        headers.append((b"Connection", b"close"))
    return h11.Request(method=request.method, target=target.path, headers=headers)


def to_browser(response: h11.Response) -> h11.Response:
    """Return the response for the browser. Chunked coding overrides a length (RFC 9112, section 6.3)."""
    headers = _end_to_end(response)
    if _field(response, b"transfer-encoding"):
        headers = [(name, value) for name, value in headers if name.lower() != b"content-length"]
    return h11.Response(status_code=response.status_code, reason=response.reason, headers=headers)


def _end_to_end(message: h11.Request | h11.Response) -> Headers:
    connection_options = {token.strip() for token in _field(message, b"connection").lower().split(b",")}
    return [
        (name, value)
        for name, value in message.headers.raw_items()
        if name.lower() not in HOP_BY_HOP | connection_options
    ]


def _field(message: h11.Request | h11.Response, name: bytes) -> bytes:
    return b",".join(value for field, value in message.headers if field == name)
