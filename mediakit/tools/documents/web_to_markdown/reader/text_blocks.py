"""Segments a page into text blocks: the text that each block element contains directly, without nested blocks."""

from dataclasses import dataclass, field

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS, IGNORED_ELEMENTS, tag_name
from mediakit.tools.documents.web_to_markdown.reader.hints import hint_bits, is_consent_prompt

SECTIONS = (
    "article",
    "main",
    "nav",
    "aside",
    "footer",
    "header",
    "form",
    "table",
    "list",
    "figure",
    "blockquote",
    "section",
    "details",
    "button",
)
"""Kinds of elements around a text block."""

_SECTION_OF_TAG = {
    "ul": "list",
    "ol": "list",
    "dl": "list",
    "menu": "list",
    "hgroup": "header",
    **{section: section for section in SECTIONS},
}
_SECTION_OF_ROLE = {
    "navigation": "nav",
    "complementary": "aside",
    "contentinfo": "footer",
    "banner": "header",
    "main": "main",
    "article": "article",
    "search": "form",
    "menu": "nav",
    "menubar": "nav",
    "dialog": "button",
    "alert": "button",
    "tablist": "nav",
}
_BOLD_ELEMENTS = ("b", "strong")

MIN_SCORED_CHARACTERS = 25
MIN_PARAGRAPH_CHARACTERS = 120
"""A text block of an element that is not a paragraph counts as one above this length."""

MAX_SIGNATURE_CHARACTERS = 200


@dataclass(slots=True, eq=False)
class Region:
    """An element that contains text blocks, with totals over all of them."""

    element: HtmlElement
    parent: "Region | None"
    tag: str
    own_hints: int
    """Hints in the element's own class names and id."""
    hints: int
    """Hints of the element and its ancestors."""
    sections: int
    """Sections that contain the element, with one bit for each in the order of `SECTIONS`."""
    depth: int
    signature: str
    """Tags and class names. Regions of the same kind have the same signature."""
    index: int
    """Position in `SegmentedPage.regions`."""
    chars: int = 0
    link_chars: int = 0
    commas: int = 0
    blocks: int = 0
    paragraphs: int = 0
    score: float = 0.0
    """Score of a main content candidate, similar to that of Readability."""
    is_consent_prompt: bool = False
    """Whether the element is, or is inside, a cookie consent prompt."""


@dataclass(slots=True, eq=False)
class TextBlock:
    """The text that one element contains directly."""

    region: Region
    text: str
    link_chars: int
    links: int
    bold_chars: int = 0
    index: int = 0


@dataclass(slots=True)
class SegmentedPage:
    """The text blocks of a page in reading order."""

    blocks: list[TextBlock] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    """All regions in document order. The first one is the body."""

    def indexes(self) -> dict[HtmlElement, int]:
        """Return the index of the block of each element that contains text directly."""
        return {block.region.element: block.index for block in self.blocks}


@dataclass(slots=True)
class _InlineText:
    pieces: list[str] = field(default_factory=list)
    link_chars: int = 0
    links: int = 0
    bold_chars: int = 0


def segment_page(body: HtmlElement, block_ancestors: set[HtmlElement]) -> SegmentedPage:
    """Segment a page into text blocks.

    Args:
        body: The page's body, without hidden and ignored elements.
        block_ancestors: The elements that contain a block element.
    """
    root = Region(body, None, "body", 0, 0, 0, 0, "body", 0)
    page = SegmentedPage(regions=[root])
    _segment(root, page, block_ancestors)
    for index, block in enumerate(page.blocks):
        block.index = index
        _measure(block)
    _add_to_parents(page.regions)
    return page


