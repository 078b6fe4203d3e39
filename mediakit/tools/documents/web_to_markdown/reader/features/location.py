"""Features of the element of a block: its sections, its hints and the elements around it."""

import math
from functools import lru_cache

from mediakit.tools.documents.web_to_markdown.reader.features.missing import NOT_PRESENT
from mediakit.tools.documents.web_to_markdown.reader.hints import HINTS
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SECTIONS, Region, TextBlock

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

_NO_ANCESTOR = [NOT_PRESENT] * len(ANCESTOR_FEATURES)


class LocationFeatures:
    """Computes the features of regions. The features of each region are computed once."""

    def __init__(self, blocks: list[TextBlock], total_chars: int) -> None:
        self.top = _top_candidate(blocks)
        self._total_chars = total_chars
        self._levels = _levels_to_root(self.top)
        self._by_region: dict[int, list[float]] = {}
        self._by_ancestor: dict[int, list[float]] = {}

    def of(self, region: Region) -> list[float]:
        """Return the features of a region in the order of `LOCATION_FEATURES`."""
        if id(region) not in self._by_region:
            self._by_region[id(region)] = [
                *_section_and_hint_features(region),
                *self._ancestor_features(region),
                *self._top_features(region),
            ]
        return self._by_region[id(region)]

    def _ancestor_features(self, region: Region) -> list[float]:
        features: list[float] = []
        ancestor: Region | None = region
        for _ in range(ANCESTOR_LEVELS):
            ancestor = ancestor.parent if ancestor else None
            features += self._size_features(ancestor) if ancestor else _NO_ANCESTOR
        return features

    def _size_features(self, region: Region) -> list[float]:
        if id(region) not in self._by_ancestor:
            chars = region.chars or 1
            self._by_ancestor[id(region)] = [
                math.log1p(region.chars),
                region.chars / self._total_chars,
                region.link_chars / chars,
                region.paragraphs / (region.blocks or 1),
                region.commas / chars * 100,
            ]
        return self._by_ancestor[id(region)]

    def _top_features(self, region: Region) -> list[float]:
        """Return the distance to the nearest ancestor that contains the top candidate, and its distance to that."""
        distance, level = 0, NOT_PRESENT
        ancestor: Region | None = region
        while ancestor is not None:
            if id(ancestor) in self._levels:
                level = float(self._levels[id(ancestor)])
                break
            distance += 1
            ancestor = ancestor.parent
        return [float(distance), level, self.top.chars / self._total_chars]


def _section_and_hint_features(region: Region) -> list[float]:
    parent = region.parent or region
    near = region.own_hints | parent.own_hints
    nearby = near | (parent.parent or parent).own_hints
    return [
        *_expand_bits(region.own_hints, near, nearby, region.hints, region.sections),
        float(region.depth),
        float(region.own_hints.bit_count()),
    ]


@lru_cache(maxsize=5_000)
def _expand_bits(own: int, near: int, nearby: int, hints: int, sections: int) -> tuple[float, ...]:
    """Return a number for each section and each hint. The number of a hint is larger the closer its element is."""
    return (
        *(float(sections >> bit & 1) for bit in range(len(SECTIONS))),
        *(
            (3.0 if own >> bit & 1 else 2.5 if near >> bit & 1 else 2.0 if nearby >> bit & 1 else 1.0)
            if hints >> bit & 1
            else 0.0
            for bit in range(len(HINTS))
        ),
    )


def _top_candidate(blocks: list[TextBlock]) -> Region:
    """Return the region that a reader view would choose: the one with the best score, reduced by its link density."""
    best: Region = blocks[0].region
    best_score = -1.0
    seen: set[int] = set()
    for block in blocks:
        region: Region | None = block.region
        while region is not None and id(region) not in seen:
            seen.add(id(region))
            score = region.score * (1 - region.link_chars / max(1, region.chars))
            if score > best_score and region.tag not in ("body", "html"):
                best, best_score = region, score
            region = region.parent
    return best


def _levels_to_root(top: Region) -> dict[int, int]:
    """Return the regions from the top candidate to the root, by id, with their distance to the top candidate."""
    levels: dict[int, int] = {}
    region: Region | None = top
    while region is not None:
        levels[id(region)] = len(levels)
        region = region.parent
    return levels
