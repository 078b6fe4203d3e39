"""The features of all text blocks of a page, from all groups."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mediakit.tools.documents.web_to_markdown.scoring.page_features import (
    PAGE_FEATURES,
    PAGE_TYPE_FEATURES,
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
    NO_OFFSET,
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
from mediakit.tools.documents.web_to_markdown.text_blocks import SegmentedPage

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RESULT_FEATURES = ("is_included", "neighbors_included", "share", "log_chars")
_PROSE_FEATURES = ("share_of_prose", "from_first_block", "to_last_block", "prose_share")
VIEW_FEATURES = tuple(f"view_{name}" for name in (*_RESULT_FEATURES, *_PROSE_FEATURES))

_NEAR_OFFSETS = (-2, -1, 1, 2)


def view_features(page: SegmentedPage, view: Sequence[bool]) -> "NDArray[Any]":
    """Return the features of each block in the order of `VIEW_FEATURES`. `view` is whether it is in the reader view."""
    import numpy as np

    columns, included = block_columns(page), np.array(view, dtype=bool)
    margin, length = max(_NEAR_OFFSETS), len(included)
    padded, existing = np.pad(included.astype(float), margin), np.pad(np.ones(length), margin)
    starts = [margin + offset for offset in _NEAR_OFFSETS]
    count = sum(existing[start : start + length] for start in starts)
    near = sum(padded[start : start + length] for start in starts) / np.maximum(count, 1)
    chars = int(columns.chars @ included)
    page_features = np.broadcast_to([chars / columns.total_chars, math.log1p(chars)], (length, 2))
    return np.column_stack([included, near, page_features, _prose_features(columns, included)])


def _prose_features(columns: BlockColumns, view: "NDArray[Any]") -> "NDArray[Any]":
    import numpy as np

    included_prose = int(columns.prose_chars @ view)
    share_of_prose = included_prose / max(1, int(columns.prose_chars.sum()))
    share_of_view = included_prose / max(1, int(columns.chars @ view))
    index, included = np.arange(len(view)), np.flatnonzero(view)
    rows = np.full((len(view), len(_PROSE_FEATURES)), NO_OFFSET)
    if len(included):
        rows[:, 1], rows[:, 2] = index - included[0], included[-1] - index
    rows[:, 0], rows[:, 3] = share_of_prose, share_of_view
    return rows


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
    """Return the features of a page. `page_type` has those of the page type in the order of `PAGE_TYPE_FEATURES`."""
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
