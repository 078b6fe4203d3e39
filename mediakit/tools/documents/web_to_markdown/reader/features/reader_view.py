"""Features of a block that depend on the reader view."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mediakit.tools.documents.web_to_markdown.reader.features.columns import BlockColumns, block_columns
from mediakit.tools.documents.web_to_markdown.reader.features.missing import NO_OFFSET
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RESULT_FEATURES = ("is_included", "neighbors_included", "share", "log_chars")
_PROSE_FEATURES = ("share_of_prose", "from_first_block", "to_last_block", "prose_share")
VIEW_FEATURES = tuple(f"view_{name}" for name in (*_RESULT_FEATURES, *_PROSE_FEATURES))

_NEAR_OFFSETS = (-2, -1, 1, 2)


def view_features(page: SegmentedPage, view: Sequence[bool]) -> "NDArray[Any]":
    """Return the features of each block in the order of `VIEW_FEATURES`.

    Args:
        page: The page.
        view: Whether each block is in the reader view.
    """
    import numpy as np

    columns, included = block_columns(page), np.array(view, dtype=bool)
    return np.hstack([_result_features(columns, included), _prose_features(columns, included)])


def _result_features(columns: BlockColumns, result: "NDArray[Any]") -> "NDArray[Any]":
    import numpy as np

    chars = int(columns.chars @ result)
    page_features = np.broadcast_to([chars / columns.total_chars, math.log1p(chars)], (len(result), 2))
    return np.column_stack([result, _share_of_neighbors(result), page_features])


def _share_of_neighbors(result: "NDArray[Any]") -> "NDArray[Any]":
    """Return the share of the blocks at `_NEAR_OFFSETS` that are included."""
    import numpy as np

    margin = max(_NEAR_OFFSETS)
    included, existing = np.pad(result.astype(float), margin), np.pad(np.ones(len(result)), margin)
    starts = [margin + offset for offset in _NEAR_OFFSETS]
    count = sum(existing[start : start + len(result)] for start in starts)
    return sum(included[start : start + len(result)] for start in starts) / np.maximum(count, 1)


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
