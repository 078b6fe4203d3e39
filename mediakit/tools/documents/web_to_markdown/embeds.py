"""Writes embedded videos, sounds and pages as links, because Markdown has no players."""

import re
from urllib.parse import unquote, urlsplit

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS, is_hidden, split_words, tag_name, word_set
from mediakit.engines.markdown.html.parser import body_of, parse_html

EMBEDS = split_words("iframe video audio object embed amp-youtube amp-iframe amp-video amp-audio lite-youtube")
"""Elements whose content is loaded from another address."""

_ADDRESS = "data-embed"
"""Attribute with the address of an embed, on the image that stands for it until the main content is known."""

_ADDRESSES = ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data-original", "data", "data-url")
_INVISIBLE = re.compile(
    r"doubleclick|googlesyndication|googletagmanager|adservice|adsystem|/ads?[/._-]|amazon-adsystem|recaptcha|hcaptcha|"
    r"challenges\.cloudflare|facebook\.com/(?:plugins|tr)|platform\.twitter\.com/widgets|disqus|accounts\.google|"
    r"/embed/?#\?secret=|\.swf(?:$|\?)|analytics|consent|cookie|trustarc|onetrust|taboola|outbrain|criteo|pixel|newsletter|mailchimp|list-manage",
    re.IGNORECASE,
)
"""Addresses of advertisements, measurements, forms and buttons."""

_NO_TITLE = re.compile(
    r"(?:(?:youtube|vimeo|embedded)?\s*(?:video|audio|content)?\s*(?:player|iframe)?)", re.IGNORECASE
)
_FILE_NAME = re.compile(r"\.\w{2,4}$")
_PIXELS = re.compile(r"\s*(\d+)")
MIN_SIDE = 3
"""Pixels. Smaller frames are not visible."""

_LINES = word_set("p li td th dd dt figcaption h1 h2 h3 h4 h5 h6")
"""Blocks that contain lines of text."""

_PAGE_PARTS = word_set("header footer nav aside form dialog template")
"""Elements around embeds that are not part of a text."""


def show_inline_frames(body: HtmlElement) -> None:
    """Replace frames that have no address with the page in their `srcdoc` attribute."""
    for frame in list(body.iter("iframe")):
        source = frame.attrib.pop("srcdoc", "")
        if source.strip() and not frame.get("src") and not _is_invisible(frame, ""):
            content = body_of(parse_html(source))
            frame.tag, frame.text, frame[:] = "div", content.text, list(content)


def mark_embeds(body: HtmlElement) -> None:
    """Replace each embed that visitors see with an image, which is kept or removed as other images are."""
    seen: set[str] = set()
    for element in list(body.iter(*EMBEDS)):
        if element.getparent() is None or any(ancestor.tag in EMBEDS for ancestor in element.iterancestors()):
            continue
        address = _address(element)
        if address and address not in seen and not _is_invisible(element, address):
            seen.add(address)
            parent = element.getparent()
            if parent is not None and parent.tag == "noscript" and not parent.text_content().strip():
                parent.tag = "div"  # a script would load the embed
            title = _title(element)
            del element[:]
            element.attrib.clear()
            element.tag, element.text = "img", None
            element.attrib.update({_ADDRESS: address, "alt": title, "width": "640", "height": "360"})


def link_embeds(body: HtmlElement, *, plain: bool) -> None:
    """Replace the image of each embed with a link. Its text is the title of the embed, or else the name of its site.

    Plain text has no links, so `plain` writes the address in place of a missing title.
    """
    for image in list(body.iter("img")):
        address = image.attrib.pop(_ADDRESS, None)
        if address:
            link, parent = image, image.getparent()
            if parent is not None and parent.tag not in BLOCK_ELEMENTS - _LINES:
                image.tag = "a"
            else:
                link = image.makeelement("a")
                image.tag = "p"
                image.append(link)
            link.text = image.get("alt") or (address if plain else _site(address))
            image.attrib.clear()
            link.set("href", address)


def _address(element: HtmlElement) -> str:
    """Return the address of an embed: its own, that of its first source, or that of the link inside it."""
    if video := element.get("videoid") or (element.get("data-videoid") if "youtube" in tag_name(element) else None):
        return f"https://www.youtube.com/watch?v={video}"
    candidates = [element.get(name) for name in _ADDRESSES]
    for inner in element.iterdescendants("source", "embed", "iframe", "param"):
        is_address = inner.tag != "param" or (inner.get("name") or "").lower() in ("movie", "src", "url", "filename")
        candidates += [inner.get("src"), inner.get("data-src"), inner.get("value")] if is_address else []
    candidates += [link.get("href") for link in element.iterdescendants("a")]
    addresses = (candidate.strip() for candidate in candidates if candidate)
    unusable = ("about:", "javascript:", "data:", "blob:", "#")
    return next((address for address in addresses if address and not address.startswith(unusable)), "")


def _is_invisible(element: HtmlElement, address: str) -> bool:
    if is_hidden(element) or _INVISIBLE.search(address):
        return True
    sides = (_PIXELS.match(element.get(name) or "") for name in ("width", "height"))
    if tag_name(element) in ("iframe", "embed", "object") and any(side and int(side[1]) < MIN_SIDE for side in sides):
        return True
    names = element.attrib if element.tag == "video" and "controls" not in element.attrib else ()
    is_background = any(name in names for name in ("autoplay", "data-autoplay", "muted", "loop"))
    return is_background or any(ancestor.tag in _PAGE_PARTS for ancestor in element.iterancestors())


def _title(element: HtmlElement) -> str:
    """Return the title of an embed: its own, or the text of the link inside it. Empty if it says only what it is."""
    own = (element.get(name) for name in ("title", "aria-label", "data-title", "alt"))
    links = (link.text_content() for link in element.iterdescendants("a"))
    found = next((" ".join(text.split()) for text in (*own, *links) if text and text.strip()), "")
    return "" if _NO_TITLE.fullmatch(found) else found


def _site(address: str) -> str:
    """Return the file name in an address, or else its host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    name = unquote(parts.path.rpartition("/")[2])
    return name if _FILE_NAME.search(name) else (parts.hostname or address).removeprefix("www.")
