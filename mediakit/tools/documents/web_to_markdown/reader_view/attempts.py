"""Finds the reader view in up to four attempts with increasingly lenient rules."""

import copy
import re
from collections.abc import Mapping, Sequence

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader_view.candidates import Candidates
from mediakit.tools.documents.web_to_markdown.reader_view.clutter import ClutterRemover
from mediakit.tools.documents.web_to_markdown.reader_view.dom import (
    has_block,
    has_own_text,
    is_inside,
    link_density,
    names_of,
    next_node,
    remove_and_get_next,
    split_at_breaks,
    text_of,
    wrap_inline_content,
)
from mediakit.tools.documents.web_to_markdown.reader_view.patterns import (
    ATTEMPTS,
    HEADINGS,
    SCORED_ELEMENTS,
    UNLIKELY_KEPT,
    UNLIKELY_ROLES,
    Rules,
    is_byline_name,
    is_unlikely_candidate,
)

MIN_ARTICLE_CHARACTERS = 500
"""With fewer characters, the next attempt is made."""

MAX_BYLINE_CHARACTERS = 100
TITLE_HEADINGS = ("h1", "h2")
REMOVED_IF_EMPTY = frozenset(("div", "section", "header", *HEADINGS))
TITLE_SIMILARITY = 0.75
"""Similarity to the title above which a heading is removed."""

_named_elements = etree.XPath(".//*[@class or @id]")
_marked_elements = etree.XPath(".//*[@aria-hidden or @aria-modal or @role or @rel or @itemprop]")
"""Finds elements with attributes other than class and id that can remove them."""


def reader_view_indexes(body: HtmlElement, indexes: Mapping[HtmlElement, int], *, title: str | None) -> set[int]:
    """Return the indexes of the elements in the reader view.

    Args:
        body: The page's `body`. It is not changed.
        indexes: The elements that have an index.
        title: The page's title. A heading that repeats it is not part of the view.
    """
    longest, found = -1, set[int]()
    ordered_indexes = list(map(indexes.get, body.iter()))
    attempt: _Attempt | None = None
    for rules in ATTEMPTS:
        if attempt is not None and attempt.equals_attempt_with(rules):
            continue
        attempt = _Attempt(_copy(body), ordered_indexes, rules, title or "")
        article = attempt.article()
        length = len(text_of(article))
        if length > longest:
            longest, found = length, attempt.indexes_in(article)
        if length >= MIN_ARTICLE_CHARACTERS:
            break
    return found if longest > 0 else set()


def _copy(body: HtmlElement) -> HtmlElement:
    """Return a copy of the body in an `html` element."""
    copied: HtmlElement = copy.deepcopy(body)
    copied.tail = None
    copied.makeelement("html").append(copied)
    return copied


