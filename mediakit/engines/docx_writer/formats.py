"""The format that each inline element of HTML gives to its text."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.spans import Format
from mediakit.engines.markdown.html.elements import word_set

_BOLD: Mapping[str, Any] = {"bold": True}
_ITALIC: Mapping[str, Any] = {"italic": True}
_STRIKE: Mapping[str, Any] = {"strike": True}
_UNDERLINE: Mapping[str, Any] = {"underline": True}
_CODE: Mapping[str, Any] = {"style": "VerbatimChar"}

_CHANGES: Mapping[str, Mapping[str, Any]] = {
    "b": _BOLD,
    "strong": _BOLD,
    "summary": _BOLD,
    "i": _ITALIC,
    "em": _ITALIC,
    "cite": _ITALIC,
    "dfn": _ITALIC,
    "var": _ITALIC,
    "address": _ITALIC,
    "caption": _ITALIC,
    "figcaption": _ITALIC,
    "s": _STRIKE,
    "strike": _STRIKE,
    "del": _STRIKE,
    "u": _UNDERLINE,
    "ins": _UNDERLINE,
    "code": _CODE,
    "samp": _CODE,
    "tt": _CODE,
    "kbd": {"style": "HTMLKeyboard"},
    "mark": {"highlight": True},
    "sup": {"position": "superscript"},
    "sub": {"position": "subscript"},
}

QUOTATION_MARKS = {"q": ("“", "”"), "rp": ("", ""), "rt": ("(", ")")}
"""Text around the content of an element."""

BREAKING = word_set(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table "
    "tbody td tfoot th thead tr ul"
)
"""Elements that begin a new paragraph."""


def format_of(element: HtmlElement, outer: Format) -> Format:
    """Return the format of an element's text, inside text of another format."""
    change = _CHANGES.get(str(element.tag))
    return replace(outer, **change) if change else outer


def has_blocks(element: HtmlElement) -> bool:
    """Return whether an element contains one that begins a new paragraph."""
    return any(descendant.tag in BREAKING for descendant in element.iterdescendants())
