"""All paths of the dashboard, its files, and two small pages: the templates, and calls to copy."""

import base64
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mediakit.api.context import Context
from mediakit.api.dashboard import account, operator, usage
from mediakit.api.dashboard.session import Page, SignedIn, for_signed_in
from mediakit.api.dashboard.sign_in import SignInPages, sign_out
from mediakit.api.public_pages import file_response
from mediakit.api.responses import UNTRUSTED_FILE_HEADERS
from mediakit.api.service_endpoints import ServiceEndpoints
from mediakit.core import snippets
from mediakit.core.tool import Tool
from mediakit.engines.fonts import FOLDER as FONTS
from mediakit.errors import NotFound
from mediakit.installation import client_command

FOLDER = Path(__file__).parent / "static"

FILES: Mapping[str, tuple[Path, str]] = {
    "dashboard.css": (FOLDER / "dashboard.css", "text/css; charset=utf-8"),
    "dashboard.js": (FOLDER / "dashboard.js", "text/javascript; charset=utf-8"),
    "inter-latin.woff2": (FONTS / "inter-latin.woff2", "font/woff2"),
    "inter-latin-ext.woff2": (FONTS / "inter-latin-ext.woff2", "font/woff2"),
}
"""Path and media type by name."""


async def static_file(request: Request) -> Response:
    """Return a file.

    Raises:
        NotFound: The dashboard has no such file.
    """
    path, media_type = FILES.get(request.path_params["name"], (None, ""))
    if path is None:
        raise NotFound("path: does not exist.")
    cache_control = "public, max-age=604800" if media_type == "font/woff2" else "no-cache"
    return file_response(request, path, media_type, cache_control)


async def template_gallery(signed_in: SignedIn) -> Response:
    """Return the page of the templates and their thumbnails."""
    from mediakit.engines.templates.registry import templates

    return signed_in.page("templates.html", templates=templates())


async def template_thumbnail(request: Request) -> Response:
    """Return the thumbnail of a style.

    Raises:
        NotFound: The template or the style does not exist.
    """
    from mediakit.engines.templates import TEMPLATES
    from mediakit.engines.templates.template import thumbnail_uri

    path = request.path_params
    template = TEMPLATES.get(path["template"])
    if template is None or path["style"] not in template.styles:
        raise NotFound("path: does not exist.")
    head, _, encoded = thumbnail_uri(template, path["style"]).partition(",")
    media_type = head.removeprefix("data:").removesuffix(";base64")
    headers = {**UNTRUSTED_FILE_HEADERS, "Cache-Control": "private, max-age=3600"}
    return Response(base64.b64decode(encoded), media_type=media_type, headers=headers)


Snippet = Callable[[Tool[..., Any], Mapping[str, Any], str], str]

LANGUAGES: Mapping[str, tuple[str, str | None, Snippet]] = {
    "curl": ("curl", None, snippets.curl),
    "python": ("Python", "call.py", snippets.python_client),
    "javascript": ("JavaScript", "call.mjs", snippets.javascript),
}
"""Label, name of the file and writer of the calls to copy, by language."""

SET_KEY = "export MEDIAKIT_API_KEY=mk_live_..."
"""Command to run first."""


async def try_it(signed_in: SignedIn, tools: Iterable[Tool[..., Any]]) -> Response:
    """Return the page with calls to copy, for the tool and the language in the query."""
    query, by_command = signed_in.request.query_params, {tool.command: tool for tool in tools if tool.examples}
    tool = by_command.get(query.get("tool", "qr")) or next(iter(by_command.values()))
    groups: dict[str, list[Tool[..., Any]]] = {}
    for each in by_command.values():
        groups.setdefault(each.spec.tag, []).append(each)
    language = query.get("language", "") if query.get("language", "") in LANGUAGES else "curl"
    _, filename, snippet = LANGUAGES[language]
    values = snippets.example_values(tool, tool.examples[0].values)
    return signed_in.page(
        "try_it.html",
        tool=tool,
        groups=groups,
        language=language,
        languages={name: label for name, (label, _, _) in LANGUAGES.items()},
        set_key=f"{SET_KEY}\n{client_command()}" if language == "python" else SET_KEY,
        snippet=snippet(tool, values, signed_in.context.base_url(signed_in.request)),
        filename=filename,
    )


def dashboard_routes(context: Context, service: ServiceEndpoints) -> list[Route]:
    """Return the routes of every page."""
    sign_in = SignInPages(context)
    public = {
        ("GET", "/sign-in"): sign_in.sign_in,
        ("POST", "/sign-in"): sign_in.send_link,
        ("GET", "/sign-in/{token}"): sign_in.confirm,
        ("POST", "/sign-in/{token}"): sign_in.use_link,
        ("GET", "/sign-up"): sign_in.sign_up,
        ("GET", "/static/{name}"): static_file,
        ("GET", "/thumbnails/{template}/{style}"): template_thumbnail,
    }
    own: dict[tuple[str, str], Page] = {
        ("POST", "/sign-out"): sign_out,
        ("GET", ""): usage.overview,
        ("GET", "/charts/{name}/{look}.svg"): usage.own_chart,
        ("GET", "/calls"): usage.calls,
        ("GET", "/keys"): account.keys,
        ("POST", "/keys"): account.create_key,
        ("GET", "/keys/{key_id}/revoke"): account.confirm_revoke,
        ("POST", "/keys/{key_id}/revoke"): account.revoke_key,
        ("GET", "/plan"): account.plans,
        ("GET", "/plan/{plan}"): account.confirm_plan,
        ("POST", "/plan/{plan}"): account.change_plan,
        ("GET", "/templates"): template_gallery,
        ("GET", "/try"): partial(try_it, tools=service.tools),
        ("GET", "/account"): account.account,
        ("POST", "/account/end-session"): account.end_session,
        ("POST", "/account/sign-out-everywhere"): account.end_all_sessions,
        ("GET", "/account/delete"): account.confirm_delete,
        ("POST", "/account/delete"): account.delete,
    }
    of_operators: dict[tuple[str, str], Page] = {
        ("GET", ""): operator.all_usage,
        ("GET", "/charts/{name}/{look}.svg"): operator.chart,
        ("GET", "/accounts"): operator.accounts,
        ("GET", "/accounts/{account_id:int}"): operator.account,
        ("GET", "/accounts/{account_id:int}/charts/{name}/{look}.svg"): operator.chart,
        ("POST", "/accounts/{account_id:int}/plan"): operator.set_plan,
        ("POST", "/accounts/{account_id:int}/{action}"): operator.change,
        ("GET", "/health"): partial(operator.health, metrics=service.metrics),
    }
    endpoints = {
        **{(method, f"/dashboard{path}"): endpoint for (method, path), endpoint in public.items()},
        **{(method, f"/dashboard{path}"): for_signed_in(context, page) for (method, path), page in own.items()},
        **{
            (method, f"/dashboard/operator{path}"): for_signed_in(context, page, only_admins=True)
            for (method, path), page in of_operators.items()
        },
    }
    return [Route(path, endpoint, methods=[method]) for (method, path), endpoint in endpoints.items()]
