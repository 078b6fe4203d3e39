"""Matches the tags that open, divide and close the same block."""

from dataclasses import dataclass, field

from lxml import etree

from mediakit.engines.word_templates.language.tags import OPENING, tag_error
from mediakit.engines.word_templates.marks import MarkedPart

MAX_BLOCKS_DEEP = 20
"""Blocks inside each other."""


@dataclass
class Block:
    """A loop or a condition: the markers of its tags, in the order of the part."""

    markers: list[etree._Element]
    inner: list["Block"] = field(default_factory=list)

    @property
    def start(self) -> etree._Element:
        """The marker that opens the block."""
        return self.markers[0]

    @property
    def end(self) -> etree._Element:
        """The marker that closes the block."""
        return self.markers[-1]


def find_blocks(part: MarkedPart) -> list[Block]:
    """Return the blocks of a part, the outer ones with those inside them.

    Raises:
        InvalidInput: A block is not closed, or a tag closes or divides none.
    """
    found: list[Block] = []
    open_blocks: list[Block] = []
    for marker in part.markers():
        tag = part.tag_of(marker)
        if tag.kind in OPENING:
            block = Block([marker])
            (open_blocks[-1].inner if open_blocks else found).append(block)
            open_blocks.append(block)
            if len(open_blocks) > MAX_BLOCKS_DEEP:
                raise tag_error(tag, f"its blocks are nested deeper than {MAX_BLOCKS_DEEP} levels")
        elif tag.is_block:
            _continue(open_blocks, marker, part)
    if open_blocks:
        tag = part.tag_of(open_blocks[-1].start)
        raise tag_error(tag, f"no {{% {OPENING[tag.kind]} %}}")
    return found


def _continue(open_blocks: list[Block], marker: etree._Element, part: MarkedPart) -> None:
    tag = part.tag_of(marker)
    opener = "for" if tag.kind == "endfor" else "if"
    if not open_blocks:
        raise tag_error(tag, f"no {{% {opener} %}} before it")
    block = open_blocks[-1]
    start = part.tag_of(block.start)
    if start.kind != opener:
        raise tag_error(start, f"no {{% {OPENING[start.kind]} %}} before {tag.source}")
    if tag.kind in ("elif", "else") and any(part.tag_of(each).kind == "else" for each in block.markers):
        raise tag_error(tag, "it comes after {% else %}")
    block.markers.append(marker)
    if tag.kind == OPENING[start.kind]:
        open_blocks.pop()
