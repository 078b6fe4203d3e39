"""The `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header): repeated calls get the first response."""

import hashlib
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts import StoredResponse
from mediakit.api.responses import ErrorResponse, internal_error
from mediakit.core.inputs import FileBytes
from mediakit.core.messages import quote
from mediakit.core.request import invalid
from mediakit.errors import CallInProgress, InvalidInput, LimitReached, MediakitError, ServerBusy

HEADER = "Idempotency-Key"
MAX_KEY_LENGTH = 255
REPLAYED_HEADERS = {"Idempotency-Replayed": "true"}

NOT_STORED = (InvalidInput, CallInProgress, LimitReached, ServerBusy)
"""Errors of a running call after which a repeated call runs again. It can succeed, or fails in the same way."""

_PLAIN = re.compile(r"[\x20-\x7e]+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
"""A string of structured fields (RFC 9651, section 3.3.3)."""
_ESCAPE = re.compile(r'\\(["\\])')


def key_of(request: Request) -> str | None:
    """Return the idempotency key of a request, without the quotes of a structured field; None without the header.

    Raises:
        InvalidInput: The header is repeated, empty, too long, or not printable ASCII.
    """
    values = request.headers.getlist(HEADER)
    if not values:
        return None
    if len(values) > 1:
        raise _invalid_key("must be sent once.")
    text = values[0].strip()
    key = _ESCAPE.sub(r"\1", match[1]) if (match := _QUOTED.fullmatch(text)) else text
    if not 1 <= len(key) <= MAX_KEY_LENGTH or not _PLAIN.fullmatch(key):
        message = f"must have 1 to {MAX_KEY_LENGTH} printable ASCII characters, got {quote(key) if key else 'none'}."
        raise _invalid_key(message)
    return key


def fingerprint(path: str, values: Mapping[str, Any], output: str) -> bytes:
    """Return a digest of a request: its path, its values, and how the result is sent.

    It depends on the values alone, so that a form with another boundary or JSON with another order is the same request.
    """
    digest = hashlib.sha256()
    _update(digest, [path, output, values])
    return digest.digest()


def replay(stored: StoredResponse) -> Response:
    """Return the response of the first call. An error has the format that the repeated request accepts."""
    if stored.status >= HTTPStatus.BAD_REQUEST and stored.body:
        return ErrorResponse(MediakitError.from_body(stored.status, from_json(stored.body)), REPLAYED_HEADERS)
    response = Response(stored.body, stored.status, REPLAYED_HEADERS)
    response.raw_headers += [(name.encode("latin-1"), value.encode("latin-1")) for name, value in stored.headers]
    return response


def storable(response: Response) -> StoredResponse:
    """Return a response as it is stored."""
    headers = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in response.raw_headers
        if name != b"content-length"
    ]
    return StoredResponse(response.status_code, headers, bytes(response.body))


def failure_to_store(error: BaseException, request_id: str) -> StoredResponse | None:
    """Return the response of a call that failed; None if a repeated call runs again."""
    if isinstance(error, NOT_STORED):
        return None
    return storable(ErrorResponse(error if isinstance(error, MediakitError) else internal_error(request_id)))


def _update(digest: "hashlib._Hash", value: Any) -> None:
    """Add a value to a digest, with its type and length, so that different values have different encodings."""
    if isinstance(value, Mapping):
        value = [item for name in sorted(value) for item in (name, value[name])]
        digest.update(b"m")
    if isinstance(value, list | tuple):
        digest.update(b"l%d:" % len(value))
        for item in value:
            _update(digest, item)
        return
    if isinstance(value, FileBytes):
        _update(digest, value.name)
    content = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
    kind = "bytes" if isinstance(value, bytes) else type(value).__name__
    digest.update(b"%s%d:" % (kind.encode(), len(content)))
    digest.update(content)


def _invalid_key(message: str) -> MediakitError:
    return invalid([{"field": HEADER, "message": message}])
