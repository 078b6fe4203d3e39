"""Answers: one result as an envelope, as the file itself, or as a temporary link."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic_core import to_json
from starlette.responses import Response

from mediakit.accounts import Link, RateStatus
from mediakit.core.messages import quote
from mediakit.core.request import invalid
from mediakit.core.tool import Tool
from mediakit.core.usage import Usage
from mediakit.errors import MediakitError
from mediakit.results.result import Result

Output = Literal["json", "binary", "url"]

SAFE_FILE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox",
    "Referrer-Policy": "no-referrer",
}
"""Headers of a file that somebody else may have written: no script of it runs in a browser."""


class JsonResponse(Response):
    """JSON from bytes or from plain values."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write the body."""
        return content if isinstance(content, bytes) else to_json(content)


def outputs(tool: Tool[..., Any]) -> tuple[str, ...]:
    """Name the values of `output` that a tool takes; `image` on pictures forces the file, as `pdf` does on PDFs."""
    return ("json", "binary", "url") if tool.result.is_data else ("json", "binary", "url", tool.result.member)


def pick_output(tool: Tool[..., Any], value: Any, *, raw: bool) -> Output:
    """Decide how the result is answered: what was asked for, else the file for raw input, JSON for JSON and data."""
    if value is None:
        return "binary" if raw and not tool.result.is_data else "json"
    if value not in outputs(tool):
        message = f"must be one of {', '.join(outputs(tool))}; got {quote(value)}."
        raise invalid([{"field": "output", "message": message}])
    return "binary" if value == tool.result.member else value


def spent(usage: Usage) -> dict[str, Any]:
    """Give the members that every successful call's meta carries."""
    return {"used": usage.used, "remaining": usage.remaining, "unlimited": usage.unlimited}


def enveloped(result: Result, usage: Usage) -> Response:
    """Answer with base64 inside JSON."""
    return JsonResponse(result.envelope(spent(usage)))


def file(result: Result, filename: str, usage: Usage) -> Response:
    """Answer with the file itself; the meta goes into headers."""
    headers = {
        "Content-Disposition": f'inline; filename="{filename}"',
        "X-Mediakit-Meta": json.dumps(result.meta | spent(usage)),
    }
    return Response(result.file, media_type=result.mime_type, headers=SAFE_FILE | headers)


def linked(result: Result, link: Link, url: str, usage: Usage) -> Response:
    """Answer with a temporary link."""
    return JsonResponse(
        {
            "success": True,
            "url": url,
            "expires_at": link.expires_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "mime_type": result.mime_type,
            "size_bytes": link.size_bytes,
            "meta": spent(usage),
        }
    )


def rate_headers(rate: RateStatus | None) -> dict[str, str]:
    """Give the header fields that tell how many requests the key has left, as most APIs name them."""
    if rate is None:
        return {}
    figures = {"Limit": rate.limit, "Remaining": rate.remaining, "Reset": rate.reset_seconds}
    return {f"X-RateLimit-{name}": str(figure) for name, figure in figures.items()}


def refused(error: MediakitError, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with an error's body and status."""
    wait = {"Retry-After": str(error.retry_after)} if hasattr(error, "retry_after") else {}
    return JsonResponse(error.body(), status_code=error.status, headers={**wait, **(headers or {})})
