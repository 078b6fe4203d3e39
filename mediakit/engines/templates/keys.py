"""The keys of templates: how long a text may be, what it must look like, and its examples."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pybase64

LOGO_BYTES = 200 * 1024

_LOGO = re.compile(r"data:image/(png|jpeg|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
_ACCENT = re.compile(r"#?[0-9a-fA-F]{6}", re.ASCII)
_CODE = re.compile(r"[ -~]*", re.ASCII)


@dataclass(frozen=True)
class Key:
    """One text of a template."""

    name: str
    max_length: int
    en: str = ""
    es: str = ""
    rule: Callable[[str], str | None] | None = None
    """Says what is wrong with a text that is not empty."""

    def example(self, lang: str) -> str:
        """Give the example text in a language."""
        return self.es if lang == "es" else self.en

    def problem(self, text: str) -> str | None:
        """Say what is wrong with a text, None where nothing is."""
        if len(text) > self.max_length:
            return f"must have at most {self.max_length} characters, got {len(text)}."
        return self.rule(text) if self.rule and text else None


def hex_colour(text: str) -> str | None:
    """Accept six hexadecimal digits; the text enters a style sheet."""
    return None if _ACCENT.fullmatch(text) else 'must be six hexadecimal digits such as "#1a2b3c".'


def picture(text: str) -> str | None:
    """Accept a small picture as a `data:` URI; no template loads anything from elsewhere."""
    match = _LOGO.fullmatch(text)
    if not match:
        return "must be a data: URI of a picture (data:image/png;base64,..., or jpeg, or svg+xml)."
    try:
        content = pybase64.b64decode(match[2], validate=True)
    except ValueError:
        return "holds base64 that does not decode."
    return None if len(content) <= LOGO_BYTES else "must have at most 200 KB."


def web_address(text: str) -> str | None:
    """Accept what a phone opens when it reads the code."""
    return None if re.match(r"https?://[^\s/]", text) else "must begin with http:// or https://."


def plain_ascii(text: str) -> str | None:
    """Accept what Code 128 holds."""
    return None if _CODE.fullmatch(text) else "must be letters, digits and signs of ASCII, for the barcode."


COMMON = (
    Key("accent", 7, "#2563eb", "#2563eb", hex_colour),
    Key("logo", 275_000, rule=picture),
)
"""Keys that every template has; neither is a text, so neither counts among the defaults."""
