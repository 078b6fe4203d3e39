"""Features of a whole page: its length, its links, its elements and its sections."""

import math
from collections import Counter

from mediakit.tools.documents.web_to_markdown.reader.features.text import HEADING_TAGS, is_prose
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SECTIONS, Region, TextBlock

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


def page_features(blocks: list[TextBlock], top: Region, total_chars: int) -> list[float]:
    """Return the features in the order of `PAGE_FEATURES`.

    Args:
        blocks: All blocks of the page.
        top: The region that a reader view would choose.
        total_chars: Characters of all blocks.
    """
    prose = [block for block in blocks if is_prose(block)]
    prose_chars = sum(len(block.text) for block in prose)
    link_chars = sum(block.link_chars for block in blocks)
    tags = Counter(block.region.tag for block in blocks)
    return [
        math.log1p(total_chars),
        math.log1p(len(blocks)),
        link_chars / total_chars,
        prose_chars / total_chars,
        float(len(prose)),
        prose_chars / max(1, len(prose)),
        tags["li"] / len(blocks),
        tags["td"] / len(blocks),
        sum(tags[tag] for tag in HEADING_TAGS) / len(blocks),
        float(tags["h1"]),
        top.chars / total_chars,
        top.link_chars / max(1, top.chars),
        *(_section_chars(blocks, section) / total_chars for section in _PAGE_SECTIONS),
    ]


def _section_chars(blocks: list[TextBlock], section: str) -> int:
    bit = SECTIONS.index(section)
    return sum(len(block.text) for block in blocks if block.region.sections >> bit & 1)
