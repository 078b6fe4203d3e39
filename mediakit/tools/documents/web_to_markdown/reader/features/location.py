"""Features of the element of a block: its sections, its hints and the elements around it."""

from typing import TYPE_CHECKING, Any

from mediakit.tools.documents.web_to_markdown.reader.features.missing import NOT_PRESENT
from mediakit.tools.documents.web_to_markdown.reader.hints import HINTS
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SECTIONS, Region, SegmentedPage, TextBlock

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
    """Return the features of each block in the order of `LOCATION_FEATURES`.

    Args:
        page: The page.
        top: The region that a reader view would choose.
        total_chars: Characters of all blocks.
    """
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

    levels = _levels_to_root(top)
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


def _levels_to_root(top: Region) -> dict[int, int]:
    """Return the indexes of the regions from the top candidate to the root, with their distance to the candidate."""
    levels: dict[int, int] = {}
    region: Region | None = top
    while region is not None:
        levels[region.index] = len(levels)
        region = region.parent
    return levels
