"""Finds text that a page contains twice, such as copies of an element for other screen sizes and copies of slides."""

from collections.abc import Iterator, Sequence

from mediakit.tools.documents.web_to_markdown.reader.text_blocks import Region, SegmentedPage

MIN_REPEATED_CHARACTERS = 100
"""Shorter elements, such as buttons and labels, may have the same text for a reason."""

_KEPT_ELEMENTS = frozenset(("td", "th", "dt", "dd", "pre"))
"""Data and code may be repeated."""


def without_copies(page: SegmentedPage, is_kept: Sequence[bool]) -> list[bool]:
    """Remove the blocks of elements whose text is that of an earlier element, if the earlier blocks are kept.

    Only elements with a class name in them are removed: templates create copies, and writers repeat plain paragraphs.
    """
    result = list(is_kept)
    removed: set[int] = set()
    for first, copy in _copies(page):
        if copy.start not in removed and not any(page.blocks[index].region.tag in _KEPT_ELEMENTS for index in copy):
            removed.update(copy)
            for original, index in zip(first, copy, strict=True):
                result[index] = result[index] and not result[original]
    return result


def _copies(page: SegmentedPage) -> Iterator[tuple[range, range]]:
    """Yield the blocks of each element and of a later one with the same tag and text, the longest elements first."""
    alike: dict[tuple[int, int, str], list[tuple[Region, range]]] = {}
    for region, blocks in _regions(page):
        alike.setdefault((region.chars, region.blocks, region.tag), []).append((region, blocks))
    for key in sorted((key for key, found in alike.items() if len(found) > 1), reverse=True):
        originals: dict[tuple[str, ...], range] = {}
        for region, blocks in alike[key]:
            original = originals.setdefault(tuple(page.blocks[index].text for index in blocks), blocks)
            if original.stop <= blocks.start and _has_class(page, region, blocks):
                yield original, blocks


def _regions(page: SegmentedPage) -> Iterator[tuple[Region, range]]:
    """Yield the elements that are long enough, with the range of their blocks."""
    known: set[int] = set()
    for block in page.blocks:
        region: Region | None = block.region
        while region is not None and id(region) not in known:
            known.add(id(region))
            if region.chars >= MIN_REPEATED_CHARACTERS:
                yield region, range(block.index, block.index + region.blocks)
            region = region.parent


def _has_class(page: SegmentedPage, top: Region, blocks: range) -> bool:
    """Return whether an element, or an element between it and its blocks, has a class name."""
    for index in blocks:
        region: Region | None = page.blocks[index].region
        while region is not None:
            if region.element.get("class"):
                return True
            region = None if region is top else region.parent
    return False
