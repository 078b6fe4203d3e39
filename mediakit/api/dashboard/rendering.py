"""Pages of the dashboard from Jinja2 templates, with the headers that protect them.

Templates escape every value, and a value that is missing is an error. They know these names besides their own values:
`url(path, **query)` returns an address, `signed_in` is the account and session or None, `flash` is a message or None,
`path` is the path of the page.
"""

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from mediakit.api.dashboard.addresses import relative_url
from mediakit.api.dashboard.flashes import clear_flash, flash_of
from mediakit.api.dashboard.formats import FILTERS

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
    """Return a page.

    Args:
        request: The request for the page.
        template: File name of the template.
        status_code: HTTP status of the response.
        values: Values of the template.
    """
    flash = flash_of(request)
    names = {"url": partial(_url, request), "path": request.scope["path"], "flash": flash, "signed_in": None}
    html = _environment().get_template(template).render({**names, **values})
    response = HTMLResponse(html, status_code, headers=PAGE_HEADERS)
    if flash:
        clear_flash(response)
    return response


def _url(request: Request, path: str, **query: object) -> str:
    return relative_url(request, path, query)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("mediakit.api.dashboard")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(FILTERS)
    return environment
