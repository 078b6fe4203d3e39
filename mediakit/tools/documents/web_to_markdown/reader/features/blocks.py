"""The features of all text blocks of a page, from all groups."""

from collections.abc import Sequence
from typing import NamedTuple

from mediakit.tools.documents.web_to_markdown.reader.features.location import LOCATION_FEATURES, LocationFeatures
from mediakit.tools.documents.web_to_markdown.reader.features.page import PAGE_FEATURES, page_features
from mediakit.tools.documents.web_to_markdown.reader.features.page_type import PAGE_TYPE_FEATURES
from mediakit.tools.documents.web_to_markdown.reader.features.sequence import SEQUENCE_FEATURES, sequence_features
from mediakit.tools.documents.web_to_markdown.reader.features.text import TEXT_FEATURES, block_words, text_features
from mediakit.tools.documents.web_to_markdown.reader.features.vocabulary import (
    PAGE_VOCABULARY_FEATURES,
    VOCABULARY_FEATURES,
    page_vocabulary_features,
    vocabulary_features,
)
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage

WHOLE_PAGE_FEATURES = (*PAGE_FEATURES, *PAGE_VOCABULARY_FEATURES, *PAGE_TYPE_FEATURES)
"""Features that are equal for all blocks of a page."""

BLOCK_FEATURES = (
    *TEXT_FEATURES,
    *LOCATION_FEATURES,
    *SEQUENCE_FEATURES,
    *VOCABULARY_FEATURES,
    *WHOLE_PAGE_FEATURES,
)


class Features(NamedTuple):
    """The features of a page."""

    blocks: list[list[float]]
    """A row for each block, in the order of `BLOCK_FEATURES`."""
    page: list[float]
    """Features of the whole page, in the order of `WHOLE_PAGE_FEATURES`."""


def compute_features(page: SegmentedPage, page_type: Sequence[float], title: str | None = None) -> Features:
    """Return the features of a page.

    Args:
        page: The page.
        page_type: The features of the page type, in the order of `PAGE_TYPE_FEATURES`.
        title: The title of the page.
    """
    blocks = page.blocks
    if not blocks or page.root is None:
        return Features([], [])
    total_chars = max(1, page.root.chars)
    words = [block_words(block) for block in blocks]
    text_rows = [text_features(block, some) for block, some in zip(blocks, words, strict=True)]
    location = LocationFeatures(blocks, total_chars)
    whole_page = [
        *page_features(blocks, location.top, total_chars),
        *page_vocabulary_features(blocks, words),
        *page_type,
    ]
    rows = zip(
        text_rows,
        (location.of(block.region) for block in blocks),
        sequence_features(blocks, text_rows, total_chars),
        vocabulary_features(blocks, words, title),
        strict=True,
    )
    return Features([[number for group in row for number in group] + whole_page for row in rows], whole_page)
