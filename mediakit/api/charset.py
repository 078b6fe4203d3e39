"""Text bodies: decode bytes by their declared charset, byte order mark or HTML `meta` element."""

import codecs
import re

from mediakit.api.header_values import parse_header
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
META_SCAN_BYTES = 1024
"""Length of the prefix in which HTML declares its charset (WHATWG HTML 13.2.3.2)."""

UNSAFE_CODECS = {"utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}

_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


def decode(content: bytes, content_type: str, field: str) -> str:
    """Decode a raw body: by Content-Type, else by byte order mark, else by HTML's `meta` element, else as UTF-8.

    Raises:
        InvalidInput: The charset is unknown, or the bytes are not valid in it.
    """
    name, start = _charset(content, content_type)
    try:
        return content[start:].decode(_codec(name))
    except LookupError:
        raise InvalidInput(f"Content-Type: unknown charset {quote(name)}; send UTF-8.") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{field}: is not valid {name} text ({error.reason}).") from None


def _codec(name: str) -> str:
    codec = codecs.lookup(name)
    if codec.name in UNSAFE_CODECS:
        raise LookupError(codec.name)
    return codec.name


def _charset(content: bytes, content_type: str) -> tuple[str, int]:
    """Return the name of the charset, and the length of the byte order mark to skip."""
    marks = ((name, len(mark)) for mark, name in BYTE_ORDER_MARKS if content.startswith(mark))
    marked, length = next(marks, (None, 0))
    media_type, header = parse_header(content_type)
    declared = header.get("charset", "").lower()
    if declared:
        return declared, length if marked == declared else 0
    if marked:
        return marked, length
    meta = _META.search(content[:META_SCAN_BYTES]) if media_type == "text/html" else None
    # A meta element that was found in single bytes cannot be in UTF-16, whatever it declares (WHATWG HTML 13.2.3.2).
    name = meta[1].decode("ascii", "replace").lower() if meta else "utf-8"
    return ("utf-8" if name.startswith("utf-16") else name), 0
