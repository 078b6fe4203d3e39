"""Groups of HTML elements by their role in the text, and the addresses and texts of links and images."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


IGNORED_ELEMENTS = word_set(
    "script style noscript template head title meta link base object embed applet param iframe frame frameset "
    "audio video "
    "source track canvas svg map area select option optgroup datalist textarea input progress meter dialog "
    "noembed noframes rp"
)
"""Elements without readable text."""

BLOCK_ELEMENTS = word_set(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td "
    "tfoot th thead tr caption colgroup ul listing xmp plaintext"
)
"""Elements that start and end a line."""

HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
EMPHASIS_MARKS = {
    "em": "em",
    "i": "em",
    "var": "em",
    "strong": "strong",
    "b": "strong",
    "del": "del",
    "s": "del",
    "strike": "del",
}
"""Kind of emphasis by element."""

INLINE_CODE_ELEMENTS = word_set("code kbd samp tt")

_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def is_hidden(element: HtmlElement) -> bool:
    """Return whether an element is hidden by its `hidden` or `style` attribute."""
    hidden = element.get("hidden")
    if hidden is not None and hidden != "until-found":
        return True
    style = element.get("style")
    return style is not None and _HIDDEN_STYLE.search(style) is not None


def tag_name(element: HtmlElement) -> str:
    """Return an element's tag name. Empty for comments and processing instructions."""
    tag = element.tag
    return tag if isinstance(tag, str) else ""


def class_names(element: HtmlElement) -> str:
    """Return the value of an element's `class` attribute, or an empty string."""
    return element.get("class") or ""


def class_and_id(element: HtmlElement) -> str:
    """Return the class names and the id of an element in lower case."""
    return f"{element.get('class') or ''} {element.get('id') or ''}".lower()


def drop(element: HtmlElement) -> None:
    """Remove an element with its descendants, if it is still in a tree. The text after it stays."""
    if element.getparent() is not None:
        element.drop_tree()


def has_text(element: HtmlElement) -> bool:
    """Return whether an element or a descendant of it has text other than white space."""
    text = element.text
    if text and not text.isspace():
        return True
    return len(element) > 0 and any(map(str.strip, element.itertext()))


def is_plain_and_empty(element: HtmlElement) -> bool:
    """Return whether an element has neither content nor attributes for styles and scripts, which would show an icon."""
    has_content = len(element) > 0 or bool((element.text or "").strip())
    return not has_content and all(name in ("href", "title") for name in element.attrib)


def block_ancestors(root: HtmlElement) -> set[HtmlElement]:
    """Return the ancestors of all block elements: the elements that contain a block."""
    found: set[HtmlElement] = set()
    for element in root.iter(*BLOCK_ELEMENTS):
        parent = element.getparent()
        while parent is not None and parent not in found:
            found.add(parent)
            parent = parent.getparent()
    return found


_BLOCKED_SCHEMES = ("javascript", "vbscript", "data", "file", "blob")
"""Schemes that run scripts or point to local files. Markdown renderers block them too."""


@dataclass(frozen=True)
class MarkdownOptions:
    """How to write a page."""

    plain: bool = False
    """Write plain text instead of Markdown."""
    include_links: bool = True
    """Write link addresses, not only their text."""
    include_images: bool = False
    base_url: str = ""
    """Address against which relative ones are resolved. If empty, they stay relative."""
    keep_tables: bool = False
    """Write every table as a table, those with merged cells or blocks in cells as HTML, as documents need it. On web
    pages, tables may be used only for layout, and empty columns only for spacing."""

    resolve_fragments: bool = False
    """Resolve links inside the page, such as `#usage`, too. By default they stay links inside the result."""

    keep_empty: bool = False
    """Write plain elements that are empty in the HTML, such as `<h2></h2>`, and link titles that repeat the text. In
    the main content of a page, empty elements are the remains of icons and controls."""

    keep_anchors: bool = False
    """Write the anchors that links inside a document point to: empty `a` elements with the name in `data-anchor`."""

    def link_url(self, reference: str | None) -> str:
        """Return a link's address, resolved against `base_url`. Empty for invalid addresses and blocked schemes."""
        reference = "".join((reference or "").split("\n")).strip().replace("\t", "")
        if not reference:
            return ""
        is_resolved = bool(self.base_url) and (self.resolve_fragments or not reference.startswith("#"))
        try:
            url = urljoin(self.base_url, reference) if is_resolved else reference
            parts = urlsplit(url)
        except ValueError:  # invalid IPv6 address in brackets
            return ""
        if parts.scheme.lower() in _BLOCKED_SCHEMES:
            return ""
        if is_resolved and parts.netloc and not parts.path:
            url = parts._replace(path="/").geturl()  # as browsers resolve it (WHATWG URL 4.5)
        return url.replace(" ", "%20")

    def image_url(self, reference: str | None) -> str:
        """Return an image's address, resolved against `base_url`. Empty for data URIs and other blocked schemes."""
        url = self.link_url(reference)
        return "" if url.startswith(("mailto:", "tel:")) else url


