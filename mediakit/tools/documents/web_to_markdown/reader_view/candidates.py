"""Scores the elements of a page and selects the element that contains the article."""

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import tag_name
from mediakit.tools.documents.web_to_markdown.reader_view.dom import (
    ancestors,
    link_density,
    text_and_link_lengths,
    text_of,
)
from mediakit.tools.documents.web_to_markdown.reader_view.patterns import COMMAS, INITIAL_SCORES, SENTENCE_END, Rules

MAX_CANDIDATES = 5
SCORED_ANCESTORS = 5
MIN_SCORED_CHARACTERS = 25
MIN_COMMON_CANDIDATES = 3
"""Minimum number of other candidates with a common ancestor. The ancestor then replaces the best candidate."""

SIMILAR_SCORE = 0.75
"""Minimum score of a similar candidate, as a share of the best score."""


class Candidates:
    """The scores of the elements of a page."""

    def __init__(self, body: HtmlElement, rules: Rules) -> None:
        self._body = body
        self._rules = rules
        self._scores: dict[HtmlElement, float] = {}
        self.body_wrapper: HtmlElement | None = None
        """The element that has the contents of the body if no candidate is better than the body."""

    def select_article(self, elements: list[HtmlElement]) -> HtmlElement:
        """Return an element with the article: the best candidate and the siblings that belong to it.

        Args:
            elements: The elements whose text is scored.
        """
        return self._with_siblings(self._top(self._rank(elements)))

    def _rank(self, elements: list[HtmlElement]) -> list[HtmlElement]:
        """Return the elements with the best scores."""
        for element in elements:
            self._add_score(element)
        lengths = text_and_link_lengths(self._body)
        for element, score in self._scores.items():
            chars, in_links = lengths.get(element, (0, 0))
            self._scores[element] = score * (1 - in_links / chars) if chars else score
        return sorted(self._scores, key=lambda element: -self._scores[element])[:MAX_CANDIDATES]

    def _add_score(self, element: HtmlElement) -> None:
        """Add the score of an element's text to its ancestors."""
        if element.getparent() is None:
            return
        text = text_of(element)
        if len(text) < MIN_SCORED_CHARACTERS:
            return
        commas = text.count(",") if text.isascii() else len(COMMAS.findall(text))
        score = 2.0 + commas + min(len(text) // 100, 3)
        for level, ancestor in enumerate(ancestors(element, SCORED_ANCESTORS)):
            self._initialize(ancestor)
            self._scores[ancestor] += score / (1 if level == 0 else 2 if level == 1 else level * 3)

    def _initialize(self, element: HtmlElement) -> None:
        if element not in self._scores:
            self._scores[element] = INITIAL_SCORES.get(tag_name(element), 0) + self._rules.weight(element)

    def _top(self, ranked: list[HtmlElement]) -> HtmlElement:
        if not ranked or ranked[0] is self._body or ranked[0].tag == "html":
            return self._wrap_body()
        top = self._best_ancestor(self._common_ancestor(ranked))
        parent = top.getparent()
        while parent is not None and parent.tag != "body" and len(parent) == 1:
            top, parent = parent, parent.getparent()
        self._initialize(top)
        return top

    def _wrap_body(self) -> HtmlElement:
        """Move the whole contents of the body into a `div` and return it."""
        wrapper: HtmlElement = self._body.makeelement("div")
        wrapper.text, self._body.text = self._body.text, None
        wrapper.extend(list(self._body))
        for attribute, value in self._body.attrib.items():
            wrapper.set(attribute, value)
        self._body.append(wrapper)
        self._scores[wrapper] = INITIAL_SCORES["div"]
        self.body_wrapper = wrapper
        return wrapper

    def _common_ancestor(self, ranked: list[HtmlElement]) -> HtmlElement:
        """Return the nearest common ancestor of the best and enough similar candidates, or the best candidate."""
        top = ranked[0]
        similar = [
            set(other.iterancestors())
            for other in ranked[1:]
            if self._scores[top] > 0 and self._scores[other] / self._scores[top] >= SIMILAR_SCORE
        ]
        if len(similar) >= MIN_COMMON_CANDIDATES:
            for parent in top.iterancestors():
                if parent.tag == "body":
                    break
                if sum(parent in ancestors_of_other for ancestors_of_other in similar) >= MIN_COMMON_CANDIDATES:
                    return parent
        return top

    def _best_ancestor(self, top: HtmlElement) -> HtmlElement:
        """Return the nearest ancestor whose score is higher than that of its child, or the element itself."""
        self._initialize(top)
        last = self._scores[top]
        minimum = last / 3
        for parent in top.iterancestors():
            if parent.tag == "body":
                break
            score = self._scores.get(parent)
            if score is None:
                continue
            if score < minimum:
                break
            if score > last:
                return parent
            last = score
        return top

    def _with_siblings(self, top: HtmlElement) -> HtmlElement:
        article: HtmlElement = self._body.makeelement("div")
        parent = top.getparent()
        for sibling in list(parent) if parent is not None else [top]:
            if sibling is top or self._belongs_to_article(sibling, top):
                if sibling.tag not in ("div", "article", "section", "p", "ol", "ul"):
                    sibling.tag = "div"
                article.append(sibling)
        return article

    def _belongs_to_article(self, sibling: HtmlElement, top: HtmlElement) -> bool:
        has_same_class = bool(top.get("class")) and sibling.get("class") == top.get("class")
        bonus = self._scores[top] * 0.2 if has_same_class else 0
        if sibling in self._scores and self._scores[sibling] + bonus >= max(10, self._scores[top] * 0.2):
            return True
        if sibling.tag != "p":
            return False
        text, density = text_of(sibling), link_density(sibling)
        if len(text) > 80:
            return density < 0.25
        return bool(text) and density == 0 and SENTENCE_END.search(text) is not None
