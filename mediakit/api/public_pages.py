"""Pages that need neither a key nor the app: the index, the documentation with its files, and `/healthz`.

They need no key.
"""

import html
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from mediakit import samples
from mediakit.api.addresses import external_base_url, forwarded_prefix
from mediakit.api.headers import is_known, prefers_html
from mediakit.errors import NotFound
from mediakit.installation import __version__, site_folder

FOLDER = Path(__file__).parent / "pages" / "docs"
SAMPLES = Path(samples.__file__).parent
PREFIX = "/docs/"

MEDIA_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".ipynb": "application/x-ipynb+json",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".webp": "image/webp",
    ".zip": "application/zip",
}
"""Media types by suffix. The types that the system has for suffixes are not used, because some are wrong."""


def _files(folder: Path, prefix: str) -> dict[str, Path]:
    return {f"{prefix}{path.name}": path for path in sorted(folder.glob("*")) if path.suffix in MEDIA_TYPES}


ASSETS: Mapping[str, Path] = {
    **_files(FOLDER, ""),
    **_files(FOLDER / "thumbnails", "thumbnails/"),
    **_files(FOLDER.parent / "home", "home/"),
    **_files(SAMPLES, "samples/"),
}
"""The files by their path below `/docs/`."""


def file_response(request: Request, path: Path, media_type: str, cache_control: str = "no-cache") -> Response:
    """Return a file of a page, or that it has not changed since the client loaded it."""
    headers = {"Cache-Control": cache_control, "X-Content-Type-Options": "nosniff"}
    response = FileResponse(path, headers=headers, media_type=media_type, stat_result=path.stat())
    if is_known(request, response.headers["etag"]):
        return Response(status_code=304, headers={**headers, "etag": response.headers["etag"]})
    return response


async def asset(request: Request) -> Response:
    """Return a file of the documentation page.

    Raises:
        NotFound: The page has no such file.
    """
    path = ASSETS.get(request.scope["path"].rpartition(PREFIX)[2])
    if path is None:
        raise NotFound("path: does not exist. GET /docs lists every path.")
    return file_response(request, path, MEDIA_TYPES[path.suffix])


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
        return HTMLResponse(_home_page(url, forwarded_prefix(request)), headers=headers)
    links = {name: f"{url}{path}" for name, path in PATHS.items()}
    body = to_json({"name": "mediakit", "version": __version__, **links})
    return Response(body, media_type="application/json", headers={"Vary": "Accept"})


@lru_cache(maxsize=16)
def _home_page(url: str, prefix: str) -> str:
    # The links are relative. A prefix is from a proxy, which may serve this page with and without a final slash.
    base = f'<base href="{html.escape(prefix)}/">\n' if prefix else ""
    values = {"base": base, "url": html.escape(url), "version": __version__}
    page = PAGE.read_text("utf-8")
    for name, value in values.items():
        page = page.replace(f"{{{{{name}}}}}", value)
    return page


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
