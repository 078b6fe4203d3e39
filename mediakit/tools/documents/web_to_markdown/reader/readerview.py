"""What a browser's reader view would show: the algorithm of Mozilla's Readability, on an lxml tree.

It is one opinion among those that `judge` weighs. The numbers and word lists are Readability's own, so that it sees
what readers of Firefox see.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import name, words

ENOUGH = 500
"""Characters below which an attempt is repeated with milder rules."""

CANDIDATES = 5

_UNLIKELY = re.compile(
    r"-ad-|ai2html|banner|breadcrumbs|combx|comment|community|cover-wrap|disqus|extra|footer|gdpr|header|legends|menu|"
    r"related|remark|replies|rss|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|ad-break|agegate|pagination|"
    r"pager|popup|yom-remote",
    re.IGNORECASE,
)
_MAYBE = re.compile(r"and|article|body|column|content|main|mathjax|shadow", re.IGNORECASE)
_POSITIVE = re.compile(
    r"article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story", re.IGNORECASE
)
_NEGATIVE = re.compile(
    r"-ad-|hidden|^hid$| hid$| hid |^hid |banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|"
    r"promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"byline|author|dateline|writtenby|p-author", re.IGNORECASE)
_SHARE = re.compile(r"(\b|_)(share|sharedaddy)(\b|_)", re.IGNORECASE)
_VIDEOS = re.compile(
    r"//(www\.)?((dailymotion|youtube|youtube-nocookie|player\.vimeo|v\.qq|bilibili|live\.bilibili)\.com|(archive|upload\.wikimedia)\.org|player\.twitch\.tv)",
    re.IGNORECASE,
)
_COMMAS = re.compile(r"[,،﹐︐︑⹁⸴⸲，]")
_AD_WORDS = re.compile(r"^(ad(vertising|vertisement)?|pub(licité)?|werb(ung)?|广告|реклама|anuncio)$", re.IGNORECASE)
_LOADING = re.compile(r"^((loading|正在加载|загрузка|chargement|cargando)(…|\.\.\.)?)$", re.IGNORECASE)
_string = etree.XPath("string()")
_SENTENCE = re.compile(r"\.( |$)")

_ROLES = frozenset(("menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"))
_SCORED = words("section h2 h3 h4 h5 h6 p td pre")
_PARAGRAPH_BREAKERS = ("blockquote", "dl", "div", "img", "ol", "p", "pre", "table", "ul")
_TEXTISH = ("span", "li", "td", *_PARAGRAPH_BREAKERS)
_PHRASING = words(
    "abbr audio b bdo br button cite code data datalist dfn em embed i img input kbd label mark math meter "
    "noscript object "
    "output progress q ruby samp script select small span strong sub sup textarea time var wbr font svg"
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BASE = {
    "div": 5,
    "pre": 3,
    "td": 3,
    "blockquote": 3,
    **dict.fromkeys(words("address ol ul dl dd dt li form"), -3),
    **dict.fromkeys((*_HEADINGS, "th"), -5),
}
"""What an element is worth before its text is looked at."""


@dataclass(frozen=True)
class _Rules:
    unlikely: bool = True
    weights: bool = True
    conditional: bool = True


_ATTEMPTS = (
    _Rules(),
    _Rules(unlikely=False),
    _Rules(unlikely=False, weights=False),
    _Rules(unlikely=False, weights=False, conditional=False),
)


def marks_of(tree: HtmlElement, mark: str, *, title: str | None, byline: bool) -> set[str]:
    """Give the values of an attribute that the elements of the reader view have.

    Args:
        tree: The page's `body`; it stays as it is.
        mark: Name of the attribute.
        title: The page's title; a heading that repeats it is left out.
        byline: Whether the byline is known already, so that none is taken out of the text.
    """
    best: tuple[int, set[str]] = (-1, set())
    for rules in _ATTEMPTS:
        article = _View(_copied(tree), mark, rules, title or "", byline).article()
        length = len(_text(article))
        if length >= ENOUGH:
            return _marks(article, mark)
        if length > best[0]:
            best = (length, _marks(article, mark))
    return best[1] if best[0] > 0 else set()


def _marks(article: HtmlElement, mark: str) -> set[str]:
    return {element.get(mark) or "" for element in article.iter() if element.get(mark)}


def _copied(tree: HtmlElement) -> HtmlElement:
    import copy

    body = copy.deepcopy(tree)
    body.tail = None
    root: HtmlElement = body.makeelement("html")
    root.append(body)
    return root


class _View:
    """One attempt."""

    def __init__(self, root: HtmlElement, mark: str, rules: _Rules, title: str, byline: bool) -> None:  # noqa: FBT001
        self.root = root
        self.body = root[0]
        self.alive = list(root.iter())  # lxml makes an element's object anew each time that nobody holds it
        self.mark = mark
        self.rules = rules
        self.title = title
        self.byline_found = byline
        self.title_heading_found = False
        self.scores: dict[HtmlElement, float] = {}

    def article(self) -> HtmlElement:
        _part_at_breaks(self.body)
        top = self._top(self._ranked(self._scored_elements()))
        article = self._with_siblings(top)
        self._prepare(article)
        return article

    # What is scored

    def _scored_elements(self) -> list[HtmlElement]:
        found: list[HtmlElement] = []
        node: HtmlElement | None = self.body
        while node is not None:
            if self._goes(node):
                node = _removed(node)
                continue
            if node.tag in _SCORED:
                found.append(node)
            if node.tag == "div":
                node = self._as_paragraphs(node, found)
            node = _next(node)
        return found

    def _goes(self, node: HtmlElement) -> bool:
        """Tell whether a node is left out before anything is scored."""
        if node is self.body:
            return False
        names = f"{node.get('class') or ''} {node.get('id') or ''}"
        return (
            (node.get("aria-hidden") == "true" and "fallback-image" not in names)
            or (node.get("aria-modal") == "true" and node.get("role") == "dialog")
            or self._is_byline(node, names)
            or self._repeats_title(node)
            or (self.rules.unlikely and (self._is_unlikely(node, names) or node.get("role") in _ROLES))
            or (node.tag in ("div", "section", "header", *_HEADINGS) and _is_empty(node))
        )

    def _is_unlikely(self, node: HtmlElement, names: str) -> bool:
        if len(names) == 1 or node.tag == "a" or not _name_is_unlikely(names):
            return False
        return not _inside(node, "table") and not _inside(node, "code")

    def _is_byline(self, node: HtmlElement, names: str) -> bool:
        if self.byline_found:
            return False
        if (
            node.get("rel") == "author"
            or "author" in (node.get("itemprop") or "")
            or (len(names) > 1 and _BYLINE.search(names))
        ):
            length = len(_text(node))
            self.byline_found = 0 < length < 100
        return self.byline_found

    def _repeats_title(self, node: HtmlElement) -> bool:
        if self.title_heading_found or not self.title or node.tag not in ("h1", "h2"):
            return False
        self.title_heading_found = _similar(self.title, _text(node)) > 0.75
        return self.title_heading_found

    def _as_paragraphs(self, node: HtmlElement, found: list[HtmlElement]) -> HtmlElement:
        _wrap_phrases(node)
        if len(node) == 1 and node[0].tag == "p" and not _blank_texts(node) and _link_density(node) < 0.25:
            only = node[0]
            parent = node.getparent()
            if parent is not None:
                only.tail = node.tail
                parent.replace(node, only)
                if only.get(self.mark) is None and node.get(self.mark) is not None:
                    only.set(self.mark, node.get(self.mark) or "")
                found.append(only)
                return only
        elif not _has_block(node):
            node.tag = "p"
            found.append(node)
        return node

    # The best candidate

    def _ranked(self, elements: list[HtmlElement]) -> list[HtmlElement]:
        for element in elements:
            text = _text(element)
            if element.getparent() is None or len(text) < 25:
                continue
            score = 1.0 + len(_COMMAS.split(text)) + min(len(text) // 100, 3)
            for level, ancestor in enumerate(_ancestors(element, 5)):
                if ancestor not in self.scores:
                    self.scores[ancestor] = _BASE.get(name(ancestor), 0) + self._weight(ancestor)
                self.scores[ancestor] += score / (1 if level == 0 else 2 if level == 1 else level * 3)
        lengths = _lengths(self.body)
        for element, score in self.scores.items():
            chars, linked = lengths.get(element, (0, 0))
            self.scores[element] = score * (1 - linked / chars) if chars else score
        return sorted(self.scores, key=lambda element: -self.scores[element])[:CANDIDATES]

    def _weight(self, element: HtmlElement) -> int:
        if not self.rules.weights:
            return 0
        weight = 0
        for names in (element.get("class"), element.get("id")):
            if names:
                weight += _name_weight(names)
        return weight

    def _top(self, ranked: list[HtmlElement]) -> HtmlElement:
        if not ranked or ranked[0] is self.body or ranked[0].tag == "html":
            wrapper: HtmlElement = self.body.makeelement("div")
            wrapper.text = self.body.text
            wrapper.extend(list(self.body))
            self.body.text = None
            for attribute, value in self.body.attrib.items():
                wrapper.set(attribute, value)
            self.body.append(wrapper)
            self.scores[wrapper] = _BASE["div"]
            return wrapper
        top = self._common(ranked)
        top = self._climbed(top)
        parent = top.getparent()
        while parent is not None and parent.tag != "body" and len(parent) == 1:
            top, parent = parent, parent.getparent()
        self.scores.setdefault(top, _BASE.get(name(top), 0) + self._weight(top))
        return top

    def _common(self, ranked: list[HtmlElement]) -> HtmlElement:
        """Give an ancestor that the best candidates share, where at least three others nearly as good have it."""
        top = ranked[0]
        near = [
            set(other.iterancestors())
            for other in ranked[1:]
            if self.scores[top] > 0 and self.scores[other] / self.scores[top] >= 0.75
        ]
        if len(near) >= 3:
            for parent in top.iterancestors():
                if parent.tag == "body":
                    break
                if sum(parent in ancestors for ancestors in near) >= 3:
                    return parent
        return top

    def _climbed(self, top: HtmlElement) -> HtmlElement:
        self.scores.setdefault(top, _BASE.get(name(top), 0) + self._weight(top))
        last = self.scores[top]
        threshold = last / 3
        for parent in top.iterancestors():
            if parent.tag == "body":
                break
            score = self.scores.get(parent)
            if score is None:
                continue
            if score < threshold:
                break
            if score > last:
                return parent
            last = score
        return top

    def _with_siblings(self, top: HtmlElement) -> HtmlElement:
        article: HtmlElement = self.body.makeelement("div")
        threshold = max(10, self.scores[top] * 0.2)
        parent = top.getparent()
        for sibling in list(parent) if parent is not None else [top]:
            if sibling is top or self._belongs(sibling, top, threshold):
                if sibling.tag not in ("div", "article", "section", "p", "ol", "ul"):
                    sibling.tag = "div"
                article.append(sibling)
        return article

    def _belongs(self, sibling: HtmlElement, top: HtmlElement, threshold: float) -> bool:
        same_class = bool(top.get("class")) and sibling.get("class") == top.get("class")
        bonus = self.scores[top] * 0.2 if same_class else 0
        if sibling in self.scores and self.scores[sibling] + bonus >= threshold:
            return True
        if sibling.tag != "p":
            return False
        text, density = _text(sibling), _link_density(sibling)
        if len(text) > 80:
            return density < 0.25
        return bool(text) and density == 0 and _SENTENCE.search(text) is not None

    # What goes from it

    def _prepare(self, article: HtmlElement) -> None:
        self.data_tables = {table for table in article.iter("table") if _is_data(table)}
        for tag in ("form", "fieldset"):
            self._conditionally(article, tag)
        _drop_all(article, "footer", "aside", "object", "embed", "link")
        for child in article:
            for element in [each for each in child.iterdescendants() if _shares(each)]:
                _drop(element)
        _drop_all(article, "iframe", "input", "textarea", "select", "button")
        for element in [each for each in article.iter("h1", "h2") if self._weight(each) < 0]:
            _drop(element)
        for tag in ("table", "ul", "div"):
            self._conditionally(article, tag)

    def _conditionally(self, article: HtmlElement, tag: str) -> None:
        if self.rules.conditional:
            for node in reversed(list(article.iterdescendants(tag))):
                if self._is_clutter(node, tag):
                    _drop(node)

    def _is_clutter(self, node: HtmlElement, tag: str) -> bool:
        text = _text(node)
        is_list = tag == "ul" or _is_mostly(node, text, ("ul", "ol"))
        if node in self.data_tables or any(each in self.data_tables for each in node.iterdescendants("table")):
            return False
        if any(each in self.data_tables for each in node.iterancestors("table")) or _inside(node, "code"):
            return False
        weight = self._weight(node)
        if weight < 0:
            return True
        if text.count(",") >= 10:
            return False
        return self._looks_like_clutter(node, text, weight, is_list=is_list)

    def _looks_like_clutter(self, node: HtmlElement, text: str, weight: int, *, is_list: bool) -> bool:
        if any(_is_video(each) for each in node.iterdescendants("object", "embed", "iframe")):
            return False
        if _AD_WORDS.match(text) or _LOADING.match(text):
            return True
        count = {name: sum(1 for _ in node.iterdescendants(name)) for name in ("p", "img", "li", "input")}
        embeds = sum(1 for _ in node.iterdescendants("object", "embed", "iframe"))
        density = _link_density(node)
        in_figure = _inside(node, "figure", levels=3)
        clutter = (
            (not in_figure and count["img"] > 1 and count["p"] / count["img"] < 0.5)
            or (not is_list and count["li"] - 100 > count["p"])
            or count["input"] > count["p"] // 3
            or (
                not is_list
                and not in_figure
                and len(text) < 25
                and (count["img"] == 0 or count["img"] > 2)
                and density > 0
                and not _is_mostly(node, text, _HEADINGS)
            )
            or (not is_list and weight < 25 and density > 0.2)
            or (weight >= 25 and density > 0.5)
            or (embeds == 1 and len(text) < 75)
            or embeds > 1
            or (count["img"] == 0 and not any(map(_text, node.iterdescendants(*_TEXTISH))))
        )
        if is_list and clutter and all(len(child) <= 1 for child in node):
            return count["img"] != count["li"] or not count["li"]
        return clutter


@lru_cache(maxsize=10_000)
def _name_is_unlikely(names: str) -> bool:
    return _UNLIKELY.search(names) is not None and _MAYBE.search(names) is None


@lru_cache(maxsize=10_000)
def _name_weight(names: str) -> int:
    return 25 * (_POSITIVE.search(names) is not None) - 25 * (_NEGATIVE.search(names) is not None)


def _text(element: HtmlElement) -> str:
    return " ".join(str(_string(element)).split())


def _ancestors(element: HtmlElement, most: int) -> Iterator[HtmlElement]:
    for level, ancestor in enumerate(element.iterancestors()):
        if level == most or ancestor.tag == "html":
            return
        yield ancestor


def _inside(node: HtmlElement, tag: str, levels: int = 3) -> bool:
    return any(ancestor.tag == tag for _, ancestor in zip(range(levels), node.iterancestors(), strict=False))


def _link_density(element: HtmlElement) -> float:
    length = len(_text(element))
    if not length:
        return 0.0
    linked = sum(
        len(_text(link)) * (0.3 if (link.get("href") or "").startswith("#") else 1)
        for link in element.iterdescendants("a")
    )
    return linked / length


def _lengths(body: HtmlElement) -> dict[HtmlElement, tuple[int, float]]:
    """Give the characters of every element's text, and how many of them are links."""
    found: dict[HtmlElement, list[float]] = {}
    for element in reversed(list(body.iter())):
        own = found.setdefault(element, [0, 0])
        own[0] += _trimmed(element.text)
        if element.tag == "a":
            own[1] = own[0] * (0.3 if (element.get("href") or "").startswith("#") else 1)
        parent = element.getparent()
        if parent is not None:
            above = found.setdefault(parent, [0, 0])
            above[0] += own[0] + _trimmed(element.tail)
            above[1] += own[1]
    return {element: (int(chars), linked) for element, (chars, linked) in found.items()}


