"""Calls to copy: a tool with curl, Python and JavaScript, for this server."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mediakit.api.context import Context
from mediakit.api.dashboard.page_request import page
from mediakit.api.dashboard.session import require
from mediakit.core import snippets
from mediakit.core.tool import Tool
from mediakit.installation import client_command

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
