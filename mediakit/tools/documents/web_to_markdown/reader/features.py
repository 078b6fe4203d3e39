"""What is known of each unit of a page, as numbers: its words, its place, its neighbours, and the page around it."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate

from mediakit.tools.documents.web_to_markdown.markdown.elements import named
from mediakit.tools.documents.web_to_markdown.reader.units import NAMES, PLACES, Page, Region, Unit

TAGS = (
    "p",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "td",
    "th",
    "div",
    "blockquote",
    "pre",
    "dt",
    "dd",
    "figcaption",
    "a",
    "span",
    "section",
    "label",
    "body",
)
_TAG_NUMBER = {tag: number for number, tag in enumerate(TAGS)}
_HEADING = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

_CHROME = re.compile(
    r"cookie|privacy policy|terms of|all rights reserved|©|copyright|subscribe|sign up|sign in|log ?in|"
    r"newsletter|share (?:this|on)|follow us|read more|"
    r"related|comments?\b|advertis|skip to|back to top|add to cart|impressum|datenschutz|teilen|kommentar|mehr "
    r"zum thema|weiterlesen|anmelden|"
    r"click here|download|contact us|leave a|reply|tags?:|posted (?:in|by|on)|filed under|view all|see (?:all|"
    r"more)|load more|loading"
)
"""For text in lower case: looking for many words at once takes nine times as long where case does not count."""

_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
    r"dec)[a-z]*\.? \d"
)
_BYLINE = re.compile(r"^(?:by|von|par|por|di|written by|author|posted by|photo|credit|source|image)\b")
_END = tuple('.!?。！？…:;"”»)')
_WORD = re.compile(r"\w+")

_COMMON = frozenset(
    named(
        "the of and to a in is that for it as was with be by on are this from or an at which you i we he she they not "
        "have had has but his her its their our your my me us them will would can could were been there der die das "
        "und ist nicht ein eine zu den von mit auf für im sich des dem es auch wie bei hat le la les et est un une du "
        "en que pour dans qui sur pas plus de por los el se con para del lo una su"
    )
)
"""Words that sentences are made of, and lists of names are not."""

_TRADES = (
    frozenset(named("cart basket bag buy sale save stock sold shipping delivery returns warranty wishlist qty review")),
    frozenset(named("posts joined member replies reply quote wrote votes answered asked badges registered likes said")),
    frozenset(named("ago yesterday today january february march april june july august october november december")),
)
"""Words of shops, of forums and of streams of news: how many units of a page have them tells what it is."""

LONG = 2_000
"""Characters of a unit whose words are counted; those of longer ones are guessed."""

FEW = 30
"""Words of a unit that is a label rather than a text, and characters in which a price stands."""

_CURRENCIES = ("$", "€", "£", "¥", "₹")


def features(page: Page, document: Sequence[float] = (), title: str | None = None) -> list[list[float]]:
    """Give the numbers of each unit; `NAMES_OF` says what they are."""
    units = page.units
    if not units or page.root is None:
        return []
    words = [_WORD.findall(unit.text[:LONG].lower()) for unit in units]
    own = [_own(unit, some) for unit, some in zip(units, words, strict=True)]
    told = _told(units, words, title)
    total = max(1, page.root.chars)
    top = _top(units)
    chain = _chain(top)
    signatures = Counter(unit.region.key for unit in units)
    repeated_chars: Counter[str] = Counter()
    repeated_links: Counter[str] = Counter()
    texts = Counter(unit.text for unit in units)
    for unit in units:
        repeated_chars[unit.region.key] += len(unit.text)
        repeated_links[unit.region.key] += unit.link_chars
    first_heading = next((unit.order for unit in units if unit.region.tag == "h1"), -1)
    last_paragraph = max((unit.order for unit in units if is_prose(unit)), default=-1)
    first_paragraph = next((unit.order for unit in units if is_prose(unit)), -1)
    page_numbers = [*_page(units, top, total), *_trades(units, words), *document]
    plain = [0, *accumulate(len(unit.text) - unit.link_chars for unit in units)]
    before = 0
    rows = []
    prose_chars = [len(unit.text) if is_prose(unit) else 0 for unit in units]
    prose_total = max(1, sum(prose_chars))
    prose_before = 0
    sizes: dict[int, list[float]] = {}
    known: dict[int, list[float]] = {}

    def _region_numbers(region: Region) -> list[float]:
        if id(region) not in known:
            known[id(region)] = _places(region) + _around(region, top, chain, total, sizes)
        return known[id(region)]

    for index, unit in enumerate(units):
        key = unit.region.key
        row = own[index] + _region_numbers(unit.region)
        row += [
            before / total,
            index / len(units),
            prose_before / prose_total,
            index - first_heading if first_heading >= 0 else -999,
            index - first_paragraph if first_paragraph >= 0 else -999,
            last_paragraph - index,
            signatures[key],
            signatures[key] / len(units),
            repeated_chars[key] / signatures[key],
            repeated_chars[key] / total,
            repeated_links[key] / max(1, repeated_chars[key]),
            texts[unit.text],
        ]
        for distance in (-3, -2, -1, 1, 2, 3):
            near = index + distance
            row += own[near][:4] if 0 <= near < len(units) else [-1.0, -1.0, -1.0, -1.0]
        row += [_mean(plain, index - 8, index), _mean(plain, index + 1, index + 9)]
        row += _heading_above(units, index)
        row += told[index]
        row += page_numbers
        rows.append(row)
        before += len(unit.text)
        prose_before += prose_chars[index]
    return rows


def _own(unit: Unit, some: list[str]) -> list[float]:
    text = unit.text
    length = len(text)
    words = len(some) if length < LONG else length / 6
    lower = text[:300].lower()
    letters = sum(map(str.isalpha, text[:400])) or 1
    return [
        math.log1p(length),
        unit.link_chars / length,
        float(_TAG_NUMBER.get(unit.region.tag, len(TAGS))),
        float(text.endswith(_END)),
        words,
        length / (words or 1),
        float(unit.links),
        unit.bold_chars / length,
        float(text.count(",") + text.count(".") + text.count("、") + text.count("。")) / (words or 1),
        sum(map(str.isupper, text[:400])) / letters,
        sum(map(str.isdigit, text[:400])) / min(length, 400),
        float(len(_CHROME.findall(lower))),
        float(_DATE.search(lower, 0, 200) is not None),
        float(_BYLINE.match(lower) is not None),
        float("|" in text or "»" in text or "›" in text or "·" in text),
        float("?" in text),
        float(text[:1].isupper()),
        float(text[:1].isalnum()),
    ]


OWN = (
    "log_chars",
    "link_density",
    "tag",
    "ends",
    "words",
    "word_length",
    "links",
    "bold",
    "punctuation",
    "upper",
    "digits",
    "chrome",
    "date",
    "byline",
    "separators",
    "question",
    "capital",
    "alnum",
)


def _told(units: list[Unit], words: list[list[str]], title: str | None) -> list[list[float]]:
    """Give how far a unit's words are the title's or a sentence's, and where it stands among others of its kind.

    Kinds are ranked by how much text they hold that is no link: the first is what the page is made of.
    """
    wanted = set(_WORD.findall((title or "").lower()))
    held: Counter[str] = Counter()
    for unit in units:
        held[unit.region.key] += len(unit.text) - unit.link_chars
    ranks = {key: float(rank) for rank, (key, _) in enumerate(held.most_common())}
    seen: Counter[str] = Counter()
    rows = []
    for unit, some in zip(units, words, strict=True):
        key = unit.region.key
        different = set(some)
        shared = len(wanted & different)
        rows.append(
            [
                shared / (len(wanted) or 1),
                shared / (len(different) or 1),
                len(_COMMON & different) / (len(different) or 1),
                ranks[key],
                float(seen[key]),
            ]
        )
        seen[key] += 1
    return rows


def _trades(units: list[Unit], words: list[list[str]]) -> list[float]:
    """Give the share of a page's units that speak as shops, forums and streams of news do, and that name a price."""
    short = [some for some in words if len(some) < FEW]
    return [
        *(sum(not trade.isdisjoint(some) for some in short) / len(units) for trade in _TRADES),
        sum(any(sign in unit.text[:FEW] for sign in _CURRENCIES) for unit in units) / len(units),
    ]


