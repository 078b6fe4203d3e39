"""Segments a page into text blocks: the text that each block element contains directly, without nested blocks."""

import re
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
_SPACES = re.compile(r"\s+")

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
    root: Region | None = None


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
    page = SegmentedPage()
    page.root = Region(body, None, "body", 0, 0, 0, 0, "body")
    _segment(page.root, page, block_ancestors)
    for index, block in enumerate(page.blocks):
        block.index = index
        _add_to_totals(block)
    return page


def _segment(region: Region, page: SegmentedPage, block_ancestors: set[HtmlElement]) -> None:
    position = len(page.blocks)
    inline = _InlineText([region.element.text or ""])
    nested: list[HtmlElement] = []
    for child in region.element:
        tag = tag_name(child)
        if tag in BLOCK_ELEMENTS or child in block_ancestors:
            nested.append(child)
        elif tag and tag not in IGNORED_ELEMENTS:
            _add_inline(child, inline, is_link=tag == "a", is_bold=tag in _BOLD_ELEMENTS)
        inline.pieces.append(child.tail or "")
    if text := _SPACES.sub(" ", "".join(inline.pieces)).strip():
        link_chars, bold_chars = min(inline.link_chars, len(text)), min(inline.bold_chars, len(text))
        page.blocks.insert(position, TextBlock(region, text, link_chars, inline.links, bold_chars))
    for child in nested:
        if tag_name(child) not in IGNORED_ELEMENTS:
            _segment(_child_region(region, child), page, block_ancestors)


def _add_inline(element: HtmlElement, inline: _InlineText, *, is_link: bool, is_bold: bool) -> None:
    inline.pieces.append(" " if element.tag == "br" else "")
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


def _child_region(region: Region, element: HtmlElement) -> Region:
    tag = tag_name(element)
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
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
        f"{region.tag}>{tag}.{element.get('class') or ''}"[:MAX_SIGNATURE_CHARACTERS],
        is_consent_prompt=region.is_consent_prompt or (own_hints > 0 and is_consent_prompt(names)),
    )


def _add_to_totals(block: TextBlock) -> None:
    """Add a text block to the totals of all regions that contain it."""
    chars, commas = len(block.text), block.text.count(",") + block.text.count("，") + block.text.count("、")
    is_paragraph = block.region.tag in ("p", "blockquote", "pre") or (
        chars > MIN_PARAGRAPH_CHARACTERS and block.link_chars < chars / 3
    )
    score = 1 + commas + min(chars / 100, 3) if chars >= MIN_SCORED_CHARACTERS and is_paragraph else 0.0
    region: Region | None = block.region
    level = 0
    while region is not None:
        region.chars += chars
        region.link_chars += block.link_chars
        region.commas += commas
        region.blocks += 1
        region.paragraphs += is_paragraph
        if level:
            region.score += score / (1 if level == 1 else 2 if level == 2 else 3 * (level - 1))
        region = region.parent
        level += 1
