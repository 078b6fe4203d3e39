"""Pages as HTML: the templates, what they format, messages after a form, and error pages.

Templates escape every value, and a value that is missing is an error. They know these names besides their own values:
`url(path, **query)` returns an address, `signed_in` is the account and session or None, `flash` is a message or None,
`path` is the path of the page.

A cookie holds the name of a message that the next page shows once, never its text: a forged cookie can only show one of
these messages. Error pages are for browsers; programs, and every other path, get errors as JSON.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from mediakit.api.addresses import external_base_url, forwarded_prefix
from mediakit.core.messages import counted
from mediakit.errors import MediakitError

BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
"""Parts of the header, most specific first: Edge names Chrome and Safari, too."""

SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def short_name(user_agent: str) -> str:
    """Return the browser and the system of a `User-Agent`, as in `Firefox on Windows`."""
    browser = next((name for part, name in BROWSERS if part in user_agent), "Unknown browser")
    system = next((name for part, name in SYSTEMS if part in user_agent), None)
    return f"{browser} on {system}" if system else browser


def day(value: date) -> str:
    """Return a date, as in `Nov 3, 2026`."""
    return f"{value:%b} {value.day}, {value.year}"


def ago(value: datetime) -> str:
    """Return a time relative to now, as in `5 minutes ago`; after a week, the date."""
    passed = datetime.now(UTC) - value
    if passed >= timedelta(days=7):
        return day(value)
    units = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1)))
    return next((f"{counted(passed // span, unit)} ago" for unit, span in units if passed >= span), "just now")


FILTERS: Mapping[str, Callable[..., Any]] = {
    "ago": ago,
    "count": counted,
    "day": day,
    "short_day": lambda value: f"{value:%b} {value.day}",
    "moment": lambda value: f"{value:%b} {value.day}, {value:%H:%M:%S}",
    "full_moment": lambda value: f"{day(value)}, {value:%H:%M} UTC",
    "instant": datetime.fromisoformat,
    "number": "{:,}".format,
    "browser": short_name,
    "tool_name": lambda name: name or "unknown",  # calls from before the ledger have none
}
"""Filters of the templates, by name."""


SEE_OTHER = 303


def relative_url(request: Request, path: str, query: Mapping[str, object] | None = None) -> str:
    """Return the address of a path relative to the page of a request, without the options that have no value."""
    parents = "../" * (request.scope["path"].count("/") - 1)
    options = {name: value for name, value in (query or {}).items() if value not in (None, "")}
    return f"{parents}{path.removeprefix('/') or './'}{f'?{urlencode(options)}' if options else ''}"


def redirect(request: Request, path: str, query: Mapping[str, object] | None = None) -> RedirectResponse:
    """Redirect the browser to a page with GET."""
    # Only some proxies prepend their path to a relative redirect; all of them keep an absolute URL unchanged.
    if forwarded_prefix(request):
        options = f"?{urlencode(query)}" if query else ""
        return RedirectResponse(f"{external_base_url(request)}{path}{options}", SEE_OTHER)
    return RedirectResponse(relative_url(request, path, query), SEE_OTHER)


FLASH_COOKIE = "mediakit_flash"
FLASH_SECONDS = 60

FLASHES: Mapping[str, str] = {
    "account-deleted": "Your account is deleted.",
    "account-disabled": "The account is disabled. Its keys no longer work.",
    "account-enabled": "The account is enabled. Its keys work again.",
    "account-plan": "The plan is changed.",
    "account-verified": "The email address is marked as verified.",
    "key-revoked": "The key is revoked. Calls with it now fail.",
    "key-shown-once": "A key is shown only when it is created. If you did not copy it, revoke it and create another.",
    "plan-downgrades": "The plan changes at the next reset.",
    "plan-kept": "The downgrade is canceled. You keep your plan.",
    "plan-upgraded": "The plan is changed. The credits are available now.",
    "session-ended": "The session is ended.",
    "signed-out": "You are signed out.",
    "signed-out-everywhere": "You are signed out on every device.",
}
"""Messages by name."""


def set_flash(response: Response, name: str) -> Response:
    """Show a message on the next page."""
    assert name in FLASHES  # noqa: S101  # names are constants
    response.set_cookie(FLASH_COOKIE, name, max_age=FLASH_SECONDS, httponly=True, samesite="lax")
    return response


if TYPE_CHECKING:
    from jinja2 import Environment

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every page: no inline scripts or styles, no other origins, no frames, no stored copies."""


def render(request: Request, template: str, *, status_code: int = 200, **values: Any) -> HTMLResponse:
    """Return a page."""
    flash = FLASHES.get(request.cookies.get(FLASH_COOKIE, ""))
    names = {
        "url": lambda path, **query: relative_url(request, path, query),
        "path": request.scope["path"],
        "flash": flash,
        "signed_in": None,
    }
    html = _environment().get_template(template).render({**names, **values})
    response = HTMLResponse(html, status_code, headers=PAGE_HEADERS)
    if flash:
        response.delete_cookie(FLASH_COOKIE, httponly=True, samesite="lax")
    return response


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("mediakit.api.dashboard")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(FILTERS)
    return environment


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
