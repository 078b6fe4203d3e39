"""The features of all text blocks of a page, from all groups, and those of the page as a whole."""

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from mediakit.tools.documents.web_to_markdown.scoring.position_features import (
    LOCATION_FEATURES,
    SEQUENCE_FEATURES,
    location_features,
    sequence_features,
    top_candidate,
)
from mediakit.tools.documents.web_to_markdown.scoring.text_features import (
    HEADING_TAGS,
    PAGE_VOCABULARY_FEATURES,
    TEXT_FEATURES,
    VOCABULARY_FEATURES,
    BlockColumns,
    block_columns,
    block_words,
    page_vocabulary_features,
    text_features,
    vocabulary_features,
)
from mediakit.tools.documents.web_to_markdown.text_blocks import SECTIONS, Region, SegmentedPage

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PAGE_SECTIONS = ("article", "main", "list", "table", "nav")

PAGE_FEATURES = (
    "page_log_chars",
    "page_log_blocks",
    "page_link_density",
    "page_prose_share",
    "page_prose_blocks",
    "page_prose_mean_chars",
    "page_li_share",
    "page_td_share",
    "page_heading_share",
    "page_h1_count",
    "page_top_share",
    "page_top_link_density",
    *(f"page_{section}_share" for section in _PAGE_SECTIONS),
)
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
    whole_page = [*_page_features(columns, top), *page_vocabulary_features(page.blocks, words)]
    return np.hstack(
        [
            text,
            location_features(page, columns, top),
            sequence_features(columns, text),
            vocabulary_features(columns, words, title),
            np.broadcast_to(whole_page, (len(page.blocks), len(whole_page))),
        ]
    )


def _page_features(columns: BlockColumns, top: Region) -> list[float]:
    """Return the features in the order of `PAGE_FEATURES`.

    Args:
        columns: All blocks of the page.
        top: The region that a reader view would choose.
    """
    blocks, total_chars = columns.blocks, columns.total_chars
    prose_chars, prose_blocks = int(columns.prose_chars.sum()), int((columns.prose_chars > 0).sum())
    tags = Counter(block.region.tag for block in blocks)
    return [
        math.log1p(total_chars),
        math.log1p(len(blocks)),
        int(columns.link_chars.sum()) / total_chars,
        prose_chars / total_chars,
        float(prose_blocks),
        prose_chars / max(1, prose_blocks),
        tags["li"] / len(blocks),
        tags["td"] / len(blocks),
        sum(tags[tag] for tag in HEADING_TAGS) / len(blocks),
        float(tags["h1"]),
        top.chars / total_chars,
        top.link_chars / max(1, top.chars),
        *(chars / total_chars for chars in _section_chars(columns)),
    ]


def _section_chars(columns: BlockColumns) -> list[int]:
    """Return the characters in each of `_PAGE_SECTIONS`."""
    import numpy as np

    sections = np.array([block.region.sections for block in columns.blocks])
    return [int(columns.chars @ (sections >> SECTIONS.index(section) & 1)) for section in _PAGE_SECTIONS]
