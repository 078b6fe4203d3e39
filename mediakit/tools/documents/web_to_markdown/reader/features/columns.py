"""Measures of all text blocks of a page as columns, from which the groups of features are computed."""

from typing import TYPE_CHECKING, Any, NamedTuple

from mediakit.tools.documents.web_to_markdown.reader.features.text import is_prose
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage, TextBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray


class BlockColumns(NamedTuple):
    """The blocks of a page and one number for each of them in each column."""

    blocks: list[TextBlock]
    chars: "NDArray[Any]"
    link_chars: "NDArray[Any]"
    prose_chars: "NDArray[Any]"
    """Characters of blocks that are prose. 0 for other blocks."""
    signatures: "NDArray[Any]"
    """Number of the signature of the block's region. Signatures are numbered in the order of their first block."""

    @property
    def total_chars(self) -> int:
        """The characters of all blocks, at least 1."""
        return max(1, int(self.chars.sum()))


def block_columns(page: SegmentedPage) -> BlockColumns:
    """Measure the blocks of a page."""
    import numpy as np

    blocks = page.blocks
    chars = [len(block.text) for block in blocks]
    numbers: dict[str, int] = {}
    return BlockColumns(
        blocks,
        np.array(chars, dtype=np.int64),
        np.array([block.link_chars for block in blocks], dtype=np.int64),
        np.array([length if is_prose(block) else 0 for block, length in zip(blocks, chars, strict=True)]),
        np.array([numbers.setdefault(block.region.signature, len(numbers)) for block in blocks]),
    )
