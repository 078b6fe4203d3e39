"""Removes logos, teasers and icons, so that only the images of the main content remain."""

import re
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS, has_text, tag_name
from mediakit.engines.markdown.html.images import TEASER, is_emoji, is_icon, is_large, is_text

CORE_SHARE = 0.8
"""Share of the text that the core element contains."""

MAX_IMAGE_LINKS = 3
"""More links of images in their own lines are a grid of teasers."""

MIN_TEXT_AFTER = 100
"""Characters of text after an image outside of the core, so that the image is part of the text."""

MIN_UNIQUE_NAME = 24
"""Characters from which a part of an image's path, such as a UUID, is a name of the image."""

_IMAGE_ADDRESS = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:$|[?/@])|File:|/photo", re.IGNORECASE)


def remove_unrelated_images(body: HtmlElement) -> None:
    """Remove images that do not belong to the text, from a tree that contains only the text of the main content.

    Images in a line of text are kept, and so are images in the core of the text without a link to another page. One
    large image before the core is kept too: it is the lead image.
    """
    images = list(body.iter("img"))
    if not images:
        return
    lengths = _text_lengths(body)
    core = _core_element(body, lengths)
    in_core = set(core.iter())
    core_ancestors = set(core.iterancestors())
    has_lead_image = False
    _mark_teaser_images(images, body)
    for image in images:
        if _is_in_text_line(image) or is_emoji(image) or (image.getparent().tag in ("td", "th") and is_text(image)):
            continue
        wrapper = _wrapper(image, lengths)
        parent = wrapper.getparent()
        if parent in in_core and parent is not core:
            is_kept = not is_icon(image)
        elif parent is core and next(image.iterancestors("a"), None) is not None and is_text(image):
            is_kept = True
        elif _links_to_page(image) or is_icon(image):
            is_kept = False
        elif parent is core:
            is_kept = True
        else:
            is_before_core = parent in core_ancestors and _precedes(wrapper, core)
            is_lead_image = not has_lead_image and is_before_core and is_large(image)
            has_lead_image = has_lead_image or is_lead_image
            is_kept = is_lead_image or (not is_before_core and is_large(image) and _has_text_after(wrapper, lengths))
        if not is_kept:
            image.drop_tree()


def _text_lengths(body: HtmlElement) -> dict[HtmlElement, int]:
    """Return the number of characters of text in each element."""
    lengths: dict[HtmlElement, int] = {}
    for element in reversed(list(body.iter())):
        text, tail, parent = element.text, element.tail, element.getparent()
        lengths[element] = length = lengths.get(element, 0) + (len(text.strip()) if text else 0)
        if parent is not None:
            lengths[parent] = lengths.get(parent, 0) + length + (len(tail.strip()) if tail else 0)
    return lengths


def _core_element(body: HtmlElement, lengths: dict[HtmlElement, int]) -> HtmlElement:
    """Return the innermost element that contains most of the text."""
    core = body
    minimum = CORE_SHARE * lengths[body]
    while (child := next((each for each in core if lengths[each] >= minimum), None)) is not None:
        core = child
    return core


def _is_in_text_line(image: HtmlElement) -> bool:
    block = next((ancestor for ancestor in image.iterancestors() if tag_name(ancestor) in BLOCK_ELEMENTS), None)
    if block is None or next(block.iterdescendants(*BLOCK_ELEMENTS), None) is not None:
        return False
    return has_text(block)


def _wrapper(image: HtmlElement, lengths: dict[HtmlElement, int]) -> HtmlElement:
    """Return the largest element around an image that contains no text."""
    wrapper = image
    for ancestor in image.iterancestors():
        if lengths.get(ancestor, 1) or ancestor.tag == "body":
            break
        wrapper = ancestor
    return wrapper


def _links_to_page(image: HtmlElement) -> bool:
    """Return whether an image is a link to a page, and not to a larger version of the image."""
    link = next(image.iterancestors("a"), None)
    address = (link.get("href") or "") if link is not None else ""
    if not address or address.startswith("#"):
        return False
    path = urlsplit(address).path if "[" not in address else address
    source = (image.get("src") or "").partition("?")[0]
    names = [source.rpartition("/")[2], *(name for name in source.split("/")[3:] if len(name) >= MIN_UNIQUE_NAME)]
    return not (_IMAGE_ADDRESS.search(path) or any(name and name in address for name in names))


def _mark_teaser_images(images: list[HtmlElement], body: HtmlElement) -> None:
    """Mark the images of teasers, whose alternative text is not content.

    They are links to a page that a text links to, too, or of many links of images in their own lines.
    """
    linked_texts = {_page_of(link) for link in body.iter("a") if has_text(link)}
    links = [image for image in images if is_text(image) and not is_emoji(image) and not _is_in_text_line(image)]
    links = [image for image in links if next(image.iterancestors("a"), None) is not None]
    for image in links:
        if len(links) > MAX_IMAGE_LINKS or _page_of(next(image.iterancestors("a"))) in linked_texts:
            image.set(TEASER, "")


def _page_of(link: HtmlElement) -> str:
    return re.split(r"[?#]", link.get("href") or "")[0]


def _has_text_after(wrapper: HtmlElement, lengths: dict[HtmlElement, int]) -> bool:
    """Return whether a paragraph follows an element, in it or in one of the elements around it."""
    for element in (wrapper, *wrapper.iterancestors()):
        if element.tag == "body":
            return False
        if any(lengths.get(sibling, 0) >= MIN_TEXT_AFTER for sibling in element.itersiblings()):
            return True
    return False


def _precedes(wrapper: HtmlElement, core: HtmlElement) -> bool:
    """Return whether an element is a sibling of an ancestor of the core, and before it."""
    if wrapper.getparent() is None:
        return False
    return any(sibling is core or core in sibling.iterdescendants() for sibling in wrapper.itersiblings())