class _Attempt:
    """One attempt to find the article."""

    def __init__(self, body: HtmlElement, indexes: Sequence[int | None], rules: Rules, title: str) -> None:
        """Prepare the attempt.

        Args:
            body: A copy of the page's body, which is changed.
            indexes: The index of each element in document order, if it has one.
            rules: The rules of the attempt.
            title: The page's title.
        """
        self._body = body
        self._named = set(_named_elements(body))
        self._marked = set(_marked_elements(body))
        elements = list(body.iter())
        self._indexes = {element: index for element, index in zip(elements, indexes, strict=True) if index is not None}
        # Keeps lxml from creating a new object at each access. It is set last, so that it is freed last: lxml frees
        # elements fast only from the last one to the first one, as a list does.
        self._elements = elements
        self._rules = rules
        self._title = title
        self._has_byline = False
        self._has_title_heading = False
        self._has_unlikely = False
        """Whether an unlikely candidate was removed."""

    def equals_attempt_with(self, rules: Rules) -> bool:
        """Return whether an attempt with other rules would have the same result, because no candidate was removed."""
        return self._rules.remove_unlikely and not self._has_unlikely and rules == UNLIKELY_KEPT

    def article(self) -> HtmlElement:
        """Return an element with the article."""
        split_at_breaks(self._body)
        candidates = Candidates(self._body, self._rules)
        article = candidates.select_article(self._scored_elements())
        if candidates.body_wrapper is not None and self._body in self._indexes:
            self._indexes[candidates.body_wrapper] = self._indexes[self._body]
        ClutterRemover(article, self._rules).remove()
        return article

    def indexes_in(self, article: HtmlElement) -> set[int]:
        """Return the indexes of the elements in an article."""
        return {self._indexes[element] for element in article.iter() if element in self._indexes}

    def _scored_elements(self) -> list[HtmlElement]:
        """Remove unlikely candidates and return the elements whose text is scored."""
        found: list[HtmlElement] = []
        node: HtmlElement | None = self._body
        while node is not None:
            if self._is_removed(node):
                node = remove_and_get_next(node)
                continue
            if node.tag in SCORED_ELEMENTS:
                found.append(node)
            if node.tag == "div":
                node = self._convert_to_paragraphs(node, found)
            node = next_node(node)
        return found

    def _is_removed(self, node: HtmlElement) -> bool:
        if node is self._body:
            return False
        is_marked, tag = node in self._marked, node.tag
        names = names_of(node) if node in self._named else ""
        return (
            (is_marked and _is_aria_hidden(node, names))
            or (bool(names or is_marked) and self._is_byline(node, names, is_marked=is_marked))
            or (tag in TITLE_HEADINGS and self._is_title_heading(node))
            or (self._rules.remove_unlikely and self._is_unlikely(node, names, is_marked=is_marked))
            or (tag in REMOVED_IF_EMPTY and _is_empty(node))
        )

    def _is_byline(self, node: HtmlElement, names: str, *, is_marked: bool) -> bool:
        """Return whether a node is the first byline of the page."""
        if self._has_byline:
            return False
        if (is_marked and _is_author(node)) or (names and is_byline_name(names)):
            self._has_byline = 0 < len(text_of(node)) < MAX_BYLINE_CHARACTERS
        return self._has_byline

    def _is_unlikely(self, node: HtmlElement, names: str, *, is_marked: bool) -> bool:
        """Return whether a node is an unlikely candidate."""
        is_unlikely = _has_unlikely_names(node, names) or (is_marked and node.get("role") in UNLIKELY_ROLES)
        self._has_unlikely = self._has_unlikely or is_unlikely
        return is_unlikely

    def _is_title_heading(self, node: HtmlElement) -> bool:
        """Return whether a node is the first heading that repeats the title."""
        if self._has_title_heading or not self._title:
            return False
        self._has_title_heading = _title_similarity(self._title, text_of(node)) > TITLE_SIMILARITY
        return self._has_title_heading

    def _convert_to_paragraphs(self, node: HtmlElement, found: list[HtmlElement]) -> HtmlElement:
        """Put the inline content of a `div` into paragraphs. A `div` without blocks becomes a paragraph."""
        wrap_inline_content(node)
        if len(node) == 1 and node[0].tag == "p" and not has_own_text(node) and link_density(node) < 0.25:
            parent = node.getparent()
            if parent is not None:
                return self._replace_with_child(parent, node, found)
        elif not has_block(node):
            node.tag = "p"
            found.append(node)
        return node

    def _replace_with_child(self, parent: HtmlElement, node: HtmlElement, found: list[HtmlElement]) -> HtmlElement:
        child = node[0]
        child.tail = node.tail
        parent.replace(node, child)
        if node in self._indexes:
            self._indexes.setdefault(child, self._indexes[node])
        found.append(child)
        return child


def _is_aria_hidden(node: HtmlElement, names: str) -> bool:
    return (node.get("aria-hidden") == "true" and "fallback-image" not in names) or (
        node.get("aria-modal") == "true" and node.get("role") == "dialog"
    )


def _is_author(node: HtmlElement) -> bool:
    return node.get("rel") == "author" or "author" in (node.get("itemprop") or "")


def _has_unlikely_names(node: HtmlElement, names: str) -> bool:
    if not names or node.tag == "a" or not is_unlikely_candidate(names):
        return False
    return not is_inside(node, "table") and not is_inside(node, "code")


def _is_empty(node: HtmlElement) -> bool:
    if node.text and not node.text.isspace():
        return False
    for child in node:
        tail = child.tail
        if child.tag not in ("br", "hr") or (tail and not tail.isspace()):
            return False
    return True


def _title_similarity(title: str, heading: str) -> float:
    """Return the share of a heading that consists of words of the title, as Readability does."""
    title_words = {word for word in re.split(r"\W+", title.lower()) if word}
    words = [word for word in re.split(r"\W+", heading.lower()) if word]
    if not title_words or not words:
        return 0.0
    other_words = [word for word in words if word not in title_words]
    return 1 - len(" ".join(other_words)) / len(" ".join(words))
