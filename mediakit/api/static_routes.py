"""Routes with a constant response. They need neither accounts nor tools."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from mediakit.api.forwarded import external_base_url, forwarded_prefix

PAGES = Path(__file__).parent / "pages"

DOCS_POLICY = (
    "default-src 'none'; connect-src 'self'; img-src 'self' data: blob:; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


async def healthz(_request: Request) -> Response:
    """Report that the process responds."""
    return Response(b'{"status":"ok"}', media_type="application/json")


async def docs(_request: Request) -> Response:
    """Return the API documentation page, which loads no external resources."""
    return FileResponse(PAGES / "docs.html", headers={"Content-Security-Policy": DOCS_POLICY})


async def index(request: Request) -> Response:
    """Redirect to the API documentation page."""
    # Only some proxies prepend their path to a relative redirect; all of them keep an absolute URL unchanged.
    return RedirectResponse(f"{external_base_url(request)}/docs" if forwarded_prefix(request) else "docs")


STATIC_ROUTES = {"/": index, "/docs": docs, "/healthz": healthz}
"""Endpoints by path; the method is `GET`."""
