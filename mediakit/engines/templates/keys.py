"""The keys of templates: their limits, formats and example texts."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pybase64

from mediakit.core.fields import color_error, parse_color

KILOBYTE = 1024
DEFAULT_IMAGE_KB, MAX_IMAGE_KB = 200, 2048
"""Maximum size of an image: by default, and the largest that a manifest may set."""
MAX_DATA_URI_HEAD = 64
"""Characters of a data: URI before the base64."""
MAX_DATA_URI_LENGTH = 2 * MAX_IMAGE_KB * KILOBYTE
"""Longer texts are not decoded."""

KeyFormat = Literal["text", "url", "ascii", "color", "image"]

_IMAGE_DATA_URI = re.compile(r"data:image/(png|jpeg|webp|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
_PRINTABLE_ASCII = re.compile(r"[ -~]*", re.ASCII)
_URL = re.compile(r"https?://[^\s/]")


@dataclass(frozen=True)
class Key:
    """One text of a template."""

    name: str
    max_length: int = 0
    """Maximum number of characters. By default, an image has the length of its maximum size in base64."""
    en: str = ""
    """Example text in English."""
    es: str = ""
    """Example text in Spanish."""
    format: KeyFormat = "text"
    """What a text must be, unless it is empty."""
    main: bool = False
    """Whether a document without this text is of no use, such as a certificate without a recipient."""
    max_kb: int = DEFAULT_IMAGE_KB
    """Maximum size of an image, in kilobytes (1024 bytes)."""

    def __post_init__(self) -> None:
        if not self.max_length:
            object.__setattr__(self, "max_length", self.max_kb * KILOBYTE * 4 // 3 + MAX_DATA_URI_HEAD)

    def example(self, lang: str) -> str:
        """Return the example text in a language."""
        return self.es if lang == "es" else self.en

    def problem(self, text: str) -> str | None:
        """Return why a text is invalid, or None if it is valid."""
        if self.format == "image":
            return self._image_problem(text) if text else None
        if len(text) > self.max_length:
            return f"must have at most {self.max_length} characters, got {len(text)}."
        return _CHECKS[self.format](text) if text else None

    @property
    def max_size(self) -> str:
        """Maximum size of an image, such as `200 KB`."""
        return f"{self.max_kb} KB" if self.max_kb < KILOBYTE else f"{self.max_kb / KILOBYTE:g} MB"

    def _image_problem(self, text: str) -> str | None:
        """Check for a small image as a data: URI; templates load nothing from the network."""
        if len(text) > MAX_DATA_URI_LENGTH:
            return f"must have at most {self.max_size}."
        match = _IMAGE_DATA_URI.fullmatch(text)
        if not match:
            return "must be a data: URI of an image (data:image/png;base64,..., or jpeg, webp or svg+xml)."
        try:
            content = pybase64.b64decode(match[2], validate=True)
        except ValueError:
            return "must have valid base64."
        size = len(content) // KILOBYTE
        return None if len(content) <= self.max_kb * KILOBYTE else f"must have at most {self.max_size}, got {size} KB."


def _check_color(text: str) -> str | None:
    """Check for an opaque CSS color. It is inserted into a style sheet as six hexadecimal digits."""
    return None if parse_color(text) else color_error(text)


def _check_url(text: str) -> str | None:
    """Check for a URL that phones open after reading it from a QR code."""
    return None if _URL.match(text) else "must begin with http:// or https://."


def _check_ascii(text: str) -> str | None:
    """Check for characters that Code 128 can encode."""
    return None if _PRINTABLE_ASCII.fullmatch(text) else "must be printable ASCII characters, for the barcode."


_CHECKS: dict[KeyFormat, Callable[[str], str | None]] = {
    "text": lambda _text: None,
    "url": _check_url,
    "ascii": _check_ascii,
    "color": _check_color,
}

COMMON_KEYS = (
    Key("accent", 40, "#2563eb", "#2563eb", "color"),
    Key("logo", 275_000, format="image"),
)
"""Keys of every template. They are not texts and are not listed in `defaults_used`."""
