"""A Starlette app without accounts that creates QR codes: the reference of `bench/serve.py`."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import mediakit
from mediakit.api.body import parse_json
from mediakit.api.responses import JsonResponse

METADATA = {"used": 0, "remaining": 0, "unlimited": False}


async def qr(request: Request) -> Response:
    """Validate the request, call the tool, and return the JSON envelope, as mediakit does."""
    tool_request = mediakit.qr.validate(parse_json(await request.body()))
    result = await mediakit.qr.arun(tool_request)
    return JsonResponse(result.envelope(METADATA))


app = Starlette(routes=[Route("/qr", qr, methods=["POST"])])
