"""The index of the server: a page for browsers, and links as JSON for programs."""

import html
from functools import cache
from pathlib import Path

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mediakit.api.accept import prefers_html
from mediakit.api.forwarded import external_base_url, forwarded_prefix
from mediakit.installation import __version__

PAGE = Path(__file__).parent / "pages" / "home" / "index.html"

POLICY = (
    "default-src 'none'; connect-src 'self'; img-src data:; style-src 'self'; script-src 'self'; base-uri 'self'; "
    "form-action 'none'; frame-ancestors 'none'"
)
PATHS = {
    "documentation": "/docs",
    "openapi": "/openapi.json",
    "templates": "/templates",
    "dashboard": "/dashboard",
    "usage": "/status",
    "readiness": "/readyz",
}
"""Paths of the JSON, by what they contain."""


async def home(request: Request) -> Response:
    """Return a page with links for browsers, and the same links as JSON for programs."""
    url = external_base_url(request)
    if prefers_html(request.headers.get("accept", "")):
        headers = {"Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer", "Vary": "Accept"}
        return HTMLResponse(_page(url, forwarded_prefix(request)), headers=headers)
    links = {name: f"{url}{path}" for name, path in PATHS.items()}
    body = to_json({"name": "mediakit", "version": __version__, **links})
    return Response(body, media_type="application/json", headers={"Vary": "Accept"})


def _page(url: str, prefix: str) -> str:
    # The links are relative. A prefix is from a proxy, which may serve this page with and without a final slash.
    base = f'<base href="{html.escape(prefix)}/">\n' if prefix else ""
    values = {"base": base, "url": html.escape(url), "version": __version__}
    page = _template()
    for name, value in values.items():
        page = page.replace(f"{{{{{name}}}}}", value)
    return page


@cache
def _template() -> str:
    return PAGE.read_text("utf-8")
