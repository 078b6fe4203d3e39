"""Removes elements that are not part of the text from an article: forms, share buttons, teasers and link lists."""

from collections import Counter

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import tag_name
from mediakit.tools.documents.web_to_markdown.reader_view.dom import (
    drop,
    is_inside,
    is_mostly,
    link_density,
    names_of,
    text_of,
)
from mediakit.tools.documents.web_to_markdown.reader_view.patterns import (
    AD_LABELS,
    HEADINGS,
    LOADING_LABELS,
    NAME_WEIGHT,
    TEXT_ELEMENTS,
    Rules,
    is_share_element,
    is_video,
)

MAX_SHARE_CHARACTERS = 500
"""Elements with more text are not share buttons."""

MIN_CLUTTER_CHARACTERS = 25
MIN_COMMAS = 10
"""Text with at least this number of commas is not clutter."""


class ClutterRemover:
    """Removes clutter from an article."""

    def __init__(self, article: HtmlElement, rules: Rules) -> None:
        self._article = article
        self._rules = rules
        self._data_tables = {table for table in article.iter("table") if is_data_table(table)}

    def remove(self) -> None:
        """Remove all clutter."""
        for tag in ("form", "fieldset"):
            self._remove_clutter(tag)
        self._remove_all("footer", "aside", "object", "embed", "link")
        self._remove_share_elements()
        self._remove_all("iframe", "input", "textarea", "select", "button")
        for heading in [heading for heading in self._article.iter("h1", "h2") if self._rules.weight(heading) < 0]:
            drop(heading)
        for tag in ("table", "ul", "div"):
            self._remove_clutter(tag)

    def _remove_all(self, *tags: str) -> None:
        for element in [element for element in self._article.iter(*tags) if not is_video(element)]:
            drop(element)

    def _remove_share_elements(self) -> None:
        for child in self._article:
            share_elements = [element for element in child.iterdescendants() if _is_share_element(element)]
            for element in share_elements:
                drop(element)

    def _remove_clutter(self, tag: str) -> None:
        if self._rules.remove_clutter:
            for node in reversed(list(self._article.iterdescendants(tag))):
                if self._is_clutter(node, tag):
                    drop(node)

    def _is_clutter(self, node: HtmlElement, tag: str) -> bool:
        if self._has_data_table(node) or is_inside(node, "code"):
            return False
        weight = self._rules.weight(node)
        if weight < 0:
            return True
        text = text_of(node)
        if text.count(",") >= MIN_COMMAS:
            return False
        is_list = tag == "ul" or is_mostly(node, text, ("ul", "ol"))
        return _looks_like_clutter(node, text, weight, is_list=is_list)

    def _has_data_table(self, node: HtmlElement) -> bool:
        """Return whether a node is, contains, or is inside a data table."""
        if not self._data_tables:
            return False
        if node in self._data_tables or any(table in self._data_tables for table in node.iterdescendants("table")):
            return True
        return any(table in self._data_tables for table in node.iterancestors("table"))


def is_data_table(table: HtmlElement) -> bool:
    """Return whether a table contains data and is not used for layout."""
    if table.get("role") == "presentation" or table.get("datatable") == "0":
        return False
    if table.get("summary") or next(table.iterdescendants("col", "colgroup", "tfoot", "thead", "th"), None) is not None:
        return True
    if next(table.iterdescendants("table"), None) is not None:
        return False
    rows = list(table.iter("tr"))
    columns = max((sum(1 for _ in row.iterchildren("td", "th")) for row in rows), default=0)
    return columns > 1 and len(rows) > 1 and (len(rows) >= 10 or columns > 4 or len(rows) * columns > 10)


def _is_share_element(element: HtmlElement) -> bool:
    names = names_of(element)
    return len(names) > 1 and is_share_element(names) and len("".join(element.itertext())) < MAX_SHARE_CHARACTERS


def _looks_like_clutter(node: HtmlElement, text: str, weight: int, *, is_list: bool) -> bool:
    embeds = list(node.iterdescendants("object", "embed", "iframe"))
    if any(is_video(embed) for embed in embeds):
        return False
    if AD_LABELS.match(text) or LOADING_LABELS.match(text):
        return True
    count = Counter(tag_name(element) for element in node.iterdescendants("p", "img", "li", "input"))
    density = link_density(node)
    is_clutter = (
        _has_unusual_elements(node, text, count, density, is_list=is_list)
        or (not is_list and weight < NAME_WEIGHT and density > 0.2)
        or (weight >= NAME_WEIGHT and density > 0.5)
        or (len(embeds) == 1 and len(text) < 75)
        or len(embeds) > 1
        or (count["img"] == 0 and not any(map(text_of, node.iterdescendants(*TEXT_ELEMENTS))))
    )
    if is_list and is_clutter and all(len(child) <= 1 for child in node):
        return count["img"] != count["li"] or not count["li"]  # a list with an image in each item is a gallery
    return is_clutter


def _has_unusual_elements(node: HtmlElement, text: str, count: Counter[str], density: float, *, is_list: bool) -> bool:
    """Return whether a node has many images, list items or inputs for its number of paragraphs."""
    is_in_figure = is_inside(node, "figure", levels=3)
    return (
        (not is_in_figure and count["img"] > 1 and count["p"] / count["img"] < 0.5)
        or (not is_list and count["li"] - 100 > count["p"])
        or count["input"] > count["p"] // 3
        or (
            not is_list
            and not is_in_figure
            and len(text) < MIN_CLUTTER_CHARACTERS
            and (count["img"] == 0 or count["img"] > 2)
            and density > 0
            and not is_mostly(node, text, HEADINGS)
        )
    )
