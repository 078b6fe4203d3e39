"""Cuts a tree down to the chosen text blocks, with their headings, tables, formulas and images."""

import re
from collections.abc import Sequence
from itertools import islice
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    TEASER,
    drop,
    has_text,
    is_emoji,
    is_icon,
    is_large,
    is_text,
    tag_name,
)
from mediakit.engines.markdown.html.table_grid import is_layout_table, table_rows
from mediakit.tools.documents.web_to_markdown.controls import PANEL_TITLE
from mediakit.tools.documents.web_to_markdown.text_blocks import SECTIONS, Region, SegmentedPage

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
    core = body  # the innermost element that contains most of the text
    while (child := next((each for each in core if lengths[each] >= CORE_SHARE * lengths[body]), None)) is not None:
        core = child
    in_core = set(core.iter())
    core_ancestors = set(core.iterancestors())
    has_lead_image = False
    _mark_teaser_images(images, body)
    for image in images:
        is_value = is_text(image) and next(image.iterancestors("td", "th"), None) is not None
        if is_value or is_emoji(image) or _is_in_text_line(image):
            continue
        wrapper = _wrapper(image, lengths)
        parent = wrapper.getparent()
        if parent in in_core and parent is not core:
            is_kept = not is_icon(image)
        elif (_links_to_page(image) and not (parent is core and is_text(image))) or is_icon(image):
            is_kept = False
        elif parent is core:
            is_kept = True
        else:
            following = wrapper.itersiblings() if parent in core_ancestors else ()
            is_before_core = any(sibling is core or sibling in core_ancestors for sibling in following)
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
    """Mark images in links to a page that a text links to, too, and in many links of images in their own lines."""
    linked_texts = {_page_of(link) for link in body.iter("a") if has_text(link)}
    teasers = [
        (image, link)
        for image in images
        if is_text(image) and not is_emoji(image) and not _is_in_text_line(image)
        for link in islice(image.iterancestors("a"), 1)
    ]
    for image, link in teasers:
        if len(teasers) > MAX_IMAGE_LINKS or _page_of(link) in linked_texts:
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


_SECTION_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
MIN_HEADING_PROBABILITY = 0.25
MAX_BLOCKS_BETWEEN = 3
"""Blocks before a heading of which one is kept, if the heading is a part of the text."""

MAX_ROW_CHARACTERS = 80
MAX_ROW_SIGNS = 8
"""Characters beside a heading in the same wrapper, and how many of them are not links, such as spaces and brackets."""

_TABLE_BIT = 1 << SECTIONS.index("table")


def prune_tree(body: HtmlElement, page: SegmentedPage, is_kept: Sequence[bool]) -> None:
    """Remove all text blocks that are not kept.

    Images inside a text block are kept or removed with it. Images in their own elements next to kept blocks are kept.
    """
    kept = {block.region.element for block, keep in zip(page.blocks, is_kept, strict=True) if keep}
    ancestors = _with_ancestors(kept)
    with_figure = _with_ancestors({image for figure in body.iter("figure") for image in figure.iter("img")})
    for block, keep in zip(page.blocks, is_kept, strict=True):
        if not keep:
            _remove_text(block.region.element, ancestors, with_figure)
    _remove_unrelated_children(body, ancestors, kept)


def keep_whole_tables(page: SegmentedPage, is_kept: Sequence[bool], counts: Sequence[float]) -> list[bool]:
    """Keep or remove each data table as a whole, depending on whether most of its words are kept."""
    result = list(is_kept)
    tables: dict[HtmlElement, list[int]] = {}
    for block in page.blocks:
        if block.region.tag in ("td", "th") or block.region.sections & _TABLE_BIT:
            for table in islice(block.region.element.iterancestors("table"), 1):
                tables.setdefault(table, []).append(block.index)
    for table, indexes in tables.items():
        if not is_layout_table(table, table_rows(table)):
            kept_words = sum(counts[index] for index in indexes if is_kept[index])
            keep = 2 * kept_words >= sum(counts[index] for index in indexes)
            for index in indexes:
                result[index] = keep
    return result


