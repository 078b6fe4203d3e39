"""Features of a block that depend on the results of the extractors: the reader view and the libraries."""

import math
from collections.abc import Sequence

from mediakit.tools.documents.web_to_markdown.reader.features.missing import NO_OFFSET, NOT_COMPUTED
from mediakit.tools.documents.web_to_markdown.reader.features.text import is_prose
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage

_RESULT_FEATURES = ("is_included", "neighbors_included", "share", "log_chars")
_PROSE_FEATURES = ("share_of_prose", "from_first_block", "to_last_block", "prose_share")
VIEW_FEATURES = tuple(f"view_{name}" for name in (*_RESULT_FEATURES, *_PROSE_FEATURES))
LIBRARY_FEATURES = tuple(f"{library}_{name}" for library in ("readability", "trafilatura") for name in _RESULT_FEATURES)
EXTRACTOR_FEATURES = (*VIEW_FEATURES, *LIBRARY_FEATURES)

_NEAR_OFFSETS = (-2, -1, 1, 2)


def extractor_features(
    page: SegmentedPage, view: Sequence[bool], libraries: Sequence[Sequence[bool]] = ()
) -> list[list[float]]:
    """Return the features of each block in the order of `EXTRACTOR_FEATURES`.

    Args:
        page: The page.
        view: Whether each block is in the reader view.
        libraries: The same for readability-lxml and trafilatura. Empty if they were not run.
    """
    total_chars = max(1, sum(len(block.text) for block in page.blocks))
    not_computed = [[NOT_COMPUTED] * len(LIBRARY_FEATURES)] * len(page.blocks)
    groups = (
        [_result_features(page, view, total_chars), _prose_features(page, view)]
        + [_result_features(page, result, total_chars) for result in libraries]
        + ([] if libraries else [not_computed])
    )
    return [[number for group in row for number in group] for row in zip(*groups, strict=True)]


def _result_features(page: SegmentedPage, result: Sequence[bool], total_chars: int) -> list[list[float]]:
    chars = sum(len(block.text) for block, is_included in zip(page.blocks, result, strict=True) if is_included)
    share, log_chars = chars / total_chars, math.log1p(chars)
    return [
        [float(is_included), _share_of_neighbors(result, index), share, log_chars]
        for index, is_included in enumerate(result)
    ]


def _share_of_neighbors(result: Sequence[bool], index: int) -> float:
    neighbors = [result[index + offset] for offset in _NEAR_OFFSETS if 0 <= index + offset < len(result)]
    return sum(neighbors) / len(neighbors) if neighbors else 0.0


def _prose_features(page: SegmentedPage, view: Sequence[bool]) -> list[list[float]]:
    prose_chars = [len(block.text) if is_prose(block) else 0 for block in page.blocks]
    included_prose = sum(chars for chars, is_included in zip(prose_chars, view, strict=True) if is_included)
    included = sum(len(block.text) for block, is_included in zip(page.blocks, view, strict=True) if is_included)
    share_of_prose, share_of_view = included_prose / max(1, sum(prose_chars)), included_prose / max(1, included)
    indexes = [index for index, is_included in enumerate(view) if is_included]
    return [
        [
            share_of_prose,
            index - indexes[0] if indexes else NO_OFFSET,
            indexes[-1] - index if indexes else NO_OFFSET,
            share_of_view,
        ]
        for index in range(len(view))
    ]
