"""The gallery of templates, with a thumbnail of each style."""

import base64

from starlette.requests import Request
from starlette.responses import Response

from mediakit.api.context import Context
from mediakit.api.dashboard.page_request import page
from mediakit.api.dashboard.session import require
from mediakit.api.responses import UNTRUSTED_FILE_HEADERS
from mediakit.errors import NotFound


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