def _segment(region: Region, page: SegmentedPage, block_ancestors: set[HtmlElement]) -> None:
    inline = _InlineText([region.element.text or ""])
    nested: list[tuple[str, HtmlElement]] = []
    for child in region.element:
        tag = tag_name(child)
        if tag in BLOCK_ELEMENTS or child in block_ancestors:
            nested.append((tag, child))
        elif tag and tag not in IGNORED_ELEMENTS:
            _add_inline(child, inline, is_link=tag == "a", is_bold=tag in _BOLD_ELEMENTS)
        if tail := child.tail:
            inline.pieces.append(tail)
    if text := " ".join("".join(inline.pieces).split()):
        link_chars, bold_chars = min(inline.link_chars, len(text)), min(inline.bold_chars, len(text))
        page.blocks.append(TextBlock(region, text, link_chars, inline.links, bold_chars))
    for tag, child in nested:
        if tag not in IGNORED_ELEMENTS:
            nested_region = _child_region(region, child, tag, len(page.regions))
            page.regions.append(nested_region)
            _segment(nested_region, page, block_ancestors)


def _add_inline(element: HtmlElement, inline: _InlineText, *, is_link: bool, is_bold: bool) -> None:
    if element.tag == "br":
        inline.pieces.append(" ")
    inline.links += element.tag == "a"
    _add_text(element.text, inline, is_link=is_link, is_bold=is_bold)
    for child in element:
        tag = tag_name(child)
        if tag and tag not in IGNORED_ELEMENTS:
            _add_inline(child, inline, is_link=is_link or tag == "a", is_bold=is_bold or tag in _BOLD_ELEMENTS)
        _add_text(child.tail, inline, is_link=is_link, is_bold=is_bold)


def _add_text(text: str | None, inline: _InlineText, *, is_link: bool, is_bold: bool) -> None:
    if text:
        inline.pieces.append(text)
        inline.link_chars += len(text) * is_link
        inline.bold_chars += len(text) * is_bold


def _child_region(region: Region, element: HtmlElement, tag: str, index: int) -> Region:
    class_names = element.get("class") or ""
    names = f"{class_names} {element.get('id') or ''}"
    own_hints = hint_bits(names) if len(names) > 1 else 0
    sections = region.sections
    if section := _SECTION_OF_ROLE.get(element.get("role") or "") or _SECTION_OF_TAG.get(tag):
        sections |= 1 << SECTIONS.index(section)
    return Region(
        element,
        region,
        tag,
        own_hints,
        region.hints | own_hints,
        sections,
        region.depth + 1,
        f"{region.tag}>{tag}.{class_names}"[:MAX_SIGNATURE_CHARACTERS],
        index,
        is_consent_prompt=region.is_consent_prompt or (own_hints > 0 and is_consent_prompt(names)),
    )


def _measure(block: TextBlock) -> None:
    """Set the totals of a block's own region, and add the score of the block to the regions around it."""
    region = block.region
    region.chars, region.link_chars, region.blocks = len(block.text), block.link_chars, 1
    region.commas = block.text.count(",") + block.text.count("，") + block.text.count("、")
    is_paragraph = region.tag in ("p", "blockquote", "pre") or (
        region.chars > MIN_PARAGRAPH_CHARACTERS and block.link_chars < region.chars / 3
    )
    region.paragraphs = int(is_paragraph)
    if is_paragraph and region.chars >= MIN_SCORED_CHARACTERS:
        _add_score(region.parent, 1 + region.commas + min(region.chars / 100, 3))


def _add_score(region: Region | None, score: float) -> None:
    """Add a score to a region, and smaller shares of it to the regions around that."""
    level = 1
    while region is not None:
        region.score += score / (1 if level == 1 else 2 if level == 2 else 3 * (level - 1))
        region = region.parent
        level += 1


def _add_to_parents(regions: list[Region]) -> None:
    """Add the totals of all regions to those of the regions around them, the innermost regions first."""
    for region in reversed(regions):
        parent = region.parent
        if parent is not None:
            parent.chars += region.chars
            parent.link_chars += region.link_chars
            parent.commas += region.commas
            parent.blocks += region.blocks
            parent.paragraphs += region.paragraphs