def _trimmed(text: str | None) -> int:
    return len(" ".join(text.split())) if text else 0


def _is_mostly(element: HtmlElement, text: str, tags: tuple[str, ...]) -> bool:
    """Tell whether such elements hold nine tenths of a text; those inside others count again."""
    most = 0.9 * len(text)
    return bool(text) and any(
        held > most for held in accumulate(len(_text(each)) for each in element.iterdescendants(*tags))
    )


def _is_empty(node: HtmlElement) -> bool:
    return all(child.tag in ("br", "hr") for child in node) and not node.text_content().strip()


def _has_block(node: HtmlElement) -> bool:
    return next(node.iterdescendants(*_PARAGRAPH_BREAKERS), None) is not None


def _blank_texts(node: HtmlElement) -> str:
    return ((node.text or "") + "".join(child.tail or "" for child in node)).strip()


def _is_phrasing(node: HtmlElement) -> bool:
    if node.tag in _PHRASING:
        return True
    return node.tag in ("a", "del", "ins") and all(_is_phrasing(child) for child in node)


def _wrap_phrases(node: HtmlElement) -> None:
    """Put runs of inline content into paragraphs."""
    children = list(node)
    if all(_is_phrasing(child) for child in children):
        return  # all of it becomes one paragraph anyway
    paragraph: HtmlElement | None = None
    if node.text and node.text.strip():
        paragraph = node.makeelement("p")
        paragraph.text, node.text = node.text, None
        node.insert(0, paragraph)
    for child in children:
        if _is_phrasing(child):
            if paragraph is None:
                if child.tag == "br" and not (child.tail or "").strip():
                    continue
                paragraph = node.makeelement("p")
                child.addprevious(paragraph)
            paragraph.append(child)
            continue
        paragraph = None
        if child.tail and child.tail.strip():
            paragraph = node.makeelement("p")
            paragraph.text, child.tail = child.tail, None
            child.addnext(paragraph)


