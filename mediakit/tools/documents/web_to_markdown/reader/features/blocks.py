"""The features of all text blocks of a page, from all groups."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mediakit.tools.documents.web_to_markdown.reader.features.columns import block_columns
from mediakit.tools.documents.web_to_markdown.reader.features.location import (
    LOCATION_FEATURES,
    location_features,
    top_candidate,
)
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

if TYPE_CHECKING:
    from numpy.typing import NDArray

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

    blocks: "NDArray[Any]"
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
    import numpy as np

    blocks = page.blocks
    if not blocks:
        return Features(np.empty((0, len(BLOCK_FEATURES))), [])
    columns = block_columns(page)
    words = [block_words(block) for block in blocks]
    text = np.array([text_features(block, some) for block, some in zip(blocks, words, strict=True)])
    top = top_candidate(blocks)
    whole_page = [*page_features(columns, top), *page_vocabulary_features(blocks, words), *page_type]
    groups = (
        text,
        location_features(page, top, columns.total_chars),
        sequence_features(columns, text),
        vocabulary_features(columns, words, title),
        np.broadcast_to(whole_page, (len(blocks), len(whole_page))),
    )
    return Features(np.hstack(groups), whole_page)
