"""The tool `file_encode`."""

from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import ServerBusy
from mediakit.samples import LOGO
from mediakit.tools.files.file_encode.request import BINARY, COMPRESSIONS, MEDIA_TYPES, TEXT, Encoded, FileEncodeRequest
from mediakit.tools.files.file_encode.result import EncodedFile

ENCODING = Guard("file", seconds=50, took_too_long=(ServerBusy, "The file could not be converted in time. Try again."))
"""20 MB take a few seconds, so only a machine that is overloaded needs longer."""

META = {
    "original_bytes": meta_schemas.integer("Size of the input.", 5),
    "warnings": meta_schemas.texts("What may not be as expected."),
}

PRODUCES = (TEXT, "application/gzip", "application/zlib", BINARY)


def _media_type(values: Mapping[str, Any]) -> str:
    """Return the media type of an encoded result; that of a decoded one is known afterwards."""
    encoding = values.get("encoding", "base64")
    if values.get("action") == "decode":
        return BINARY
    return MEDIA_TYPES.get(encoding, BINARY) if encoding in COMPRESSIONS else TEXT


@tool(
    FileEncodeRequest,
    tag="Files",
    raw={"application/octet-stream": "file", "text/plain": "text", "*/*": "file"},
    produces=PRODUCES,
    media_type_of=_media_type,
    meta=META,
    examples=[
        Example("A file as base64", {"file": LOGO}),
        Example("An image as a data URI for HTML or CSS", {"file": LOGO, "encoding": "data-uri"}),
        Example("Base64 as text", {"text": "SGVsbG8sIHdvcmxkIQ==", "action": "decode"}),
        Example("Text for a URL", {"text": "blue lake & café", "encoding": "url"}),
    ],
)
async def file_encode(request: FileEncodeRequest) -> EncodedFile:
    """Encode a file or text as base64, hex, a data URI and other text, compress it, or decode it.

    Decoding ignores white space, and base64 needs no padding and may be base64url. Errors name the character and its
    position, counted from 0. Compressed files contain no time and no name, so that equal input is equal bytes. At most
    20 MB are unpacked.

    Raises:
        InvalidInput: The content is not of this encoding, or unpacks to more than 20 MB.
    """
    work = "mediakit.tools.files.file_encode.conversion:convert"
    encoded = await run_guarded(work, request, returns=Encoded, guard=ENCODING, field=request.field)
    mime_type = encoded.mime_type or _media_type(vars(request))
    meta = {"original_bytes": len(request.content), "warnings": list(encoded.warnings)}
    return EncodedFile(encoded.content, mime_type, encoded.filename, meta)