def _part_at_breaks(body: HtmlElement) -> None:
    """Begin a paragraph where two breaks follow each other."""
    for br in list(body.iter("br")):
        parent = br.getparent()
        following = br.getnext()
        if parent is None or following is None or following.tag != "br" or (br.tail or "").strip():
            continue
        while following is not None and following.tag == "br" and not (br.tail or "").strip():
            br.tail = following.tail
            parent.remove(following)
            following = br.getnext()
        paragraph = br.makeelement("p")
        paragraph.text = br.tail
        br.tail = None
        parent.replace(br, paragraph)
        while following is not None and following.tag != "p" and _is_phrasing(following):
            after = following.getnext()
            if following.tag == "br" and after is not None and after.tag == "br" and not (following.tail or "").strip():
                break
            paragraph.append(following)
            following = after
        if parent.tag == "p":
            parent.tag = "div"


def _next(node: HtmlElement) -> HtmlElement | None:
    return node[0] if len(node) else _after(node)


def _after(node: HtmlElement) -> HtmlElement | None:
    at: HtmlElement | None = node
    while at is not None:
        following = at.getnext()
        if following is not None:
            return following
        at = at.getparent()
    return None


def _removed(node: HtmlElement) -> HtmlElement | None:
    following = _after(node)
    _drop(node)
    return following