LAZY_ATTRIBUTES = split_words(
    "data-src data-original data-lazy-src data-lazy data-original-src data-image-src data-hi-res-src"
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

MAX_LINE_ELEMENTS = 50
"""Elements of a line that are examined for text beside an image."""

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
        is_link = tag == "a" and bool(ancestor.get("href"))
        if not is_link and tag not in BLOCK_ELEMENTS:
            continue
        is_alone = len(ancestor) <= MAX_LINE_ELEMENTS and not has_text(ancestor)
        if is_link and is_alone:
            is_illustration = _is_photo(image) or next(image.iterancestors("figure"), None) is not None
            return not is_illustration and not _IMAGE_FILE.search(ancestor.get("href") or "")
        if not is_link:
            is_value = tag in ("td", "th") and is_alone
            return not _is_photo(image) and (is_value or (tag != "figure" and _has_text_on_both_sides(image, ancestor)))
    return False


def _is_photo(image: HtmlElement) -> bool:
    return min(_sides(image), default=0) >= MIN_LARGE_SIDE


def _has_text_on_both_sides(image: HtmlElement, block: HtmlElement) -> bool:
    """Return whether there is text before and after an image in its line."""
    is_line = len(block) <= MAX_LINE_ELEMENTS and next(block.iterdescendants(*BLOCK_ELEMENTS), None) is None
    return is_line and all(_has_text_in_direction(image, block, preceding=side) for side in (True, False))


def _has_text_in_direction(image: HtmlElement, block: HtmlElement, *, preceding: bool) -> bool:
    """Return whether there is text before or after an image in its line."""
    node: HtmlElement | None = image
    while node is not None and node is not block:
        pieces = [] if preceding else [node.tail]
        for sibling in islice(node.itersiblings(preceding=preceding), MAX_LINE_ELEMENTS):
            pieces += [sibling.tail] if preceding else []
            if sibling.tag == "br":
                return any(piece and piece.strip() for piece in pieces)
            pieces += sibling.itertext()
            pieces += [] if preceding else [sibling.tail]
        node = node.getparent()
        pieces += [node.text] if preceding and node is not None else []
        if any(piece and piece.strip() for piece in pieces):
            return True
    return False


def is_tracking_pixel(image: HtmlElement) -> bool:
    """Return whether an image has a side of at most one pixel, and only counts visitors.

    Of large images, a height of zero means that it is unknown.
    """
    sides = _sides(image)
    return min(sides, default=2) <= 1 and max(sides) < MAX_ICON_SIDE


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
    """Yield the possible addresses of an image, the most reliable first.

    These are the largest of the sizes that a browser chooses from, without those for some screens only and those in
    AVIF, which many programs cannot open; the address itself, unless it is that of a placeholder; and all others.
    """
    address, parent = image.get("src") or "", image.getparent()
    sources = list(parent.iter("source")) if parent is not None and parent.tag == "picture" else []
    for element in (*sources, image):
        is_general = element is image or not (element.get("media") or element.get("type") == "image/avif")
        if is_general and _WIDTHS.search(srcset := element.get("srcset") or ""):
            yield _largest_candidate(srcset)
    if _SRCSET_IN_SRC.search(address):
        yield _largest_candidate(address.replace("%20", " "))
    elif address and not (_PLACEHOLDER.search(address) or _BLANK_IMAGE.search(address)):
        yield address
    yield from (image.get(attribute) or "" for attribute in LAZY_ATTRIBUTES)
    for element in (image, *sources):
        yield from (_largest_candidate(element.get(attribute) or "") for attribute in SRCSET_ATTRIBUTES)
    if not (address.startswith("data:") or _BLANK_IMAGE.search(address)):
        yield address


def _largest_candidate(srcset: str) -> str:
    """Return the address of the largest image in a `srcset` (WHATWG HTML 4.8.4)."""
    found = _CANDIDATE.findall(srcset[:MAX_SRCSET_CHARACTERS])
    candidates = [(float(size or 1), url) for url, size in found if size.count(".") < 2 and size != "."]
    return max(candidates, key=lambda candidate: candidate[0])[1] if candidates else ""
