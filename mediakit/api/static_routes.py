"""Routes that are served before the app has loaded. They need neither accounts nor tools."""

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from mediakit.api.docs_assets import ASSETS, FOLDER, PREFIX, asset
from mediakit.api.home import home
from mediakit.errors import NotFound
from mediakit.installation import site_folder

DOCS_POLICY = (
    "default-src 'none'; connect-src 'self'; img-src 'self' data: blob:; frame-src blob:; "
    "style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'"
)

SITE_PREFIX = "/site/"
SITE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


async def healthz(_request: Request) -> Response:
    """Report that the process responds."""
    return Response(b'{"status":"ok"}', media_type="application/json")


async def docs(_request: Request) -> Response:
    """Return the API documentation page, which loads no external resources."""
    headers = {"Content-Security-Policy": DOCS_POLICY, "Referrer-Policy": "no-referrer"}
    if not site_folder():
        return FileResponse(FOLDER / "index.html", headers=headers)
    page = (FOLDER / "index.html").read_text("utf-8")
    return HTMLResponse(page.replace("<html ", '<html data-site="site/docs/tools/" ', 1), headers=headers)


async def site(request: Request) -> Response:
    """Return a file of the documentation site, if it is installed.

    Raises:
        NotFound: There is no such file.
    """
    folder = site_folder()
    try:
        if folder is None:
            raise HTTPException(404)  # noqa: TRY301  # handled like a missing file
        path = request.scope["path"].partition(SITE_PREFIX)[2]
        response = await StaticFiles(directory=folder).get_response(path, request.scope)
    except HTTPException:
        raise NotFound("path: does not exist. GET /docs lists every path.") from None
    response.headers.update({"Content-Security-Policy": SITE_POLICY, "X-Content-Type-Options": "nosniff"})
    return response


STATIC_ROUTES = {
    "/": home,
    "/docs": docs,
    f"{PREFIX}{{asset:path}}": asset,
    "/healthz": healthz,
    f"{SITE_PREFIX}{{file:path}}": site,
}
"""Endpoints by path; the method is `GET`."""


def static_endpoint(path: str) -> Callable[[Request], Awaitable[Response]] | None:
    """Return the endpoint for the path of a request; None for other paths."""
    if path.startswith(PREFIX) and path.removeprefix(PREFIX) in ASSETS:
        return asset
    if path.startswith(SITE_PREFIX):
        return site
    return STATIC_ROUTES.get(path)
