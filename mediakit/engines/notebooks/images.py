"""Images of a notebook: decoded from base64 and checked by their first bytes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pybase64

from mediakit.core.media import detect
from mediakit.engines.notebooks.richest import IMAGES

_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class NotebookImage:
    """An image."""

    media_type: str
    content: bytes

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return IMAGES[self.media_type]

    @property
    def data_uri(self) -> str:
        """The image as a `data:` URI."""
        return f"data:{self.media_type};base64,{pybase64.b64encode(self.content).decode()}"


def read_image(value: Any) -> NotebookImage | None:
    """Return the image in base64 text; None for anything that is not an image of a known format."""
    if not isinstance(value, str):
        return None
    try:
        content = pybase64.b64decode(_SPACES.sub("", value), validate=True)
    except ValueError:
        return None
    media = detect(content) or ""
    return NotebookImage(media, content) if media in IMAGES else None


def read_attachment(forms: Mapping[str, Any]) -> NotebookImage | None:
    """Return the image of an attachment of a Markdown cell; None if it is not an image of a known format."""
    images = (read_image(value if isinstance(value, str) else "") for value in forms.values())
    return next(filter(None, images), None)


def display_size(metadata: Mapping[str, Any], media: str) -> tuple[int | None, int | None]:
    """Return the width and height at which an image is displayed, in CSS pixels, each None if not set."""
    found = metadata.get(media)
    sizes = found if isinstance(found, dict) else metadata
    return _pixels(sizes.get("width")), _pixels(sizes.get("height"))


def _pixels(value: Any) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"\d{1,5}(?:px)?", value):
        value = int(value.removesuffix("px"))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 < value < 20_000 else None
