"""Addresses of dashboard pages: relative, so that they work below any path prefix of a reverse proxy."""

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse

from mediakit.api.addresses import external_base_url, forwarded_prefix

SEE_OTHER = 303


def relative_url(request: Request, path: str, query: Mapping[str, object] | None = None) -> str:
    """Return the address of a path of this app, relative to the page of a request.

    Args:
        request: The request for the page that contains the address.
        path: The path, such as `/dashboard/keys`.
        query: Query options; those without a value are omitted.
    """
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
