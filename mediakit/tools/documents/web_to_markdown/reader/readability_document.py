"""Runs readability-lxml on a tree that is already parsed and cleaned.

The steps that take most of its time are replaced with faster ones that have the same result.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import readability
from lxml.html import HtmlElement
from readability.readability import REGEXES

from mediakit.engines.markdown.html.elements import tag_name

PARAGRAPH_BREAKERS = ("a", "blockquote", "dl", "div", "img", "ol", "p", "pre", "table", "ul")
"""Starts of tag names. A `div` that contains an element with such a name does not become a paragraph."""


# A search in lower case takes a fifth of the time of a case-insensitive search.
_UNLIKELY_CANDIDATES = re.compile(REGEXES["unlikelyCandidatesRe"].pattern)
_MAYBE_CANDIDATES = re.compile(REGEXES["okMaybeItsACandidateRe"].pattern)


def extracted_indexes(body: HtmlElement, indexes: Mapping[HtmlElement, int]) -> set[int]:
    """Return the indexes of the elements that readability-lxml extracts.

    Args:
        body: The body of a page without scripts, styles and hidden elements. It is not changed.
        indexes: The elements that have an index.

    Raises:
        readability.Unparseable: readability-lxml failed.
    """
    document = _Document(body)
    document.summary()
    found = {document.originals.get(element) for element in document.html.iter()}
    return {index for element, index in indexes.items() if element in found}


class _Document(readability.Document):  # type: ignore[misc]  # readability-lxml has no types
    """A document whose pages are copies of a tree."""

    def _parse(self, body: HtmlElement) -> HtmlElement:
        self.encoding = "utf-8"
        copied = copy.deepcopy(body)
        copied.tail = None
        root: HtmlElement = copied.makeelement("html")
        root.append(copied)
        # The references also keep lxml from creating a new object each time an element is accessed. From the last
        # element to the first one, because lxml frees elements fast only in that order.
        elements = reversed(list(copied.iter())), reversed(list(body.iter()))
        self.originals = dict(zip(*elements, strict=True))
        return root

    def get_clean_html(self) -> str:
        """Return the text if it is long enough for `summary`, which only uses the length of the result."""
        text = str(self.html.text_content())
        return text if len(text) >= self.retry_length else str(super().get_clean_html())

    def remove_unlikely_candidates(self) -> None:
        for element in self.html.findall(".//*"):
            names = f"{element.get('class', '')} {element.get('id', '')}"
            if len(names) > 1 and element.tag not in ("html", "body") and _is_unlikely_candidate(names):
                element.drop_tree()

    def transform_misused_divs_into_paragraphs(self) -> None:
        breakers = _ancestors_of_paragraph_breakers(self.html)
        for element in self.html.findall(".//div"):
            if element not in breakers:
                element.tag = "p"
        for element in self.html.findall(".//div"):
            _wrap_text(element)


@lru_cache(maxsize=10_000)
def _is_unlikely_candidate(names: str) -> bool:
    names = names.lower()
    return _UNLIKELY_CANDIDATES.search(names) is not None and _MAYBE_CANDIDATES.search(names) is None


def _ancestors_of_paragraph_breakers(root: HtmlElement) -> set[HtmlElement]:
    found: set[HtmlElement] = set()
    for element in _paragraph_breakers(root):
        for ancestor in element.iterancestors():
            if ancestor in found:
                break
            found.add(ancestor)
    return found


def _paragraph_breakers(root: HtmlElement) -> Iterator[HtmlElement]:
    return (element for element in root.iter() if tag_name(element).startswith(PARAGRAPH_BREAKERS))


def _wrap_text(element: HtmlElement) -> None:
    """Put each text directly in an element into a paragraph, and remove line breaks."""
    if element.text and element.text.strip():
        paragraph: Any = element.makeelement("p")
        paragraph.text, element.text = element.text, None
        element.insert(0, paragraph)
    for child in reversed(list(element)):
        if child.tail and child.tail.strip():
            paragraph = element.makeelement("p")
            paragraph.text, child.tail = child.tail, None
            child.addnext(paragraph)
        if child.tag == "br":
            child.drop_tree()
