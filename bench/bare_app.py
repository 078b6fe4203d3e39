"""What someone would write without mediakit's server: Starlette and orjson around `mediakit.qr`, without accounts.

It is the reference of `bench/serve.py`, and runs on uvicorn with its own settings.
"""

import base64

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import mediakit


async def qr(request: Request) -> Response:
    """Return a QR code as JSON, with the fields that the API returns."""
    image = await mediakit.qr.aio(**orjson.loads(await request.body()))
    body = {
        "success": True,
        "image": base64.b64encode(image.content).decode(),
        "mime_type": image.mime_type,
        "meta": image.meta,
    }
    return Response(orjson.dumps(body), media_type="application/json")


app = Starlette(routes=[Route("/qr", qr, methods=["POST"])])
