"""Removes text blocks, and the elements that are empty without them, from a tree."""

from collections.abc import Sequence

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS, has_text, tag_name
from mediakit.engines.markdown.html.table_grid import is_layout_table, table_rows
from mediakit.tools.documents.web_to_markdown.reader.controls import PANEL_TITLE
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SECTIONS, Region, SegmentedPage, TextBlock

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
    for block, keep in zip(page.blocks, is_kept, strict=True):
        if not keep:
            _remove_text(block.region.element, ancestors)
    _remove_unrelated_children(body, ancestors, kept)


def keep_whole_tables(page: SegmentedPage, is_kept: Sequence[bool], counts: Sequence[float]) -> list[bool]:
    """Keep or remove each data table as a whole, depending on whether most of its words are kept."""
    result = list(is_kept)
    for table, indexes in _blocks_by_table(page).items():
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


def _blocks_by_table(page: SegmentedPage) -> dict[HtmlElement, list[int]]:
    tables: dict[HtmlElement, list[int]] = {}
    for block in page.blocks:
        table = _table_of(block)
        if table is not None:
            tables.setdefault(table, []).append(block.index)
    return tables


def _table_of(block: TextBlock) -> HtmlElement | None:
    if block.region.tag in ("td", "th") or block.region.sections & _TABLE_BIT:
        return next(block.region.element.iterancestors("table"), None)
    return None


def _with_ancestors(elements: set[HtmlElement]) -> set[HtmlElement]:
    found: set[HtmlElement] = set()
    for element in elements:
        for ancestor in (element, *element.iterancestors()):
            if ancestor in found:
                break
            found.add(ancestor)
    return found


def _remove_text(element: HtmlElement, ancestors: set[HtmlElement]) -> None:
    """Remove an element, or only its own text if it contains kept blocks."""
    if element not in ancestors:
        if _has_figure(element):
            _keep_images(element)
        else:
            _drop(element)
        return
    element.text = None
    for child in list(element):
        child.tail = None
        if child not in ancestors and tag_name(child) not in BLOCK_ELEMENTS:
            child.drop_tree()


def _has_figure(element: HtmlElement) -> bool:
    """Return whether an element contains the image of a figure."""
    if next(element.iterancestors("figure"), None) is not None:
        return next(element.iter("img"), None) is not None
    return any(next(figure.iter("img"), None) is not None for figure in element.iter("figure"))


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
    for element in list(body.iterchildren()):
        if element in ancestors:
            _remove_unrelated_descendants(element, ancestors, kept)
        elif not (element.tag == "hr" or _is_image(element)) or element.getprevious() is None:
            _drop(element)


def _remove_unrelated_descendants(element: HtmlElement, ancestors: set[HtmlElement], kept: set[HtmlElement]) -> None:
    stack = [element]
    while stack:
        for child in list(stack.pop()):
            if child in ancestors:
                if child not in kept or len(child):
                    stack.append(child)
            elif tag_name(child) in BLOCK_ELEMENTS and child.tag not in ("hr", "td", "th") and not _is_image(child):
                _drop(child)


def _is_image(element: HtmlElement) -> bool:
    """Return whether an element contains images or formulas and no text."""
    return next(element.iter("img", "math"), None) is not None and not has_text(element)


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()
