"""Error pages of the dashboard for browsers. Programs, and every other path, get errors as JSON."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mediakit.api.dashboard.rendering import render
from mediakit.errors import MediakitError

TITLES: Mapping[int, str] = {
    400: "This request is not valid",
    403: "Access denied",
    404: "Page not found",
    405: "This page cannot be opened like that",
    429: "Too many requests",
    503: "The service is busy",
}
"""Headings by status."""


def wants_error_page(request: Request) -> bool:
    """Return whether an error is shown as a page: below `/dashboard`, to clients that accept HTML."""
    path = request.scope["path"]
    return (path == "/dashboard" or path.startswith("/dashboard/")) and "text/html" in request.headers.get("accept", "")


def error_page(request: Request, error: MediakitError, headers: Mapping[str, str] | None = None) -> Response:
    """Return a page for an error."""
    title = TITLES.get(error.status, "Something went wrong")
    message = "The page does not exist, or you cannot open it." if error.status == 404 else str(error)
    response = render(
        request, "error.html", status_code=error.status, title=title, message=message, status=error.status
    )
    response.headers.update(headers or {})
    if retry_after := getattr(error, "retry_after", None):
        response.headers["Retry-After"] = str(retry_after)
    return response
