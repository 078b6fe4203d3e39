"""The patterns, element lists and rules of Readability."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mediakit.engines.markdown.html.elements import word_set

# The patterns of names match names in lower case: a case-insensitive search takes five times as long.
_UNLIKELY_CANDIDATES = re.compile(
    r"-ad-|ai2html|banner|breadcrumbs|combx|comment|community|cover-wrap|disqus|extra|footer|gdpr|header|legends|menu|"
    r"related|remark|replies|rss|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|ad-break|agegate|pagination|"
    r"pager|popup|yom-remote"
)
_MAYBE_CANDIDATES = re.compile(r"and|article|body|column|content|main|mathjax|shadow")
_POSITIVE_NAMES = re.compile(r"article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story")
_NEGATIVE_NAMES = re.compile(
    r"-ad-|hidden|^hid$| hid$| hid |^hid |banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|"
    r"promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget"
)
_BYLINE_NAMES = re.compile(r"byline|author|dateline|writtenby|p-author")
_SHARE_NAMES = re.compile(r"(\b|_)(share|sharedaddy)(\b|_)")
COMMAS = re.compile(r"[,،﹐︐︑⹁⸴⸲，]")
AD_LABELS = re.compile(r"^(ad(vertising|vertisement)?|pub(licité)?|werb(ung)?|广告|реклама|anuncio)$", re.IGNORECASE)
LOADING_LABELS = re.compile(r"^((loading|正在加载|загрузка|chargement|cargando)(…|\.\.\.)?)$", re.IGNORECASE)
SENTENCE_END = re.compile(r"\.( |$)")

UNLIKELY_ROLES = frozenset(("menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"))
SCORED_ELEMENTS = word_set("section h2 h3 h4 h5 h6 p td pre")
BLOCK_ELEMENTS = ("blockquote", "dl", "div", "img", "ol", "p", "pre", "table", "ul")
TEXT_ELEMENTS = ("span", "li", "td", *BLOCK_ELEMENTS)
PHRASING_ELEMENTS = word_set(
    "abbr audio b bdo br button cite code data datalist dfn em embed i img input kbd label mark math meter "
    "noscript object "
    "output progress q ruby samp script select small span strong sub sup textarea time var wbr font svg"
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
INITIAL_SCORES = {
    "div": 5,
    "pre": 3,
    "td": 3,
    "blockquote": 3,
    **dict.fromkeys(word_set("address ol ul dl dd dt li form"), -3),
    **dict.fromkeys((*HEADINGS, "th"), -5),
}
"""Score of a candidate by tag, before its text is scored."""


NAME_WEIGHT = 25
"""Weight of a positive or negative class name or id."""


@lru_cache(maxsize=10_000)
def is_unlikely_candidate(names: str) -> bool:
    """Return whether class names and ids are those of an element without main content."""
    names = names.lower()
    return _UNLIKELY_CANDIDATES.search(names) is not None and _MAYBE_CANDIDATES.search(names) is None


@lru_cache(maxsize=10_000)
def name_weight(names: str) -> int:
    """Return the weight of class names or of an id: positive for content, negative for other elements."""
    names = names.lower()
    is_positive, is_negative = _POSITIVE_NAMES.search(names) is not None, _NEGATIVE_NAMES.search(names) is not None
    return NAME_WEIGHT * is_positive - NAME_WEIGHT * is_negative


@lru_cache(maxsize=10_000)
def is_byline_name(names: str) -> bool:
    """Return whether class names and ids are those of a byline."""
    return _BYLINE_NAMES.search(names.lower()) is not None


@lru_cache(maxsize=10_000)
def is_share_element(names: str) -> bool:
    """Return whether class names and ids are those of share buttons."""
    return _SHARE_NAMES.search(names.lower()) is not None


@dataclass(frozen=True)
class Rules:
    """The rules of one attempt."""

    remove_unlikely: bool = True
    """Remove unlikely candidates before the scoring."""
    use_weights: bool = True
    """Use the weights of class names and ids."""
    remove_clutter: bool = True
    """Remove lists, tables and forms that look like clutter from the article."""

    def weight(self, attributes: Mapping[str, str]) -> int:
        """Return the weight of an element's class names and id."""
        if not self.use_weights:
            return 0
        return sum(name_weight(names) for names in (attributes.get("class"), attributes.get("id")) if names)


UNLIKELY_KEPT = Rules(remove_unlikely=False)

ATTEMPTS = (
    Rules(),
    UNLIKELY_KEPT,
    Rules(remove_unlikely=False, use_weights=False),
    Rules(remove_unlikely=False, use_weights=False, remove_clutter=False),
)
