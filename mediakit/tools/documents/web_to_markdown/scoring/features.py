"""The features of all text blocks of a page, from all groups."""

from typing import TYPE_CHECKING, Any

from mediakit.tools.documents.web_to_markdown.scoring.page_features import (
    PAGE_FEATURES,
    page_features,
)
from mediakit.tools.documents.web_to_markdown.scoring.position_features import (
    LOCATION_FEATURES,
    SEQUENCE_FEATURES,
    location_features,
    sequence_features,
    top_candidate,
)
from mediakit.tools.documents.web_to_markdown.scoring.text_features import (
    PAGE_VOCABULARY_FEATURES,
    TEXT_FEATURES,
    VOCABULARY_FEATURES,
    block_columns,
    block_words,
    page_vocabulary_features,
    text_features,
    vocabulary_features,
)
from mediakit.tools.documents.web_to_markdown.text_blocks import SegmentedPage

if TYPE_CHECKING:
    from numpy.typing import NDArray

WHOLE_PAGE_FEATURES = (*PAGE_FEATURES, *PAGE_VOCABULARY_FEATURES)
"""Features that are equal for all blocks of a page."""

BLOCK_FEATURES = (
    *TEXT_FEATURES,
    *LOCATION_FEATURES,
    *SEQUENCE_FEATURES,
    *VOCABULARY_FEATURES,
    *WHOLE_PAGE_FEATURES,
)


def block_features(page: SegmentedPage, title: str | None) -> "NDArray[Any]":
    """Return the features of each block of a page, in the order of `BLOCK_FEATURES`.

    Args:
        page: The page.
        title: The title of the page.
    """
    import numpy as np

    columns, words = block_columns(page), [block_words(block) for block in page.blocks]
    text = np.array([text_features(block, some) for block, some in zip(page.blocks, words, strict=True)])
    top = top_candidate(page.blocks)
    whole_page = [*page_features(columns, top), *page_vocabulary_features(page.blocks, words)]
    return np.hstack(
        [
            text,
            location_features(page, columns, top),
            sequence_features(columns, text),
            vocabulary_features(columns, words, title),
            np.broadcast_to(whole_page, (len(page.blocks), len(whole_page))),
        ]
    )
