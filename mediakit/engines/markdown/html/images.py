"""Images: their address, also if they are loaded lazily, their alternative text and their size."""

import re
import unicodedata
from collections.abc import Iterator

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS, has_text, tag_name
from mediakit.engines.markdown.html.options import MarkdownOptions

LAZY_ATTRIBUTES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-original-src",
    "data-image-src",
    "data-hi-res-src",
)
SRCSET_ATTRIBUTES = ("srcset", "data-srcset", "data-lazy-srcset")

MAX_ICON_SIDE = 50
"""Pixels. An image with a smaller side is an icon."""

MIN_LARGE_SIDE = 200
"""Pixels. An image with no smaller side can illustrate the page."""

MAX_SRCSET_CHARACTERS = 20_000

MAX_WORD_CHARACTERS = 100
"""Characters of the longest alternative text that can be a part of a sentence."""

TEASER = "data-teaser"
"""Attribute of images whose alternative text only repeats a link."""

_EMOJI_NAME = re.compile(r"(?:^|[\s_-])(?:\w*emoji\w*|wp-smiley|smil(?:ey|ie)s?|emoticons?)(?:$|[\s_-])", re.IGNORECASE)
_IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:$|[?#])|/File:", re.IGNORECASE)

_PIXELS = re.compile(r"\s*(\d{1,6})(?!\d*%)")
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)")
_WIDTHS = re.compile(r"\s\d+w\s*(?:,|$)")
_SRCSET_IN_SRC = re.compile(r"(?:\s|%20)[\d.]+[wx],")
_PLACEHOLDER = re.compile(
    r"^data:|(?:^|/)(?:blank|spacer|pixel|placeholder|loading|lazy|transparent|1x1)[\w.-]*\.(?:gif|png|svg)",
    re.IGNORECASE,
)
_BLANK_IMAGE = re.compile(r"[/_-](?:blank|spacer|placeholder|transparent|1x1)\.(?:gif|png|svg)", re.IGNORECASE)


def image_url(image: HtmlElement, options: MarkdownOptions) -> str:
    """Return the address of the image that visitors see. Empty if there is none."""
    return next(filter(None, (options.image_url(reference) for reference in _references(image))), "")


def alt_text(image: HtmlElement) -> str:
    """Return the alternative text of an image as one line."""
    return " ".join((image.get("alt") or "").split())


def is_emoji(image: HtmlElement) -> bool:
    """Return whether an image replaces an emoji or another symbol, which is its alternative text."""
    alt = alt_text(image)
    if not alt or len(alt) > MAX_WORD_CHARACTERS:
        return False
    if _EMOJI_NAME.search(image.get("class") or ""):
        return True
    return any(unicodedata.category(sign) == "So" or sign == "\u20e3" for sign in alt) and not any(
        map(str.isalpha, alt)
    )


def is_text(image: HtmlElement) -> bool:
    """Return whether the alternative text of an image is part of the text around it.

    It is for symbols, for words of a sentence, and for images that are the only content of a link or a table cell.
    """
    alt = alt_text(image)
    if not alt or len(alt) > MAX_WORD_CHARACTERS or is_tracking_pixel(image) or image.get(TEASER) is not None:
        return False
    if is_emoji(image):
        return True
    for ancestor in image.iterancestors():
        tag = tag_name(ancestor)
        if tag == "a" and ancestor.get("href") and not has_text(ancestor):
            is_illustration = _is_in_figure(image) or _is_photo(image)
            return not is_illustration and not _IMAGE_FILE.search(ancestor.get("href") or "")
        if tag in ("td", "th"):
            return (not has_text(ancestor) and not _is_photo(image)) or _has_text_on_both_sides(image, ancestor)
        if tag in BLOCK_ELEMENTS:
            return tag != "figure" and _has_text_on_both_sides(image, ancestor)
    return False


def _is_in_figure(image: HtmlElement) -> bool:
    return next(image.iterancestors("figure"), None) is not None


def _is_photo(image: HtmlElement) -> bool:
    return bool(_sides(image)) and min(_sides(image)) >= MIN_LARGE_SIDE


