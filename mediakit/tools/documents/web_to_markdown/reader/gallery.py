"""The pictures of the main content: those of its text, without the logos, teasers and buttons that stood around it."""

import re
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import BLOCKS, name
from mediakit.tools.documents.web_to_markdown.markdown.pictures import is_large, is_small

CORE = 0.8
"""Share of the text that the core of the content holds."""

_IS_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:$|[?/@])|File:|/photo", re.IGNORECASE)


def without_strangers(body: HtmlElement) -> None:
    """Take pictures out of a tree whose text is the main content's alone.

    Pictures stay where they stand in a line of text, or among the text without leading elsewhere. Of those before it,
    a large one stays: it shows what the text is about.
    """
    lengths = _lengths(body)
    core = _core(body, lengths)
    inside = set(core.iter())
    above = set(core.iterancestors())
    leads = 0
    for image in list(body.iter("img")):
        if not _is_in_line(image):
            block = _block(image, lengths)
            holder = block.getparent()
            if holder in inside and holder is not core:
                keeps = not is_small(image)
            elif _leads_elsewhere(image) or is_small(image):
                keeps = False
            elif holder is core:
                keeps = True
            else:
                keeps = not leads and holder in above and _precedes(block, core) and is_large(image)
                leads += keeps
            if not keeps:
                image.drop_tree()


def _lengths(body: HtmlElement) -> dict[HtmlElement, int]:
    """Give the characters of the text in each element."""
    found: dict[HtmlElement, int] = {}
    for element in reversed(list(body.iter())):
        found[element] = found.get(element, 0) + len((element.text or "").strip())
        parent = element.getparent()
        if parent is not None:
            found[parent] = found.get(parent, 0) + found[element] + len((element.tail or "").strip())
    return found


def _core(body: HtmlElement, lengths: dict[HtmlElement, int]) -> HtmlElement:
    """Find the innermost element that holds most of the text."""
    core = body
    while (heir := next((child for child in core if lengths[child] >= CORE * lengths[body]), None)) is not None:
        core = heir
    return core


def _is_in_line(image: HtmlElement) -> bool:
    """Tell whether a picture stands in a line of text."""
    block = next((each for each in image.iterancestors() if name(each) in BLOCKS), None)
    if block is None or next(block.iterdescendants(*BLOCKS), None) is not None:
        return False
    return bool("".join(block.itertext()).strip())


def _block(image: HtmlElement, lengths: dict[HtmlElement, int]) -> HtmlElement:
    """Give the largest element around a picture that holds no text."""
    block = image
    for ancestor in image.iterancestors():
        if lengths.get(ancestor, 1) or ancestor.tag == "body":
            break
        block = ancestor
    return block


def _leads_elsewhere(image: HtmlElement) -> bool:
    link = next(image.iterancestors("a"), None)
    address = (link.get("href") or "") if link is not None else ""
    if not address or address.startswith("#"):
        return False
    own = (image.get("src") or "").partition("?")[0].rpartition("/")[2]
    return not (
        _IS_PICTURE.search(urlsplit(address).path if "[" not in address else address) or (own and own in address)
    )


def _precedes(block: HtmlElement, core: HtmlElement) -> bool:
    """Tell whether a block stands before the core, below the same element."""
    holder = block.getparent()
    return (
        any(sibling is core or core in sibling.iterdescendants() for sibling in block.itersiblings())
        if holder is not None
        else False
    )
