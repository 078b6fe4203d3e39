"""The keys of templates: their limits, formats and example texts."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pybase64

MAX_LOGO_BYTES = 200 * 1024

KeyFormat = Literal["text", "url", "ascii", "color", "image"]

_IMAGE_DATA_URI = re.compile(r"data:image/(png|jpeg|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
_HEX_COLOR = re.compile(r"#?[0-9a-fA-F]{6}", re.ASCII)
_PRINTABLE_ASCII = re.compile(r"[ -~]*", re.ASCII)
_URL = re.compile(r"https?://[^\s/]")


@dataclass(frozen=True)
class Key:
    """One text of a template."""

    name: str
    max_length: int
    """Maximum number of characters."""
    en: str = ""
    """Example text in English."""
    es: str = ""
    """Example text in Spanish."""
    format: KeyFormat = "text"
    """What a text must be, unless it is empty."""

    def example(self, lang: str) -> str:
        """Return the example text in a language."""
        return self.es if lang == "es" else self.en

    def problem(self, text: str) -> str | None:
        """Return why a text is invalid, or None if it is valid."""
        if len(text) > self.max_length:
            return f"must have at most {self.max_length} characters, got {len(text)}."
        return _CHECKS[self.format](text) if text else None


def _check_color(text: str) -> str | None:
    """Check for six hexadecimal digits; the text is inserted into a style sheet."""
    return None if _HEX_COLOR.fullmatch(text) else 'must be six hexadecimal digits such as "#1a2b3c".'


def _check_image(text: str) -> str | None:
    """Check for a small image as a data: URI; templates load nothing from the network."""
    match = _IMAGE_DATA_URI.fullmatch(text)
    if not match:
        return "must be a data: URI of an image (data:image/png;base64,..., or jpeg, or svg+xml)."
    try:
        content = pybase64.b64decode(match[2], validate=True)
    except ValueError:
        return "must have valid base64."
    return None if len(content) <= MAX_LOGO_BYTES else f"must have at most 200 KB, got {len(content) // 1024} KB."


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
    "image": _check_image,
}

COMMON_KEYS = (
    Key("accent", 7, "#2563eb", "#2563eb", "color"),
    Key("logo", 275_000, format="image"),
)
"""Keys of every template. They are not texts and are not listed in `defaults_used`."""
