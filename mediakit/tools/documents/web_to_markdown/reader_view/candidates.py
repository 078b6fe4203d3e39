"""Scores the elements of a page and selects the element that contains the article."""

from itertools import islice

from mediakit.tools.documents.web_to_markdown.reader_view.dom import Node, Tree, link_density, text_and_link_lengths
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

    def __init__(self, tree: Tree, rules: Rules) -> None:
        self._tree = tree
        self._body = tree.body
        self._rules = rules
        self._scores: dict[Node, float] = {}

    def select_article(self, elements: list[Node]) -> Node:
        """Return an element with the article: the candidate with the best texts and the siblings that belong to it."""
        top = self._top(self._rank(elements))
        article = self._tree.create("div", None)
        for sibling in top.parent.children if top.parent is not None else [top]:
            if sibling is top or self._belongs_to_article(sibling, top):
                if sibling.tag not in ("div", "article", "section", "p", "ol", "ul"):
                    sibling.tag = "div"
                article.children.append(sibling)
        for child in article.children:
            child.parent = article
        return article

    def _rank(self, elements: list[Node]) -> list[Node]:
        """Add the scores of the elements' texts to their ancestors, and return the elements with the best scores."""
        for element in elements:
            text = element.text_of()
            if len(text) < MIN_SCORED_CHARACTERS:
                continue
            commas = text.count(",") if text.isascii() else len(COMMAS.findall(text))
            score = 2.0 + commas + min(len(text) // 100, 3)
            for level, ancestor in enumerate(islice(element.ancestors(), SCORED_ANCESTORS)):
                self._initialize(ancestor)
                self._scores[ancestor] += score / (1 if level == 0 else 2 if level == 1 else level * 3)
        lengths = text_and_link_lengths(self._body)
        for element, score in self._scores.items():
            chars, in_links = lengths.get(element, (0, 0))
            self._scores[element] = score * (1 - in_links / chars) if chars else score
        return sorted(self._scores, key=lambda element: -self._scores[element])[:MAX_CANDIDATES]

    def _initialize(self, element: Node) -> None:
        if element not in self._scores:
            self._scores[element] = INITIAL_SCORES.get(element.tag, 0) + self._rules.weight(element.attributes)

    def _top(self, ranked: list[Node]) -> Node:
        if not ranked or ranked[0] is self._body:
            return self._wrap_body()
        top = self._best_ancestor(self._common_ancestor(ranked))
        parent = top.parent
        while parent is not None and parent.tag != "body" and len(parent.children) == 1:
            top, parent = parent, parent.parent
        self._initialize(top)
        return top

    def _wrap_body(self) -> Node:
        """Move the whole contents of the body into a `div` and return it."""
        body = self._body
        wrapper = self._tree.create("div", body, body.text)
        wrapper.attributes, wrapper.index = body.attributes, body.index
        wrapper.children, body.children, body.text = body.children, [wrapper], None
        for child in wrapper.children:
            child.parent = wrapper
        self._scores[wrapper] = INITIAL_SCORES["div"]
        return wrapper

    def _common_ancestor(self, ranked: list[Node]) -> Node:
        """Return the nearest common ancestor of the best and enough similar candidates, or the best candidate."""
        top = ranked[0]
        similar = [
            set(other.ancestors())
            for other in ranked[1:]
            if self._scores[top] > 0 and self._scores[other] / self._scores[top] >= SIMILAR_SCORE
        ]
        if len(similar) >= MIN_COMMON_CANDIDATES:
            for parent in top.ancestors():
                if parent.tag == "body":
                    break
                if sum(parent in ancestors_of_other for ancestors_of_other in similar) >= MIN_COMMON_CANDIDATES:
                    return parent
        return top

    def _best_ancestor(self, top: Node) -> Node:
        """Return the nearest ancestor whose score is higher than that of its child, or the element itself."""
        self._initialize(top)
        last = self._scores[top]
        minimum = last / 3
        for parent in top.ancestors():
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

    def _belongs_to_article(self, sibling: Node, top: Node) -> bool:
        name = top.attributes.get("class")
        bonus = self._scores[top] * 0.2 if name and sibling.attributes.get("class") == name else 0
        if sibling in self._scores and self._scores[sibling] + bonus >= max(10, self._scores[top] * 0.2):
            return True
        if sibling.tag != "p":
            return False
        text = sibling.text_of()
        density = link_density(len(text), (node for node in sibling.descendants() if node.tag == "a"))
        if len(text) > 80:
            return density < 0.25
        return bool(text) and density == 0 and SENTENCE_END.search(text) is not None
