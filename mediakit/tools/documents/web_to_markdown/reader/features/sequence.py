"""Features of the position of a block on the page, of its repetition, and of the blocks around it."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from mediakit.tools.documents.web_to_markdown.reader.features.columns import BlockColumns
from mediakit.tools.documents.web_to_markdown.reader.features.missing import (
    NO_HEADING_DISTANCE,
    NO_OFFSET,
    NOT_PRESENT,
)
from mediakit.tools.documents.web_to_markdown.reader.features.text import (
    HEADING_TAGS,
    NEIGHBOR_TEXT_FEATURES,
    has_boilerplate,
)
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import TextBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray

POSITION_FEATURES = (
    "share_of_chars_before",
    "position",
    "share_of_prose_before",
    "from_h1",
    "from_first_prose",
    "to_last_prose",
)
REPETITION_FEATURES = (
    "same_signature_count",
    "same_signature_share",
    "same_signature_mean_chars",
    "same_signature_chars_share",
    "same_signature_link_density",
    "same_text_count",
)
NEIGHBOR_OFFSETS = (-3, -2, -1, 1, 2, 3)
NEIGHBOR_FEATURES = (
    *(f"at{offset:+}_{name}" for offset in NEIGHBOR_OFFSETS for name in NEIGHBOR_TEXT_FEATURES),
    "mean_chars_before",
    "mean_chars_after",
)
HEADING_FEATURES = ("heading_distance", "heading_level", "heading_is_boilerplate")
SEQUENCE_FEATURES = (*POSITION_FEATURES, *REPETITION_FEATURES, *NEIGHBOR_FEATURES, *HEADING_FEATURES)

MEAN_BLOCKS = 8
"""Blocks before and after a block whose mean length is a feature."""

MAX_HEADING_DISTANCE = 24
MAX_HEADING_CHARACTERS = 120


def sequence_features(columns: BlockColumns, text: "NDArray[Any]") -> "NDArray[Any]":
    """Return the features of each block in the order of `SEQUENCE_FEATURES`.

    Args:
        columns: All blocks of the page.
        text: The text features of each block.
    """
    import numpy as np

    groups = (
        _position_features(columns),
        _repetition_features(columns),
        _neighbor_features(text[:, : len(NEIGHBOR_TEXT_FEATURES)]),
        _mean_chars_around(columns),
        _heading_features(columns.blocks),
    )
    return np.hstack(groups)


def _position_features(columns: BlockColumns) -> "NDArray[Any]":
    import numpy as np

    index = np.arange(len(columns.blocks))
    prose = np.flatnonzero(columns.prose_chars)
    heading = next((index for index, block in enumerate(columns.blocks) if block.region.tag == "h1"), None)
    no_offset = np.full(len(index), NO_OFFSET)
    return np.column_stack(
        [
            _sum_before(columns.chars) / columns.total_chars,
            index / len(index),
            _sum_before(columns.prose_chars) / max(1, columns.prose_chars.sum()),
            no_offset if heading is None else index - heading,
            index - prose[0] if len(prose) else no_offset,
            (prose[-1] if len(prose) else -1) - index,
        ]
    )


def _sum_before(numbers: "NDArray[Any]") -> "NDArray[Any]":
    """Return the sum of the numbers before each one."""
    before: NDArray[Any] = numbers.cumsum() - numbers
    return before


def _repetition_features(columns: BlockColumns) -> "NDArray[Any]":
    """Return how many blocks have the same signature, and how long they are."""
    import numpy as np

    count = np.bincount(columns.signatures)
    chars = np.bincount(columns.signatures, columns.chars)
    link_chars = np.bincount(columns.signatures, columns.link_chars)
    by_signature = np.column_stack(
        [
            count,
            count / len(columns.blocks),
            chars / count,
            chars / columns.total_chars,
            link_chars / np.maximum(1, chars),
        ]
    )
    texts = Counter(block.text for block in columns.blocks)
    return np.column_stack([by_signature[columns.signatures], [texts[block.text] for block in columns.blocks]])


def _neighbor_features(text: "NDArray[Any]") -> "NDArray[Any]":
    """Return the features of the blocks at all `NEIGHBOR_OFFSETS`."""
    import numpy as np

    margin = max(NEIGHBOR_OFFSETS)
    padded = np.pad(text, ((margin, margin), (0, 0)), constant_values=NOT_PRESENT)
    return np.hstack([padded[margin + offset : margin + offset + len(text)] for offset in NEIGHBOR_OFFSETS])


def _mean_chars_around(columns: BlockColumns) -> "NDArray[Any]":
    """Return the mean length, without links, of up to `MEAN_BLOCKS` blocks before and after each block."""
    import numpy as np

    length = len(columns.blocks)
    sums = np.append(0, (columns.chars - columns.link_chars).cumsum())
    index = np.arange(length)

    def mean(start: "NDArray[Any]", end: "NDArray[Any]") -> "NDArray[Any]":
        means: NDArray[Any] = (sums[end] - sums[start]) / np.maximum(end - start, 1)
        return means

    before = mean(np.maximum(index - MEAN_BLOCKS, 0), index)
    return np.column_stack([before, mean(index + 1, np.minimum(index + 1 + MEAN_BLOCKS, length))])


def _heading_features(blocks: list[TextBlock]) -> list[tuple[float, float, float]]:
    """Return the distance to the nearest heading above, its level, and whether it contains boilerplate words."""
    rows = []
    heading, level, is_boilerplate = -MAX_HEADING_DISTANCE - 1, 0.0, 0.0
    for index, block in enumerate(blocks):
        is_near = index - heading <= MAX_HEADING_DISTANCE
        rows.append((float(index - heading), level, is_boilerplate) if is_near else (NO_HEADING_DISTANCE, 0.0, 0.0))
        if block.region.tag in HEADING_TAGS:
            heading, level = index, float(block.region.tag[1])
            is_boilerplate = float(has_boilerplate(block.text[:MAX_HEADING_CHARACTERS].lower()))
    return rows