def _places(region: Region) -> list[float]:
    parent = region.parent or region
    near = region.own | parent.own
    nearer = near | (parent.parent or parent).own
    return [
        *_hinted(region.own, near, nearer, region.above, region.places),
        float(region.depth),
        float(region.own.bit_count()),
    ]


@lru_cache(maxsize=5_000)
def _hinted(own: int, near: int, nearer: int, above: int, places: int) -> tuple[float, ...]:
    """Spell out where a region stands, and how near each hint is."""
    return (
        *(float(places >> index & 1) for index in range(len(PLACES))),
        *(
            (3.0 if own >> bit & 1 else 2.5 if near >> bit & 1 else 2.0 if nearer >> bit & 1 else 1.0)
            if above >> bit & 1
            else 0.0
            for bit in range(len(NAMES))
        ),
    )


def _around(
    region: Region, top: Region, chain: dict[int, int], total: int, sizes: dict[int, list[float]]
) -> list[float]:
    numbers: list[float] = []
    at: Region | None = region
    for _ in range(4):
        at = at.parent if at else None
        if at is None:
            numbers += _NOWHERE
        else:
            if id(at) not in sizes:
                sizes[id(at)] = _size(at, total)
            numbers += sizes[id(at)]
    distance, level = 0, -1
    at = region
    while at is not None:
        if id(at) in chain:
            level = chain[id(at)]
            break
        distance += 1
        at = at.parent
    return [*numbers, float(distance), float(level), top.chars / total]


