"""A page as a sequence of units: the stretches of text that a block element holds directly, and where they stand."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import BLOCKS, SILENT, name

HINTS: dict[str, str] = {
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
    "foot": r"foot(?!note)|bottom|copyright|legal|disclaimer|colophon",
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
"""Words of class names and ids, by what they hint at."""

_CONSENT = re.compile(
    r"cookie[-_]?(?:consent|banner|notice|bar|law|popup|message|overlay|modal)|consent[-_]?(?:banner|bar|modal|popup)|gdpr|onetrust"
)
"""Names of what asks to accept cookies."""

NAMES = tuple(HINTS)
_PATTERNS = tuple(re.compile(pattern) for pattern in HINTS.values())

PLACES = (
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
_PLACE_OF = {
    "ul": "list",
    "ol": "list",
    "dl": "list",
    "menu": "list",
    "hgroup": "header",
    **{place: place for place in PLACES},
}
_ROLES = {
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
_BOLD = ("b", "strong")
_SPACES = re.compile(r"\s+")


@lru_cache(maxsize=20_000)
def hints(names: str) -> int:
    """Give the hints in class names and ids, a bit each in the order of `NAMES`."""
    lower = names.lower()
    return sum(1 << index for index, pattern in enumerate(_PATTERNS) if pattern.search(lower))


@dataclass(slots=True, eq=False)
class Region:
    """An element that holds units, with what all of them come to."""

    element: HtmlElement
    parent: "Region | None"
    tag: str
    own: int
    """Hints in its own names."""
    above: int
    """Hints in its names and those around it."""
    places: int
    depth: int
    key: str
    """Its names, to find others like it."""
    chars: int = 0
    link_chars: int = 0
    commas: int = 0
    units: int = 0
    paragraphs: int = 0
    score: float = 0.0
    asks_consent: bool = False
    """Whether it, or what it stands in, asks to accept cookies."""


@dataclass(slots=True, eq=False)
class Unit:
    """One stretch of text."""

    region: Region
    text: str
    link_chars: int
    links: int
    bold_chars: int = 0
    order: int = 0


@dataclass(slots=True)
class Page:
    """A page's units in reading order."""

    units: list[Unit] = field(default_factory=list)
    root: Region | None = None


@dataclass(slots=True)
class _Run:
    pieces: list[str] = field(default_factory=list)
    link: int = 0
    links: int = 0
    bold: int = 0


def units_of(body: HtmlElement, containers: set[HtmlElement]) -> Page:
    """Part a page into units; hidden and silent elements must be gone."""
    page = Page()
    page.root = Region(body, None, "body", 0, 0, 0, 0, "body")
    _walk(page.root, page, containers)
    for order, unit in enumerate(page.units):
        unit.order = order
        _count(unit)
    return page


def _walk(region: Region, page: Page, containers: set[HtmlElement]) -> None:
    place = len(page.units)
    run = _Run([region.element.text or ""])
    inner: list[HtmlElement] = []
    for child in region.element:
        tag = name(child)
        if tag in BLOCKS or child in containers:
            inner.append(child)
        elif tag and tag not in SILENT:
            _read(child, run, linked=tag == "a", bold=tag in _BOLD)
        run.pieces.append(child.tail or "")
    if text := _SPACES.sub(" ", "".join(run.pieces)).strip():
        page.units.insert(place, Unit(region, text, min(run.link, len(text)), run.links, min(run.bold, len(text))))
    for child in inner:
        if name(child) not in SILENT:
            _walk(_below(region, child), page, containers)


def _read(element: HtmlElement, run: _Run, *, linked: bool, bold: bool) -> None:
    run.pieces.append(" " if element.tag == "br" else "")
    run.links += element.tag == "a"
    _add(element.text, run, linked=linked, bold=bold)
    for child in element:
        tag = name(child)
        if tag and tag not in SILENT:
            _read(child, run, linked=linked or tag == "a", bold=bold or tag in _BOLD)
        _add(child.tail, run, linked=linked, bold=bold)


def _add(text: str | None, run: _Run, *, linked: bool, bold: bool) -> None:
    if text:
        run.pieces.append(text)
        run.link += len(text) * linked
        run.bold += len(text) * bold


def _below(region: Region, element: HtmlElement) -> Region:
    tag = name(element)
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    own = hints(names) if len(names) > 1 else 0
    places = region.places
    if place := _ROLES.get(element.get("role") or "") or _PLACE_OF.get(tag):
        places |= 1 << PLACES.index(place)
    return Region(
        element,
        region,
        tag,
        own,
        region.above | own,
        places,
        region.depth + 1,
        f"{region.tag}>{tag}.{element.get('class') or ''}"[:200],
        asks_consent=region.asks_consent or (own > 0 and _CONSENT.search(names.lower()) is not None),
    )


def _count(unit: Unit) -> None:
    region: Region | None = unit.region
    chars, commas = len(unit.text), unit.text.count(",") + unit.text.count("，") + unit.text.count("、")
    is_paragraph = unit.region.tag in ("p", "blockquote", "pre") or (chars > 120 and unit.link_chars < chars / 3)
    score = 1 + commas + min(chars / 100, 3) if chars >= 25 and is_paragraph else 0.0
    level = 0
    while region is not None:
        region.chars += chars
        region.link_chars += unit.link_chars
        region.commas += commas
        region.units += 1
        region.paragraphs += is_paragraph
        if level:
            region.score += score / (1 if level == 1 else 2 if level == 2 else 3 * (level - 1))
        region = region.parent
        level += 1
