"""Paths whose answers are always the same: they need no account and no tool."""

import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

PAGES = Path(__file__).parent / "pages"

DOCS_POLICY = (
    "default-src 'none'; connect-src 'self'; img-src 'self' data: blob:; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


async def healthz(_request: Request) -> Response:
    """Say that the process answers."""
    return Response(b'{"status":"ok"}', media_type="application/json")


async def docs(_request: Request) -> Response:
    """Show the API's page, which loads nothing from elsewhere."""
    return FileResponse(PAGES / "docs.html", headers={"Content-Security-Policy": DOCS_POLICY})


async def index(request: Request) -> Response:
    """Lead a browser to the API's page."""
    # Some proxies put their path before a redirect's, others do not; all leave a whole address alone.
    return RedirectResponse(f"{outer_address(request)}/docs" if _forwarded_prefix(request) else "docs")


def outer_address(request: Request) -> str:
    """Give the address that the caller reaches this app under, without a final slash."""
    base = request.base_url
    # Where several proxies stand in line, the first is the one that the caller spoke to.
    scheme = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip()
    if scheme in ("http", "https"):
        base = base.replace(scheme=scheme)
    return f"{str(base).rstrip('/')}{_forwarded_prefix(request)}"


def _forwarded_prefix(request: Request) -> str:
    """Give the path that a proxy keeps before ours, without a final slash; empty where there is none."""
    prefix = request.headers.get("x-forwarded-prefix", "").rstrip("/")
    return prefix if _PATH.fullmatch(prefix) else ""


_PATH = re.compile(r"(/[\w.~%@:+-]+)+")

STILL = {"/": index, "/docs": docs, "/healthz": healthz}
"""Their paths, all for `GET`."""
