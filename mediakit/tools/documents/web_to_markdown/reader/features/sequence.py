"""Features of the position of a block on the page, of its repetition, and of the blocks around it."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from mediakit.tools.documents.web_to_markdown.reader.features.missing import (
    NO_HEADING_DISTANCE,
    NO_OFFSET,
    NOT_PRESENT,
)
from mediakit.tools.documents.web_to_markdown.reader.features.text import (
    HEADING_TAGS,
    NEIGHBOR_TEXT_FEATURES,
    has_boilerplate,
    is_prose,
)
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import TextBlock

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

_NO_NEIGHBOR = [NOT_PRESENT] * len(NEIGHBOR_TEXT_FEATURES)


def sequence_features(
    blocks: list[TextBlock], text_rows: Sequence[Sequence[float]], total_chars: int
) -> list[list[float]]:
    """Return the features of each block in the order of `SEQUENCE_FEATURES`.

    Args:
        blocks: All blocks of the page.
        text_rows: The text features of each block.
        total_chars: Characters of all blocks.
    """
    groups = (
        _position_features(blocks, total_chars),
        _repetition_features(blocks, total_chars),
        _neighbor_features(blocks, text_rows),
        [_heading_features(blocks, index) for index in range(len(blocks))],
    )
    return [[number for group in row for number in group] for row in zip(*groups, strict=True)]


def _position_features(blocks: list[TextBlock], total_chars: int) -> list[list[float]]:
    prose = [index for index, block in enumerate(blocks) if is_prose(block)]
    prose_chars = [len(block.text) if is_prose(block) else 0 for block in blocks]
    prose_total = max(1, sum(prose_chars))
    chars_before = [0, *accumulate(len(block.text) for block in blocks)]
    prose_before = [0, *accumulate(prose_chars)]
    heading = next((index for index, block in enumerate(blocks) if block.region.tag == "h1"), None)
    first_prose, last_prose = (prose[0], prose[-1]) if prose else (None, -1)
    return [
        [
            chars_before[index] / total_chars,
            index / len(blocks),
            prose_before[index] / prose_total,
            NO_OFFSET if heading is None else index - heading,
            NO_OFFSET if first_prose is None else index - first_prose,
            last_prose - index,
        ]
        for index in range(len(blocks))
    ]


def _repetition_features(blocks: list[TextBlock], total_chars: int) -> list[list[float]]:
    """Return how many blocks have the same signature, and how long they are."""
    count = Counter(block.region.signature for block in blocks)
    texts = Counter(block.text for block in blocks)
    chars: Counter[str] = Counter()
    link_chars: Counter[str] = Counter()
    for block in blocks:
        chars[block.region.signature] += len(block.text)
        link_chars[block.region.signature] += block.link_chars
    by_signature: dict[str, list[float]] = {
        signature: [
            count[signature],
            count[signature] / len(blocks),
            chars[signature] / count[signature],
            chars[signature] / total_chars,
            link_chars[signature] / max(1, chars[signature]),
        ]
        for signature in count
    }
    return [[*by_signature[block.region.signature], texts[block.text]] for block in blocks]


def _neighbor_features(blocks: list[TextBlock], text_rows: Sequence[Sequence[float]]) -> list[list[float]]:
    sums = [0, *accumulate(len(block.text) - block.link_chars for block in blocks)]
    rows = []
    for index in range(len(blocks)):
        row: list[float] = []
        for offset in NEIGHBOR_OFFSETS:
            neighbor = index + offset
            exists = 0 <= neighbor < len(blocks)
            row += text_rows[neighbor][: len(NEIGHBOR_TEXT_FEATURES)] if exists else _NO_NEIGHBOR
        row += [_mean(sums, index - MEAN_BLOCKS, index), _mean(sums, index + 1, index + 1 + MEAN_BLOCKS)]
        rows.append(row)
    return rows


def _mean(sums: Sequence[int], start: int, end: int) -> float:
    """Return the mean of the numbers from `start` to `end`, given the sums of all numbers before each position."""
    start, end = max(0, start), min(end, len(sums) - 1)
    return (sums[end] - sums[start]) / (end - start) if end > start else 0.0


def _heading_features(blocks: list[TextBlock], index: int) -> list[float]:
    """Return the distance to the nearest heading above, its level, and whether it contains boilerplate words."""
    for distance in range(1, min(index, MAX_HEADING_DISTANCE) + 1):
        block = blocks[index - distance]
        if block.region.tag in HEADING_TAGS:
            is_boilerplate = has_boilerplate(block.text[:MAX_HEADING_CHARACTERS].lower())
            return [float(distance), float(block.region.tag[1]), float(is_boilerplate)]
    return [NO_HEADING_DISTANCE, 0.0, 0.0]
