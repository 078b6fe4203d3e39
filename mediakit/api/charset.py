"""Text bodies: the declared character set, a byte order mark or a `meta` element decides how bytes become text."""

import codecs
import re
from email.message import Message

from mediakit.core.messages import quote
from mediakit.errors import InvalidInput

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
PRESCAN_BYTES = 1024
"""Where HTML looks for its `meta` element (WHATWG HTML 13.2.3.2)."""

UNSAFE = {"utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}

_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


def decode(content: bytes, content_type: str, field: str) -> str:
    """Turn a raw body into text: Content-Type first, then a byte order mark, then HTML's own word, else UTF-8.

    Raises:
        InvalidInput: The character set is unknown, or the bytes are not of it.
    """
    name, start = _charset(content, content_type)
    try:
        return content[start:].decode(_codec(name))
    except LookupError:
        raise InvalidInput(f"Content-Type: charset {quote(name)} is not known; send UTF-8.") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{field}: the bytes are not {name} text ({error.reason}).") from None


def _codec(name: str) -> str:
    codec = codecs.lookup(name)
    if codec.name in UNSAFE:
        raise LookupError(codec.name)
    return codec.name


def _charset(content: bytes, content_type: str) -> tuple[str, int]:
    mark, length = next(((name, len(mark)) for mark, name in MARKS if content.startswith(mark)), (None, 0))
    header = Message()
    header["content-type"] = content_type
    declared = header.get_content_charset()
    if declared:
        return declared, length if mark == declared else 0
    if mark:
        return mark, length
    meta = _META.search(content[:PRESCAN_BYTES]) if header.get_content_type() == "text/html" else None
    # A file that could be read this far as single bytes is not UTF-16, whatever its meta says (WHATWG HTML 13.2.3.2).
    name = meta[1].decode("ascii", "replace").lower() if meta else "utf-8"
    return ("utf-8" if name.startswith("utf-16") else name), 0
