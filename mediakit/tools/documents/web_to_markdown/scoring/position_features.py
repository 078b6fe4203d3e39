"""Features of the place of a block: the elements around it, and the blocks before and after it."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from mediakit.tools.documents.web_to_markdown.scoring.text_features import (
    HEADING_TAGS,
    NEIGHBOR_TEXT_FEATURES,
    NO_HEADING_DISTANCE,
    NO_OFFSET,
    NOT_PRESENT,
    BlockColumns,
    has_boilerplate,
)
from mediakit.tools.documents.web_to_markdown.text_blocks import HINTS, SECTIONS, Region, SegmentedPage, TextBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray

ANCESTOR_LEVELS = 4
ANCESTOR_FEATURES = ("log_chars", "share", "link_density", "paragraph_share", "comma_density")
LOCATION_FEATURES = (
    *(f"in_{section}" for section in SECTIONS),
    *(f"hint_{hint}" for hint in HINTS),
    "depth",
    "own_hint_count",
    *(f"up{level}_{name}" for level in range(1, ANCESTOR_LEVELS + 1) for name in ANCESTOR_FEATURES),
    "top_distance",
    "top_level",
    "top_share",
)


def location_features(page: SegmentedPage, top: Region, total_chars: int) -> "NDArray[Any]":
    """Return the features of each block in the order of `LOCATION_FEATURES`. `top` is the result of `top_candidate`."""
    import numpy as np

    regions = [block.region for block in page.blocks]
    indexes = np.array([region.index for region in regions])
    parents = np.array([-1 if region.parent is None else region.parent.index for region in page.regions])
    return np.hstack(
        [
            _section_and_hint_features(regions),
            _ancestor_features(page.regions, indexes, parents, total_chars),
            _top_features(page.regions, top).take(indexes, axis=0),
            np.full((len(regions), 1), top.chars / total_chars),
        ]
    )


def _section_and_hint_features(regions: list[Region]) -> "NDArray[Any]":
    """Return a number for each section and each hint, the depth, and the number of hints of each region itself.

    The number of a hint is larger the closer its element is.
    """
    import numpy as np

    rows = []
    for region in regions:
        parent = region.parent or region
        near = region.own_hints | parent.own_hints
        nearby = near | (parent.parent or parent).own_hints
        rows.append((region.own_hints, near, nearby, region.hints, region.sections, region.depth))
    own, near_hints, nearby_hints, hints, sections, depth = np.array(rows).T[:, :, np.newaxis]
    bits = np.arange(len(HINTS))
    own_bits = own >> bits & 1
    closeness = 1 + (nearby_hints >> bits & 1) + 0.5 * (near_hints >> bits & 1) + 0.5 * own_bits
    return np.hstack(
        [
            sections >> np.arange(len(SECTIONS)) & 1,
            np.where(hints >> bits & 1, closeness, 0),
            depth,
            own_bits.sum(axis=1, keepdims=True),
        ]
    )


def _ancestor_features(
    regions: list[Region], indexes: "NDArray[Any]", parents: "NDArray[Any]", total_chars: int
) -> "NDArray[Any]":
    """Return the totals of the nearest ancestors of the regions with the given indexes."""
    import numpy as np

    totals = [(region.chars, region.link_chars, region.paragraphs, region.blocks, region.commas) for region in regions]
    chars, link_chars, paragraphs, blocks, commas = np.array(totals).T
    at_least_one = np.maximum(chars, 1)
    sizes = np.full((len(regions) + 1, len(ANCESTOR_FEATURES)), NOT_PRESENT)  # the last row is for missing ancestors
    sizes[:-1] = np.column_stack(
        [
            np.log1p(chars),
            chars / total_chars,
            link_chars / at_least_one,
            paragraphs / np.maximum(blocks, 1),
            commas / at_least_one * 100,
        ]
    )
    parent_or_missing = np.append(parents, -1)
    levels = []
    for _ in range(ANCESTOR_LEVELS):
        indexes = parent_or_missing.take(indexes)
        levels.append(sizes[indexes])
    return np.hstack(levels)


def _top_features(regions: list[Region], top: Region) -> "NDArray[Any]":
    """Return the distance to the nearest ancestor that contains the top candidate, and its distance to that."""
    import numpy as np

    levels: dict[int, int] = {}  # from the top candidate to the root
    above: Region | None = top
    while above is not None:
        levels[above.index] = len(levels)
        above = above.parent
    rows: list[tuple[int, int]] = []
    for region in regions:
        if region.index in levels or region.parent is None:
            rows.append((0, levels[region.index]))
        else:
            distance, level = rows[region.parent.index]
            rows.append((distance + 1, level))
    return np.array(rows)


def top_candidate(blocks: list[TextBlock]) -> Region:
    """Return the region that a reader view would choose: the one with the best score, reduced by its link density."""
    best: Region = blocks[0].region
    best_score = -1.0
    seen: set[int] = set()
    for block in blocks:
        region: Region | None = block.region
        while region is not None and region.index not in seen:
            seen.add(region.index)
            score = region.score * (1 - region.link_chars / max(1, region.chars))
            if score > best_score and region.tag not in ("body", "html"):
                best, best_score = region, score
            region = region.parent
    return best


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
    """Return the features of each block in the order of `SEQUENCE_FEATURES`. `text` has its text features."""
    import numpy as np

    margin = max(NEIGHBOR_OFFSETS)
    near = text[:, : len(NEIGHBOR_TEXT_FEATURES)]
    near = np.pad(near, ((margin, margin), (0, 0)), constant_values=NOT_PRESENT)
    groups: tuple[Any, ...] = (
        _position_features(columns),
        _repetition_features(columns),
        *(near[margin + offset : margin + offset + len(text)] for offset in NEIGHBOR_OFFSETS),
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
            (columns.chars.cumsum() - columns.chars) / columns.total_chars,
            index / len(index),
            (columns.prose_chars.cumsum() - columns.prose_chars) / max(1, columns.prose_chars.sum()),
            no_offset if heading is None else index - heading,
            index - prose[0] if len(prose) else no_offset,
            (prose[-1] if len(prose) else -1) - index,
        ]
    )


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
