"""The order in which the forms of an output are tried, richest first."""

from collections.abc import Iterator, Mapping
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
HTML = "text/html"
MARKDOWN = "text/markdown"
LATEX = "text/latex"
TEXT = "text/plain"
SVG = "image/svg+xml"
JSON = "application/json"
JAVASCRIPT = ("application/javascript", "text/javascript", "application/ecmascript")

IMAGES: Mapping[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
}
"""Extensions of image files by media type."""

RICHEST_FIRST = (WIDGET_VIEW, SVG, *IMAGES, HTML, MARKDOWN, LATEX, TEXT, JSON)


def richest_forms(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the forms of a value that can be shown without scripts, with their media types, richest first.

    Text of other media types, such as `text/x-rst`, comes last.
    """
    for media in RICHEST_FIRST:
        if data.get(media):
            yield media, data[media]
    for media, value in data.items():
        if media.startswith("text/") and media not in (*RICHEST_FIRST, *JAVASCRIPT) and isinstance(value, str):
            yield media, value
