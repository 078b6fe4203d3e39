"""Three calls with a client that openapi-python-client generated: JSON, a form with a file, and no body."""

import base64
import os
import sys
from io import BytesIO
from pathlib import Path

from generated_client import AuthenticatedClient
from generated_client.api.account import status
from generated_client.api.images import images, qr
from generated_client.models import (
    ImagesForm,
    ImagesResult,
    InvalidInputError,
    QrRequest,
    QrResult,
    Usage,
)
from generated_client.types import File

photo = Path(sys.argv[1]).read_bytes()
client = AuthenticatedClient(
    os.environ["MEDIAKIT_URL"], os.environ["MEDIAKIT_API_KEY"], prefix="", auth_header_name="x-api-key"
)

code = qr.sync(client=client, body=QrRequest("https://example.com", size=200))
assert isinstance(code, QrResult), code
assert base64.b64decode(code.image).startswith(b"\x89PNG"), code.image[:20]
assert code.meta.version == 2, code.meta

form = ImagesForm(File(BytesIO(photo), "photo.jpg"), width=80, format_="webp", output="json")
small = images.sync(client=client, body=form)
assert isinstance(small, ImagesResult), small
assert (small.meta.width, small.mime_type) == (80, "image/webp"), small.meta

usage = status.sync(client=client)
assert isinstance(usage, Usage), usage
assert usage.used == code.meta.used + 1, usage

rejected = qr.sync(client=client, body=QrRequest("x", size=9))
assert isinstance(rejected, InvalidInputError), rejected
sys.stdout.write(f"{rejected.error}\n")
