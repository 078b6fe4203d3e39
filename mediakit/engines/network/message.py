"""HTTP messages on their way through the proxy (RFC 9110, RFC 9112)."""

import re
from dataclasses import dataclass
from typing import Self

import h11

Headers = list[tuple[bytes, bytes]]

HOP_BY_HOP = frozenset(
    b"connection proxy-connection keep-alive te trailer transfer-encoding upgrade proxy-authenticate "
    b"proxy-authorization proxy-authentication-info".split()
)
"""Header fields that concern one connection alone (RFC 9110, section 7.6.1)."""

_AUTHORITY = rb"(?P<authority>(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))%s)"
_ABSOLUTE_FORM = re.compile(rb"http://" + _AUTHORITY % b"?" + rb"(?P<path>[/?][^#]*)?", re.IGNORECASE)
_AUTHORITY_FORM = re.compile(_AUTHORITY % b"", re.IGNORECASE)


class MalformedRequestError(ValueError):
    """The browser's side sent what no browser sends to a proxy."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes."""

    host: str
    """Lower case; an IPv6 address without its brackets."""
    port: int
    authority: bytes
    """Host and port as they were written, for the `Host` field."""
    path: bytes = b""
    """Path and query; nothing for a tunnel."""

    @classmethod
    def of(cls, request: h11.Request) -> Self:
        """Read a request's target: authority form for CONNECT, absolute form with `http` for all else.

        Raises:
            MalformedRequestError: It has another form, or names a user.
        """
        form = _AUTHORITY_FORM if is_connect(request) else _ABSOLUTE_FORM
        match = form.fullmatch(request.target)
        if match is None:
            raise MalformedRequestError("the target's form is wrong")
        parts = match.groupdict()
        path = parts.get("path") or b"/"
        return cls(
            host=parts["host"].decode("ascii").strip("[]").lower(),
            port=int(parts["port"] or 80),
            authority=parts["authority"],
            path=path if path.startswith(b"/") else b"/" + path,
        )


def is_connect(request: h11.Request) -> bool:
    """Say whether a request asks for a tunnel."""
    return request.method == b"CONNECT"


def check_framing(request: h11.Request) -> None:
    """Refuse a request whose content two parsers could measure differently (RFC 9112, section 6.1).

    Raises:
        MalformedRequestError: It has both a length and a transfer coding, or it is a CONNECT with content.
    """
    framing = [name for name, _ in request.headers if name in {b"content-length", b"transfer-encoding"}]
    if len(framing) > 1 or (framing and is_connect(request)):
        raise MalformedRequestError("the framing is ambiguous")


def to_origin(request: h11.Request, target: Target) -> h11.Request:
    """Make the request that the origin gets: its URI wins over its `Host` (RFC 9112, section 3.2.2)."""
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
    """Make the response that the browser gets; the chunked coding wins over a length (RFC 9112, section 6.3)."""
    headers = _end_to_end(response)
    if _field(response, b"transfer-encoding"):
        headers = [(name, value) for name, value in headers if name.lower() != b"content-length"]
    return h11.Response(status_code=response.status_code, reason=response.reason, headers=headers)


def _end_to_end(message: h11.Request | h11.Response) -> Headers:
    named = {token.strip() for token in _field(message, b"connection").lower().split(b",")}
    return [(name, value) for name, value in message.headers.raw_items() if name.lower() not in HOP_BY_HOP | named]


def _field(message: h11.Request | h11.Response, name: bytes) -> bytes:
    return b",".join(value for found, value in message.headers if found == name)
