"""Texts that an image file holds: PNG texts and comments."""

from collections.abc import Mapping
from typing import Any

from PIL import Image

from mediakit.tools.images.image_info.exif import clean

_MAX_TEXTS = 100
_OTHER_DATA = ("XML:com.adobe.xmp", "Raw profile type")


def texts_of(image: Image.Image) -> dict[str, str]:
    """Return the texts by their keyword, each of at most 500 characters."""
    stored: Mapping[Any, Any] = getattr(image, "text", None) or {}
    found = {clean(str(name)): clean(str(value)) for name, value in stored.items() if not _is_other_data(str(name))}
    comment = image.info.get("comment")
    if comment and "comment" not in found:
        found["comment"] = clean(_decoded(comment) if isinstance(comment, bytes) else str(comment))
    return dict(list(found.items())[:_MAX_TEXTS])


def _is_other_data(name: str) -> bool:
    return name.startswith(_OTHER_DATA)


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")
