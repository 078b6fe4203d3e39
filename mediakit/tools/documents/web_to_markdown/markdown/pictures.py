"""Pictures: the address that a lazy one will have, and what it shows."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.style import Style

LAZY = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-original-src",
    "data-image-src",
    "data-hi-res-src",
)
LAZY_SETS = ("srcset", "data-srcset", "data-lazy-srcset")

SMALL, LARGE = 50, 200
"""Pixels of a side below which a picture is an icon, and from which on it shows what a page is about."""

_PIXELS = re.compile(r"\s*(\d{1,6})(?!\d*%)")
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)")
_SET = re.compile(r"(?:\s|%20)[\d.]+[wx],")
"""What shows that a `srcset` stands where an address should."""

_PLACEHOLDER = re.compile(
    r"^data:|(?:^|/)(?:blank|spacer|pixel|placeholder|loading|lazy|transparent|1x1)[\w.-]*\.(?:gif|png|svg)",
    re.IGNORECASE,
)

_NOTHING = re.compile(r"[/_-](?:blank|spacer|placeholder|transparent|1x1)\.(?:gif|png|svg)", re.IGNORECASE)
"""Names of pictures that keep a place and show nothing."""


def address(image: HtmlElement, style: Style) -> str:
    """Give the address of the picture that a visitor would see; nothing where there is none."""
    return next(filter(None, (style.picture(found) for found in _addresses(image))), "")


def alt(image: HtmlElement) -> str:
    """Give what a picture shows, in a line."""
    return " ".join((image.get("alt") or "").split())


def is_pixel(image: HtmlElement) -> bool:
    """Tell whether a picture only counts visitors."""
    return image.get("width") in ("0", "1") or image.get("height") in ("0", "1")


def is_small(image: HtmlElement) -> bool:
    """Tell whether a picture says that it has the size of an icon."""
    return any(side < SMALL for side in _sides(image))


def is_large(image: HtmlElement) -> bool:
    """Tell whether a picture shows what a page is about, by its sides or as a figure."""
    sides = _sides(image)
    return min(sides) >= LARGE if sides else next(image.iterancestors("figure", "picture"), None) is not None


def _sides(image: HtmlElement) -> list[int]:
    return [int(side[1]) for each in ("width", "height") if (side := _PIXELS.match(image.get(each) or ""))]


def _addresses(image: HtmlElement) -> Iterator[str]:
    source = image.get("src") or ""
    if _SET.search(source):
        yield _largest(source.replace("%20", " "))
    elif source and not (_PLACEHOLDER.search(source) or _NOTHING.search(source)):
        yield source
    yield from (image.get(name) or "" for name in LAZY)
    yield from (_largest(image.get(name) or "") for name in LAZY_SETS)
    parent = image.getparent()
    if parent is not None and parent.tag == "picture":
        yield from (_largest(each.get(name) or "") for each in parent.iter("source") for name in LAZY_SETS)
    if not (source.startswith("data:") or _NOTHING.search(source)):
        yield source


def _largest(sources: str) -> str:
    """Give the largest picture of a `srcset` (WHATWG HTML 4.8.4)."""
    found = [(float(size or 1), url) for url, size in _CANDIDATE.findall(sources[:20_000]) if _is_number(size)]
    return max(found, key=lambda each: each[0])[1] if found else ""


def _is_number(size: str) -> bool:
    return size.count(".") < 2 and size != "."
