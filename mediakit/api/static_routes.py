"""Routes that are served before the app has loaded. They need neither accounts nor tools."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from mediakit.api.docs_assets import ASSETS, FOLDER, PREFIX, asset
from mediakit.api.home import home

DOCS_POLICY = (
    "default-src 'none'; connect-src 'self'; img-src 'self' data: blob:; frame-src blob:; "
    "style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'"
)


async def healthz(_request: Request) -> Response:
    """Report that the process responds."""
    return Response(b'{"status":"ok"}', media_type="application/json")


async def docs(_request: Request) -> Response:
    """Return the API documentation page, which loads no external resources."""
    headers = {"Content-Security-Policy": DOCS_POLICY, "Referrer-Policy": "no-referrer"}
    return FileResponse(FOLDER / "index.html", headers=headers)


STATIC_ROUTES = {"/": home, "/docs": docs, f"{PREFIX}{{asset:path}}": asset, "/healthz": healthz}
"""Endpoints by path; the method is `GET`."""


def static_endpoint(path: str) -> Callable[[Request], Awaitable[Response]] | None:
    """Return the endpoint for the path of a request; None for other paths."""
    if path.startswith(PREFIX) and path.removeprefix(PREFIX) in ASSETS:
        return asset
    return STATIC_ROUTES.get(path)