def _has_text_on_both_sides(image: HtmlElement, block: HtmlElement) -> bool:
    """Return whether there is text before and after an image in its line."""
    if _is_photo(image) or next(block.iterdescendants(*BLOCK_ELEMENTS), None) is not None:
        return False
    return _has_text_in_direction(image, block, preceding=True) and _has_text_in_direction(
        image, block, preceding=False
    )


def _has_text_in_direction(image: HtmlElement, block: HtmlElement, *, preceding: bool) -> bool:
    """Return whether there is text before or after an image in its line."""
    node = image
    while node is not block:
        parent = node.getparent()
        if parent is None:
            return False
        if not preceding and (node.tail or "").strip():
            return True
        for sibling in node.itersiblings(preceding=preceding):
            if preceding and (sibling.tail or "").strip():
                return True
            if sibling.tag == "br":
                return False
            if has_text(sibling) or (not preceding and (sibling.tail or "").strip()):
                return True
        if preceding and (parent.text or "").strip():
            return True
        node = parent
    return False


def is_tracking_pixel(image: HtmlElement) -> bool:
    """Return whether an image has a side of at most one pixel, and only counts visitors.

    Of large images, a height of zero means that it is unknown.
    """
    sides = _sides(image)
    return bool(sides) and min(sides) <= 1 and max(sides) < MAX_ICON_SIDE


def is_icon(image: HtmlElement) -> bool:
    """Return whether an image's attributes state the size of an icon."""
    return any(1 < side < MAX_ICON_SIDE for side in _sides(image)) or is_tracking_pixel(image)


def is_large(image: HtmlElement) -> bool:
    """Return whether an image is large by its attributes, or without them, is part of a figure."""
    sides = _sides(image)
    if sides:
        return min(side for side in sides if side or side == max(sides)) >= MIN_LARGE_SIDE
    return next(image.iterancestors("figure", "picture"), None) is not None


def _sides(image: HtmlElement) -> list[int]:
    values = (_PIXELS.match(image.get(attribute) or "") for attribute in ("width", "height"))
    return [int(value[1]) for value in values if value]


def _references(image: HtmlElement) -> Iterator[str]:
    """Yield the possible addresses of an image, the most reliable first."""
    source = image.get("src") or ""
    yield from _responsive_references(image)
    if _SRCSET_IN_SRC.search(source):
        yield _largest_candidate(source.replace("%20", " "))
    elif source and not (_PLACEHOLDER.search(source) or _BLANK_IMAGE.search(source)):
        yield source
    yield from (image.get(attribute) or "" for attribute in LAZY_ATTRIBUTES)
    yield from _srcset_references(image)
    parent = image.getparent()
    if parent is not None and parent.tag == "picture":
        for source_element in parent.iter("source"):
            yield from _srcset_references(source_element)
    if not (source.startswith("data:") or _BLANK_IMAGE.search(source)):
        yield source


def _responsive_references(image: HtmlElement) -> Iterator[str]:
    """Yield the largest of the sizes that a browser chooses from: of the sources around an image, or else its own.

    Sources for some screens only are not used, and neither are those in AVIF, which many programs cannot open.
    """
    parent = image.getparent()
    sources = parent.iterchildren("source") if parent is not None and parent.tag == "picture" else ()
    for element in (*sources, image):
        is_general = element is image or not (element.get("media") or element.get("type") == "image/avif")
        if is_general and _WIDTHS.search(srcset := element.get("srcset") or ""):
            yield _largest_candidate(srcset)


def _srcset_references(element: HtmlElement) -> Iterator[str]:
    yield from (_largest_candidate(element.get(attribute) or "") for attribute in SRCSET_ATTRIBUTES)


def _largest_candidate(srcset: str) -> str:
    """Return the address of the largest image in a `srcset` (WHATWG HTML 4.8.4)."""
    found = _CANDIDATE.findall(srcset[:MAX_SRCSET_CHARACTERS])
    candidates = [(float(size or 1), url) for url, size in found if _is_number(size)]
    return max(candidates, key=lambda candidate: candidate[0])[1] if candidates else ""


def _is_number(size: str) -> bool:
    return size.count(".") < 2 and size != "."
