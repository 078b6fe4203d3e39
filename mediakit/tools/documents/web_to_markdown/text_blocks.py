"""Segments a page into text blocks: the text that each block element contains directly, without nested blocks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS, IGNORED_ELEMENTS, split_words, tag_name

PATTERNS: dict[str, str] = {
    "comment": r"comment|disqus|reply|replies|respond|discussion",
    "related": (
        r"relat|recommend|similar|more-?(?:from|stories|posts|articles|news|on)|read-?(?:more|next|also)|"
        r"also-?like|popular|trending|most-|latest|recent|outbrain|taboola|teaser|carousel|slider|upsell|"
        r"cross-?sell"
    ),
    "share": r"shar(?:e|ing)|social|follow|facebook|twitter|whatsapp|pinterest|linkedin|addthis|sns",
    "promo": (
        r"promo|sponsor|advert|(?:^|[\s_-])ads?(?:$|[\s_-])|adsense|banner|newsletter|subscri|sign-?up|signin|"
        r"login|paywall|donat|cta|offer|popup|modal|overlay|dialog|cookie|consent|gdpr|notice|alert|toast"
    ),
    "side": r"side-?bar|aside|rail|widget|complementary|secondary|tertiary",
    "foot": r"foot(?:$|[^n]|n(?:$|[^o])|no(?:$|[^t])|not(?:$|[^e]))|bottom|copyright|legal|disclaimer|colophon",
    "nav": (
        r"nav|menu|breadcrumb|crumb|pag(?:er|ing|ination)|toc|tabs?(?:$|[\s_-])|skip|toolbar|filter|sort|facet|"
        r"dropdown|sitemap|category-?list|tag-?(?:list|cloud|s)|tags"
    ),
    "head": r"header|masthead|top-?bar|hero|logo|site-?title|brand|branding",
    "byline": r"author|byline|by-line|meta|date|time|publish|posted|dateline|info|details|credit|bio",
    "caption": r"caption|figure|gallery|image|photo|media|video|player|thumb|lightbox",
    "body": (
        r"article-?(?:body|content|text)|entry-?content|post-?(?:body|content|text)|story-?body|body-?copy|"
        r"content-?body|main-?content|page-?content|articlebody|richtext|rich-text|rte|wysiwyg|markdown|prose|"
        r"blog-?(?:content|body|post)|single-?(?:content|post)|mw-content|td-post-content"
    ),
    "content": r"article|content|entry|hentry|main|page|post|text|blog|story|body|column|description|summary|detail",
    "hidden": (
        r"sr-only|screen-reader|visually-?hidden|visuallyhidden|hide(?:$|[\s_-])|hidden|d-none|noprint|no-print|"
        r"print-only|invisible|assistive|a11y"
    ),
    "product": r"product|price|cart|sku|spec|review|rating|buy|shop|shipping|stock",
    "forum": (
        r"thread|topic|message|post-?(?:text|message|wrapper)|forum|answer|question|reply|bbs|signature|avatar|"
        r"username|profile"
    ),
    "card": r"card|tile|grid|item|listing|result|feed|stream|cell|list",
    "lead": r"lead|intro|standfirst|dek|subtitle|subhead|summary|excerpt|abstract|headline|title|kicker",
    "edit": r"edit(?:-|section)|anchor|permalink|copy|print|download|button|btn|icon|expand|toggle|more-?link",
}
"""Patterns of class names and ids by hint, in the syntax of RE2. `footnote` does not match `foot`."""

HINTS = tuple(PATTERNS)

_CONSENT_PROMPT = re.compile(
    r"cookie[-_]?(?:consent|banner|notice|bar|law|popup|message|overlay|modal)|consent[-_]?(?:banner|bar|modal|popup)|gdpr|onetrust"
)


@lru_cache(maxsize=20_000)
def hint_bits(names: str) -> int:
    """Return the hints in class names and ids, with one bit for each hint in the order of `HINTS`."""
    bits = 0
    for name in names.lower().split():  # no pattern matches more than one name
        bits |= _hints_of_name(name)
    return bits


@lru_cache(maxsize=20_000)
def _hints_of_name(name: str) -> int:
    return sum(1 << index for index in _matcher().Match(name) or ())


@cache
def _matcher() -> Any:
    """Return all patterns as a set, which RE2 searches in one pass: a quarter of the time of one search for each."""
    import re2

    matcher = re2.Set.SearchSet()
    for pattern in PATTERNS.values():
        matcher.Add(pattern)
    matcher.Compile()
    return matcher


@lru_cache(maxsize=20_000)
def is_consent_prompt(names: str) -> bool:
    """Return whether class names and ids are those of a cookie consent prompt."""
    return _CONSENT_PROMPT.search(names.lower()) is not None


SECTIONS = split_words("article main nav aside footer header form table list figure blockquote section details button")
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
    first_block: int
    """Index of the first block in the element."""
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
    """Segment a body without hidden and ignored elements into text blocks."""
    root = Region(body, None, "body", 0, 0, 0, 0, "body", 0, 0)
    page = SegmentedPage(regions=[root])
    _segment(root, page, block_ancestors)
    for index, block in enumerate(page.blocks):
        block.index = index
        _measure(block)
    for region in reversed(page.regions):  # the innermost regions first
        if (parent := region.parent) is not None:
            parent.chars += region.chars
            parent.link_chars += region.link_chars
            parent.commas += region.commas
            parent.blocks += region.blocks
            parent.paragraphs += region.paragraphs
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
            nested_region = _child_region(region, child, tag, page)
            page.regions.append(nested_region)
            _segment(nested_region, page, block_ancestors)


def _add_inline(element: HtmlElement, inline: _InlineText, *, is_link: bool, is_bold: bool) -> None:
    if element.tag == "br":
        inline.pieces.append(" ")
    inline.links += element.tag == "a"
    own = [element.text or ""]
    inline.pieces += own
    for child in element:
        tag = tag_name(child)
        if tag and tag not in IGNORED_ELEMENTS:
            _add_inline(child, inline, is_link=is_link or tag == "a", is_bold=is_bold or tag in _BOLD_ELEMENTS)
        if tail := child.tail:
            inline.pieces.append(tail)
            own.append(tail)
    if is_link or is_bold:
        length = sum(map(len, own))
        inline.link_chars += length * is_link
        inline.bold_chars += length * is_bold


def _child_region(region: Region, element: HtmlElement, tag: str, page: SegmentedPage) -> Region:
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
        len(page.regions),
        len(page.blocks),
        is_consent_prompt=region.is_consent_prompt or (own_hints > 0 and is_consent_prompt(names)),
    )


def _measure(block: TextBlock) -> None:
    """Set the totals of a block's own region, and add shares of the block's score to the regions around it."""
    region = block.region
    region.chars, region.link_chars, region.blocks = len(block.text), block.link_chars, 1
    region.commas = block.text.count(",") + block.text.count("，") + block.text.count("、")
    is_paragraph = region.tag in ("p", "blockquote", "pre") or (
        region.chars > MIN_PARAGRAPH_CHARACTERS and block.link_chars < region.chars / 3
    )
    region.paragraphs = int(is_paragraph)
    if is_paragraph and region.chars >= MIN_SCORED_CHARACTERS:
        score = 1 + region.commas + min(region.chars / 100, 3)
        level, parent = 0, region.parent
        while parent is not None:
            parent.score += score / (1 if level == 0 else 2 if level == 1 else 3 * level)
            level, parent = level + 1, parent.parent


MIN_REPEATED_CHARACTERS = 100
"""Shorter elements, such as buttons and labels, may have the same text for a reason."""

_KEPT_ELEMENTS = frozenset(("td", "th", "dt", "dd", "pre"))
"""Data and code may be repeated."""


def without_copies(page: SegmentedPage, is_kept: Sequence[bool]) -> list[bool]:
    """Remove the blocks of elements whose text is that of an earlier element, if the earlier blocks are kept.

    Only elements with a class name in them are removed: templates create copies, and writers repeat plain paragraphs.
    """
    result = list(is_kept)
    removed: set[int] = set()
    for first, copy in _copies(page):
        if copy.start not in removed and not any(page.blocks[index].region.tag in _KEPT_ELEMENTS for index in copy):
            removed.update(copy)
            for original, index in zip(first, copy, strict=True):
                result[index] = result[index] and not result[original]
    return result


def _copies(page: SegmentedPage) -> Iterator[tuple[range, range]]:
    """Yield the blocks of each element and of a later one with the same tag and text, the longest elements first."""
    alike: dict[tuple[int, int, str], list[Region]] = {}
    for region in page.regions:
        if region.chars >= MIN_REPEATED_CHARACTERS:
            alike.setdefault((region.chars, region.blocks, region.tag), []).append(region)
    for key in sorted((key for key, found in alike.items() if len(found) > 1), reverse=True):
        originals: dict[tuple[str, ...], range] = {}
        for region in alike[key]:
            blocks = range(region.first_block, region.first_block + region.blocks)
            original = originals.setdefault(tuple(page.blocks[index].text for index in blocks), blocks)
            if original.stop <= blocks.start and _has_class(page, region, blocks):
                yield original, blocks


def _has_class(page: SegmentedPage, top: Region, blocks: range) -> bool:
    """Return whether an element, or an element between it and its blocks, has a class name."""
    for index in blocks:
        region: Region | None = page.blocks[index].region
        while region is not None:
            if region.element.get("class"):
                return True
            region = None if region is top else region.parent
    return False
