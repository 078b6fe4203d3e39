"""All paths of the dashboard, its files, and two small pages: the templates, and calls to copy."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from mediakit.api.context import Context
from mediakit.api.dashboard.account_page import AccountPages
from mediakit.api.dashboard.calls import Calls
from mediakit.api.dashboard.health import HealthPages
from mediakit.api.dashboard.keys import KeyPages
from mediakit.api.dashboard.operator import OperatorPages
from mediakit.api.dashboard.overview import Overview
from mediakit.api.dashboard.plan import PlanPages
from mediakit.api.dashboard.session import page, require
from mediakit.api.dashboard.sign_in_pages import SignInPages
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


class TemplateGallery:
    """The page of the templates and their thumbnails."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def show(self, request: Request) -> Response:
        """Return the page."""
        from mediakit.engines.templates.registry import templates

        signed_in = await require(request, self.context)
        return page(request, "templates.html", signed_in, templates=templates())

    async def thumbnail(self, request: Request) -> Response:
        """Return the thumbnail of a style.

        Raises:
            NotFound: The template or the style does not exist.
        """
        from mediakit.engines.templates import TEMPLATES
        from mediakit.engines.templates.template import thumbnail_uri

        template, style = TEMPLATES.get(request.path_params["template"]), request.path_params["style"]
        if template is None or style not in template.styles:
            raise NotFound("path: does not exist.")
        head, _, encoded = thumbnail_uri(template, style).partition(",")
        media_type = head.removeprefix("data:").removesuffix(";base64")
        headers = {**UNTRUSTED_FILE_HEADERS, "Cache-Control": "private, max-age=3600"}
        return Response(base64.b64decode(encoded), media_type=media_type, headers=headers)


LANGUAGES: Mapping[str, str] = {"curl": "curl", "python": "Python", "javascript": "JavaScript"}
"""Labels by language."""
FIRST_TOOL = "qr"

SET_KEY = "export MEDIAKIT_API_KEY=mk_live_..."
"""Command to run first."""


class TryIt:
    """The page with calls to copy."""

    def __init__(self, context: Context, tools: tuple[Tool[..., Any], ...]) -> None:
        self.context = context
        self.tools = {tool.command: tool for tool in tools if tool.examples}

    async def show(self, request: Request) -> Response:
        """Return the page for the tool and the language in the query."""
        signed_in = await require(request, self.context)
        tool = self.tools.get(request.query_params.get("tool", FIRST_TOOL)) or next(iter(self.tools.values()))
        language = request.query_params.get("language", "")
        language = language if language in LANGUAGES else "curl"
        return page(
            request,
            "try_it.html",
            signed_in,
            tool=tool,
            groups=self._groups(),
            language=language,
            languages=LANGUAGES,
            set_key=f"{SET_KEY}\n{client_command()}" if language == "python" else SET_KEY,
            snippet=snippet(language, tool, self.context.base_url(request)),
            filename=_filename(language),
        )

    def _groups(self) -> dict[str, list[Tool[..., Any]]]:
        """Return the tools by tag."""
        groups: dict[str, list[Tool[..., Any]]] = {}
        for tool in self.tools.values():
            groups.setdefault(tool.spec.tag, []).append(tool)
        return groups


def snippet(language: str, tool: Tool[..., Any], base_url: str) -> str:
    """Return an example call of a tool, which reads the API key from the environment."""
    values = snippets.example_values(tool, tool.examples[0].values)
    if language == "curl":
        return snippets.curl(tool, values, base_url)
    if language == "javascript":
        return snippets.javascript(tool, values, base_url)
    return snippets.python_client(tool, values, base_url)


def _filename(language: str) -> str | None:
    return {"python": "call.py", "javascript": "call.mjs"}.get(language)


GET, POST = ["GET"], ["POST"]


def dashboard_routes(context: Context, service: ServiceEndpoints) -> list[Route]:
    """Return the routes of every page."""
    overview, calls, keys, plan = Overview(context), Calls(context), KeyPages(context), PlanPages(context)
    gallery, try_it, account = TemplateGallery(context), TryIt(context, service.tools), AccountPages(context)
    operator, health = OperatorPages(context), HealthPages(context, service.metrics)
    sign_in = SignInPages(context)
    return [
        Route("/dashboard/sign-in", sign_in.sign_in, methods=GET),
        Route("/dashboard/sign-in", sign_in.send_link, methods=POST),
        Route("/dashboard/sign-in/{token}", sign_in.confirm, methods=GET),
        Route("/dashboard/sign-in/{token}", sign_in.use_link, methods=POST),
        Route("/dashboard/sign-up", sign_in.sign_up, methods=GET),
        Route("/dashboard/sign-out", sign_in.sign_out, methods=POST),
        Route("/dashboard", overview.show, methods=GET),
        Route("/dashboard/charts/{name}/{look}.svg", overview.chart, methods=GET),
        Route("/dashboard/calls", calls.show, methods=GET),
        Route("/dashboard/keys", keys.show, methods=GET),
        Route("/dashboard/keys", keys.create, methods=POST),
        Route("/dashboard/keys/{key_id}/revoke", keys.confirm_revoke, methods=GET),
        Route("/dashboard/keys/{key_id}/revoke", keys.revoke, methods=POST),
        Route("/dashboard/plan", plan.show, methods=GET),
        Route("/dashboard/plan/{plan}", plan.confirm, methods=GET),
        Route("/dashboard/plan/{plan}", plan.change, methods=POST),
        Route("/dashboard/templates", gallery.show, methods=GET),
        Route("/dashboard/thumbnails/{template}/{style}", gallery.thumbnail, methods=GET),
        Route("/dashboard/try", try_it.show, methods=GET),
        Route("/dashboard/account", account.show, methods=GET),
        Route("/dashboard/account/end-session", account.end_session, methods=POST),
        Route("/dashboard/account/sign-out-everywhere", account.end_all_sessions, methods=POST),
        Route("/dashboard/account/delete", account.confirm_delete, methods=GET),
        Route("/dashboard/account/delete", account.delete, methods=POST),
        Route("/dashboard/operator", operator.show, methods=GET),
        Route("/dashboard/operator/charts/{name}/{look}.svg", operator.chart, methods=GET),
        Route("/dashboard/operator/accounts", operator.accounts, methods=GET),
        Route("/dashboard/operator/accounts/{account_id:int}", operator.account, methods=GET),
        Route("/dashboard/operator/accounts/{account_id:int}/charts/{name}/{look}.svg", operator.chart, methods=GET),
        Route("/dashboard/operator/accounts/{account_id:int}/plan", operator.set_plan, methods=POST),
        Route("/dashboard/operator/accounts/{account_id:int}/{action}", operator.change, methods=POST),
        Route("/dashboard/operator/health", health.show, methods=GET),
        Route("/dashboard/static/{name}", static_file, methods=GET),
    ]