def _drop(node: HtmlElement) -> None:
    if node.getparent() is not None:
        node.drop_tree()


def _drop_all(article: HtmlElement, *tags: str) -> None:
    for element in [each for each in article.iter(*tags) if not _is_video(each)]:
        _drop(element)


def _shares(element: HtmlElement) -> bool:
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return len(names) > 1 and _SHARE.search(names) is not None and len(element.text_content()) < ENOUGH


def _is_video(element: HtmlElement) -> bool:
    return any(_VIDEOS.search(value) for value in element.attrib.values())


def _is_data(table: HtmlElement) -> bool:
    if table.get("role") == "presentation" or table.get("datatable") == "0":
        return False
    if table.get("summary") or next(table.iterdescendants("col", "colgroup", "tfoot", "thead", "th"), None) is not None:
        return True
    if next(table.iterdescendants("table"), None) is not None:
        return False
    rows = list(table.iter("tr"))
    columns = max((sum(1 for _ in row.iterchildren("td", "th")) for row in rows), default=0)
    return columns > 1 and len(rows) > 1 and (len(rows) >= 10 or columns > 4 or len(rows) * columns > 10)


def _similar(first: str, second: str) -> float:
    """Compare two titles as Readability does: how much of the second is words that the first has not."""
    known = {word for word in re.split(r"\W+", first.lower()) if word}
    words = [word for word in re.split(r"\W+", second.lower()) if word]
    if not known or not words:
        return 0.0
    unknown = [word for word in words if word not in known]
    return 1 - len(" ".join(unknown)) / len(" ".join(words))
