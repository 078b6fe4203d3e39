"""Finds the reader view in up to four attempts with increasingly lenient rules."""

import re
from collections.abc import Mapping

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader_view.candidates import Candidates
from mediakit.tools.documents.web_to_markdown.reader_view.clutter import ClutterRemover
from mediakit.tools.documents.web_to_markdown.reader_view.dom import (
    Node,
    Tree,
    has_block,
    has_own_text,
    is_inside,
    link_density,
    names_of,
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
MAX_PARAGRAPH_LINK_DENSITY = 0.25
"""Link density from which the only paragraph in a `div` does not take its place."""

TITLE_SIMILARITY = 0.75
"""Similarity to the title above which a heading is removed."""

_MARKS = frozenset(("aria-hidden", "aria-modal", "role", "rel", "itemprop"))
"""Attributes other than class and id that can remove an element."""


def reader_view_indexes(body: HtmlElement, indexes: Mapping[HtmlElement, int], *, title: str | None) -> set[int]:
    """Return the indexes of the elements in the reader view. A heading that repeats the title is not part of it."""
    longest, found = 0, set[int]()
    attempt: _Attempt | None = None
    for rules in ATTEMPTS:
        if attempt and attempt.rules.remove_unlikely and not attempt.has_unlikely and rules == UNLIKELY_KEPT:
            continue  # the result would be the same
        tree = Tree(body, indexes)
        attempt = _Attempt(tree, rules, title or "")
        article = attempt.article()
        length = len(article.text_of())
        if length > longest:
            longest, found = length, {node.index for node in article.descendants() if node.index is not None}
        tree.discard()
        if length >= MIN_ARTICLE_CHARACTERS:
            break
    return found


class _Attempt:
    """One attempt to find the article."""

    def __init__(self, tree: Tree, rules: Rules, title: str) -> None:
        self._tree = tree
        self.rules = rules
        self._title = title
        self._scored: list[Node] = []
        """The elements whose text is scored."""
        self._has_byline = False
        self._has_title_heading = False
        self.has_unlikely = False
        """Whether an unlikely candidate was removed."""

    def article(self) -> Node:
        """Return an element with the article."""
        self._tree.split_at_breaks()
        self._prepare_children(self._tree.body)
        article = Candidates(self._tree, self.rules).select_article(self._scored)
        ClutterRemover(article, self.rules).remove()
        return article

    def _prepare_children(self, node: Node) -> None:
        """Remove unlikely candidates and find the elements whose text is scored."""
        children, node.children = node.children, []
        for original in children:
            child = original
            if self._is_removed(child):
                node.forget_text()
                if child.tail and node.children:
                    node.children[-1].tail = (node.children[-1].tail or "") + child.tail
                elif child.tail:
                    node.text = (node.text or "") + child.tail
                continue
            if child.tag in SCORED_ELEMENTS:
                self._scored.append(child)
            if child.tag == "div":
                child = self._convert_to_paragraphs(child)
            node.children.append(child)
            if child.children:
                self._prepare_children(child)

    def _is_removed(self, node: Node) -> bool:
        tag, names = node.tag, names_of(node)
        is_marked = bool(node.attributes) and not _MARKS.isdisjoint(node.attributes)
        is_named = bool(names) or is_marked
        return (
            (is_marked and _is_aria_hidden(node, names))
            or (is_named and not self._has_byline and self._is_byline(node, names))
            or (tag in TITLE_HEADINGS and self._is_title_heading(node))
            or (is_named and self.rules.remove_unlikely and self._is_unlikely(node, names))
            or (tag in REMOVED_IF_EMPTY and _is_empty(node))
        )

    def _is_byline(self, node: Node, names: str) -> bool:
        """Return whether a node is a byline."""
        is_author = node.attributes.get("rel") == "author" or "author" in (node.attributes.get("itemprop") or "")
        if is_author or (names and is_byline_name(names)):
            self._has_byline = 0 < len(node.text_of()) < MAX_BYLINE_CHARACTERS
        return self._has_byline

    def _is_unlikely(self, node: Node, names: str) -> bool:
        """Return whether a node is an unlikely candidate."""
        is_unlikely = node.attributes.get("role") in UNLIKELY_ROLES or (
            names != ""
            and node.tag != "a"
            and is_unlikely_candidate(names)
            and not is_inside(node, "table")
            and not is_inside(node, "code")
        )
        self.has_unlikely = self.has_unlikely or is_unlikely
        return is_unlikely

    def _is_title_heading(self, node: Node) -> bool:
        """Return whether a node is the first heading that consists of words of the title, as in Readability."""
        if self._has_title_heading or not self._title:
            return False
        title_words = set(filter(None, re.split(r"\W+", self._title.lower())))
        words = list(filter(None, re.split(r"\W+", node.text_of().lower())))
        if title_words and words:
            others = " ".join(word for word in words if word not in title_words)
            self._has_title_heading = 1 - len(others) / len(" ".join(words)) > TITLE_SIMILARITY
        return self._has_title_heading

    def _convert_to_paragraphs(self, node: Node) -> Node:
        """Put the inline content of a `div` into paragraphs. A `div` without blocks becomes a paragraph."""
        self._tree.wrap_inline_content(node)
        only = node.children[0] if len(node.children) == 1 else None
        if only is not None and only.tag == "p" and not has_own_text(node):
            links = (found for found in only.descendants() if found.tag == "a")
            if link_density(len(only.text_of()), links) < MAX_PARAGRAPH_LINK_DENSITY:
                only.tail, only.parent = node.tail, node.parent
                only.index = node.index if only.index is None else only.index
                self._scored.append(only)
                return only
        elif not has_block(node):
            node.tag = "p"
            self._scored.append(node)
        return node


def _is_aria_hidden(node: Node, names: str) -> bool:
    return (node.attributes.get("aria-hidden") == "true" and "fallback-image" not in names) or (
        node.attributes.get("aria-modal") == "true" and node.attributes.get("role") == "dialog"
    )


def _is_empty(node: Node) -> bool:
    if node.text and not node.text.isspace():
        return False
    return all(child.tag in ("br", "hr") and not (child.tail and child.tail.strip()) for child in node.children)
