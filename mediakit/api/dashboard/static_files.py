"""The style sheet, the script and the fonts of the dashboard."""

from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from mediakit.engines.fonts import FOLDER as FONTS
from mediakit.errors import NotFound

FOLDER = Path(__file__).parent / "static"

FILES: Mapping[str, tuple[Path, str]] = {
    "dashboard.css": (FOLDER / "dashboard.css", "text/css; charset=utf-8"),
    "dashboard.js": (FOLDER / "dashboard.js", "text/javascript; charset=utf-8"),
    "inter-latin.woff2": (FONTS / "inter-latin.woff2", "font/woff2"),
    "inter-latin-ext.woff2": (FONTS / "inter-latin-ext.woff2", "font/woff2"),
}
"""Path and media type by name."""

_HEADERS = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
_FONT_HEADERS = {**_HEADERS, "Cache-Control": "public, max-age=604800"}
_NOT_MODIFIED = 304


async def static_file(request: Request) -> Response:
    """Return a file.

    Raises:
        NotFound: The dashboard has no such file.
    """
    path, media_type = FILES.get(request.path_params["name"], (None, ""))
    if path is None:
        raise NotFound("path: does not exist.")
    headers = _FONT_HEADERS if media_type == "font/woff2" else _HEADERS
    response = FileResponse(path, headers=headers, media_type=media_type, stat_result=path.stat())
    if request.headers.get("if-none-match") == response.headers["etag"]:
        return Response(status_code=_NOT_MODIFIED, headers={**headers, "etag": response.headers["etag"]})
    return response
