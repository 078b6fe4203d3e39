"""Forms of the dashboard: small, URL-encoded, each field once."""

from urllib.parse import parse_qsl

from starlette.requests import Request

from mediakit.api.body_stream import read
from mediakit.errors import InvalidInput

MAX_FORM_BYTES = 16_384
MAX_FIELDS = 32
MEDIA_TYPE = "application/x-www-form-urlencoded"


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form by name. If a field is repeated, its last value counts.

    Raises:
        InvalidInput: The body is not a form, or has too many fields.
        UnreadBodyError: The body is too large, or arrives too slowly.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != MEDIA_TYPE:
        raise InvalidInput(f"Content-Type: must be {MEDIA_TYPE}, got {media_type[:100] or 'none'}.")
    body = await read(request, MAX_FORM_BYTES, _too_large)
    try:
        text = body.decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict"))
    except ValueError:  # includes UnicodeDecodeError
        raise InvalidInput(f"body: must be a URL-encoded form in UTF-8 with at most {MAX_FIELDS} fields.") from None


def _too_large() -> InvalidInput:
    return InvalidInput(f"body: must have at most {MAX_FORM_BYTES} bytes.")
