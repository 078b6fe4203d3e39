"""Shows images that a script would load: those for browsers without scripts, and those of figures without an image."""

import re

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import is_hidden
from mediakit.engines.markdown.html.images import is_tracking_pixel
from mediakit.engines.markdown.html.parser import body_of

_ADDRESS_ATTRIBUTES = ("src", "srcset", "alt", "width", "height")


_IMAGE_URL = re.compile(r"(?:https?:)?//\S+\.(?:jpe?g|png|webp)(?:\?\S*)?", re.IGNORECASE)


def show_lazy_images(root: HtmlElement) -> None:
    """Add the images of a page that a script would load."""
    _show_noscript_images(root)
    for group in root.iter("picture"):
        if group.find(".//img") is None and group.find(".//source") is not None:
            group.append(group.makeelement("img"))
    for figure in root.iter("figure"):
        if next(figure.iter("img", "picture", "video", "iframe", "table", "pre"), None) is None:
            address = next((value for value in figure.attrib.values() if _IMAGE_URL.fullmatch(value)), "")
            if address:
                figure.insert(0, figure.makeelement("img", {"src": address}))


def _show_noscript_images(root: HtmlElement) -> None:
    """Move images out of `noscript` elements that contain nothing else.

    The image takes the place of the image before it, which a script would load.
    """
    for fallback in body_of(root).findall(".//noscript"):
        images = fallback.findall(".//img")
        if len(images) != 1 or fallback.text_content().strip():
            continue
        image = images[0]
        if not image.get("src") or is_tracking_pixel(image) or is_hidden(image):
            continue
        placeholder = _image_before(fallback)
        if placeholder is None:
            image.tail = None
            fallback.addprevious(image)
        else:
            for attribute in _ADDRESS_ATTRIBUTES:
                if value := image.get(attribute):
                    placeholder.set(attribute, value)
            _drop_preview(placeholder)


def _drop_preview(image: HtmlElement) -> None:
    """Remove the small preview of an image: an image before it with the same file name."""
    name = _file_name(image)
    before = image.getprevious()
    preview = _image_before(image) if before is not None and name else None
    if preview is not None and _file_name(preview) == name:
        preview.drop_tree()


def _file_name(image: HtmlElement) -> str:
    return (image.get("src") or "").partition("?")[0].rpartition("/")[2]


def _image_before(fallback: HtmlElement) -> HtmlElement | None:
    """Return the image directly before an element, also if it is the only content of an element."""
    previous = fallback.getprevious()
    if previous is None or (previous.tail or "").strip():
        return None
    images = list(previous.iter("img"))
    return images[0] if len(images) == 1 and not previous.text_content().strip() else None