_NOWHERE = [-1.0] * 5


def _size(region: Region, total: int) -> list[float]:
    chars = region.chars or 1
    return [
        math.log1p(region.chars),
        region.chars / total,
        region.link_chars / chars,
        region.paragraphs / (region.units or 1),
        region.commas / chars * 100,
    ]


def _page(units: list[Unit], top: Region, total: int) -> list[float]:
    prose = [unit for unit in units if is_prose(unit)]
    prose_chars = sum(len(unit.text) for unit in prose)
    link_chars = sum(unit.link_chars for unit in units)
    tags = Counter(unit.region.tag for unit in units)
    places = [
        sum(len(unit.text) for unit in units if unit.region.places >> PLACES.index(place) & 1) / total
        for place in ("article", "main", "list", "table", "nav")
    ]
    return [
        math.log1p(total),
        math.log1p(len(units)),
        link_chars / total,
        prose_chars / total,
        float(len(prose)),
        prose_chars / max(1, len(prose)),
        tags["li"] / len(units),
        tags["td"] / len(units),
        sum(tags[tag] for tag in _HEADING) / len(units),
        float(tags["h1"]),
        top.chars / total,
        top.link_chars / max(1, top.chars),
        *places,
    ]


def _top(units: list[Unit]) -> Region:
    """Find the region that a reader view would take: the best score, less what of it is links."""
    best: Region = units[0].region
    best_score = -1.0
    seen: set[int] = set()
    for unit in units:
        at: Region | None = unit.region
        while at is not None and id(at) not in seen:
            seen.add(id(at))
            score = at.score * (1 - at.link_chars / max(1, at.chars))
            if score > best_score and at.tag not in ("body", "html"):
                best, best_score = at, score
            at = at.parent
    return best


def _chain(top: Region) -> dict[int, int]:
    """Give the regions around the top one, with how far out each is."""
    chain: dict[int, int] = {}
    at: Region | None = top
    while at is not None:
        chain[id(at)] = len(chain)
        at = at.parent
    return chain


def is_prose(unit: Unit) -> bool:
    """Tell whether a unit is a sentence or more, and no list of links."""
    return len(unit.text) > 80 and unit.link_chars < 0.3 * len(unit.text) and unit.text.rstrip().endswith(_END)


def _mean(sums: Sequence[int], start: int, end: int) -> float:
    """Give the mean of a stretch of numbers whose sums up to each place are known."""
    start, end = max(0, start), min(end, len(sums) - 1)
    return (sums[end] - sums[start]) / (end - start) if end > start else 0.0


def _heading_above(units: list[Unit], index: int) -> list[float]:
    """Give how far above the nearest heading is, its level, and whether it names chrome."""
    for distance in range(1, 25):
        if index - distance < 0:
            break
        unit = units[index - distance]
        if unit.region.tag in _HEADING:
            return [
                float(distance),
                float(unit.region.tag[1]),
                float(_CHROME.search(unit.text[:120].lower()) is not None),
            ]
    return [99.0, 0.0, 0.0]


NAMES_OF: Callable[[], list[str]] = lambda: (  # noqa: E731
    [*OWN, *(f"in_{place}" for place in PLACES), *(f"hint_{hint}" for hint in NAMES), "depth", "own_hints"]
    + [f"up{level}_{what}" for level in range(1, 5) for what in ("log_chars", "share", "links", "paragraphs", "commas")]
    + ["top_distance", "top_level", "top_share"]
    + [
        "chars_before",
        "position",
        "prose_before",
        "from_h1",
        "from_first_prose",
        "to_last_prose",
        "like",
        "like_share",
        "like_chars",
        "like_page",
        "like_links",
        "same_text",
    ]
    + [f"at{distance:+}_{what}" for distance in (-3, -2, -1, 1, 2, 3) for what in ("chars", "links", "tag", "ends")]
    + ["before_mean", "after_mean", "heading_distance", "heading_level", "heading_chrome"]
    + ["title_told", "title_share", "common_words", "kind_rank", "kind_place"]
    + [
        "page_chars",
        "page_units",
        "page_links",
        "page_prose",
        "page_prose_units",
        "page_prose_mean",
        "page_li",
        "page_td",
        "page_headings",
        "page_h1",
        "page_top",
        "page_top_links",
    ]
    + [f"page_{place}" for place in ("article", "main", "list", "table", "nav")]
    + ["page_shop", "page_forum", "page_news", "page_prices"]
)
