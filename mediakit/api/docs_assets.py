"""The files of the documentation page and of the index: scripts, styles, thumbnails, and sample files of the tools."""

from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from mediakit import samples
from mediakit.errors import NotFound

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

_HEADERS = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
_NOT_MODIFIED = 304


def _files(folder: Path, prefix: str) -> dict[str, Path]:
    return {f"{prefix}{path.name}": path for path in sorted(folder.glob("*")) if path.suffix in MEDIA_TYPES}


ASSETS: Mapping[str, Path] = {
    **_files(FOLDER, ""),
    **_files(FOLDER / "thumbnails", "thumbnails/"),
    **_files(FOLDER.parent / "home", "home/"),
    **_files(SAMPLES, "samples/"),
}
"""The files by their path below `/docs/`."""


async def asset(request: Request) -> Response:
    """Return a file of the documentation page.

    Raises:
        NotFound: The page has no such file.
    """
    path = ASSETS.get(request.scope["path"].rpartition(PREFIX)[2])
    if path is None:
        raise NotFound("path: does not exist. GET /docs lists every path.")
    response = FileResponse(path, headers=_HEADERS, media_type=MEDIA_TYPES[path.suffix], stat_result=path.stat())
    if request.headers.get("if-none-match", "").removeprefix("W/") == response.headers["etag"]:
        return Response(status_code=_NOT_MODIFIED, headers={**_HEADERS, "etag": response.headers["etag"]})
    return response