def keep_formulas(page: SegmentedPage, is_kept: Sequence[bool]) -> list[bool]:
    """Keep each block with a formula between two kept blocks: a formula has too few words to be selected itself."""
    result = list(is_kept)
    for block in page.blocks[1:-1]:
        index = block.index
        if not is_kept[index] and is_kept[index - 1] and is_kept[index + 1]:
            result[index] = next(block.region.element.iter("math"), None) is not None
    return result


def keep_headings(
    page: SegmentedPage, is_kept: Sequence[bool], probabilities: Sequence[float], title: str | None
) -> list[bool]:
    """Keep each section heading between kept blocks, and the title of each panel that is kept.

    Links beside a heading, in the same wrapper, are not kept with it.
    """
    result = list(is_kept)
    for block in page.blocks:
        index, region = block.index, block.region
        is_title = region.element.get(PANEL_TITLE) is not None
        if result[index] or block.text == title or not (is_title or region.tag in _SECTION_HEADINGS):
            continue
        row = _heading_row(region)
        first, last = index, index + 1
        while last < len(result) and _is_inside(page.blocks[last].region, row):
            last += 1
        while first > 0 and _is_inside(page.blocks[first - 1].region, row):
            first -= 1
        if last == len(result) or not is_kept[last] or not _is_inside(page.blocks[last].region, row.parent or row):
            continue
        minimum = MIN_HEADING_PROBABILITY if row is region else MIN_HEADING_PROBABILITY / 10
        is_between = any(is_kept[max(0, first - MAX_BLOCKS_BETWEEN) : first]) and probabilities[index] >= minimum
        result[index] = is_title or is_between
    return result


def _heading_row(region: Region) -> Region:
    """Return the wrapper of a heading that contains only the heading and links or labels beside it, or the heading."""
    row = region
    while row.parent is not None and row.parent.tag in ("div", "header", "hgroup"):
        parent = row.parent
        other_chars = parent.chars - region.chars
        other_text = other_chars - (parent.link_chars - region.link_chars)
        if other_text > MAX_ROW_SIGNS or other_chars > MAX_ROW_CHARACTERS:
            break
        row = parent
    return row


def _is_inside(region: Region | None, outer: Region) -> bool:
    while region is not None and region is not outer:
        region = region.parent
    return region is outer


def _with_ancestors(elements: set[HtmlElement]) -> set[HtmlElement]:
    found: set[HtmlElement] = set()
    for element in elements:
        for ancestor in (element, *element.iterancestors()):
            if ancestor in found:
                break
            found.add(ancestor)
    return found


def _remove_text(element: HtmlElement, ancestors: set[HtmlElement], with_figure: set[HtmlElement]) -> None:
    """Remove an element, or only its own text if it contains kept blocks."""
    if element not in ancestors:
        if element in with_figure:
            _keep_images(element)
        else:
            drop(element)
        return
    element.text = None
    for child in list(element):
        child.tail = None
        if child not in ancestors and tag_name(child) not in BLOCK_ELEMENTS:
            child.drop_tree()


def _keep_images(element: HtmlElement) -> None:
    """Remove an element's text, but not its images."""
    element.text = None
    for child in list(element):
        child.tail = None
        if child.tag == "img":
            continue
        if next(child.iter("img"), None) is None:
            child.drop_tree()
        else:
            _keep_images(child)


def _remove_unrelated_children(body: HtmlElement, ancestors: set[HtmlElement], kept: set[HtmlElement]) -> None:
    """Remove elements without kept blocks, except images next to kept text, and rules."""
    stack = [body]
    while stack:
        parent = stack.pop()
        for child in list(parent):
            if child in ancestors:
                if child not in kept or len(child):
                    stack.append(child)
            elif parent is body:
                if not (child.tag == "hr" or _is_image(child)) or child.getprevious() is None:
                    drop(child)
            elif tag_name(child) in BLOCK_ELEMENTS and child.tag not in ("hr", "td", "th") and not _is_image(child):
                drop(child)


def _is_image(element: HtmlElement) -> bool:
    """Return whether an element contains images or formulas and no text."""
    return next(element.iter("img", "math"), None) is not None and not has_text(element)
