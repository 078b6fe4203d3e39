"""Removes elements that are not part of the text from an article: forms, share buttons, teasers and link lists."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from mediakit.tools.documents.web_to_markdown.reader_view.dom import Node, is_inside, link_density, names_of
from mediakit.tools.documents.web_to_markdown.reader_view.patterns import (
    AD_LABELS,
    HEADINGS,
    LOADING_LABELS,
    NAME_WEIGHT,
    TEXT_ELEMENTS,
    Rules,
    is_share_element,
)

MAX_SHARE_CHARACTERS = 500
"""Elements with more text are not share buttons."""

MIN_CLUTTER_CHARACTERS = 25
MOSTLY_SHARE = 0.9
MIN_COMMAS = 10
"""Text with at least this number of commas is not clutter."""


class Article:
    """The elements of an article by tag name, so that those in an element are found without a walk."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self._nodes: defaultdict[str, list[Node]] = defaultdict(list)
        self._starts: defaultdict[str, list[int]] = defaultdict(list)
        self._add(root, 0)

    def _add(self, node: Node, position: int) -> int:
        node.start = position
        self._nodes[node.tag].append(node)
        self._starts[node.tag].append(position)
        for child in node.children:
            position = self._add(child, position + 1)
        node.end = position
        return position

    def inside(self, node: Node, *tags: str) -> Iterator[Node]:
        """Yield the elements with a tag that are inside an element."""
        for tag in tags:
            starts = self._starts.get(tag, ())
            first, end = bisect_right(starts, node.start), bisect_right(starts, node.end)
            if first < end:
                yield from (found for found in self._nodes[tag][first:end] if found.tag)

    def count(self, node: Node, tag: str) -> int:
        """Return the number of elements with a tag that are inside an element."""
        starts = self._starts.get(tag, ())
        first, end = bisect_right(starts, node.start), bisect_right(starts, node.end)
        return sum([found.tag != "" for found in self._nodes[tag][first:end]]) if first < end else 0

    def drop(self, node: Node) -> None:
        """Remove an element with its descendants. The text after it stays."""
        for descendant in node.descendants():
            descendant.tag = ""
        node.tag, node.text, node.index, node.children = "", None, None, []
        node.forget_text()


class ClutterRemover:
    """Removes clutter from an article."""

    def __init__(self, root: Node, rules: Rules) -> None:
        self._article = Article(root)
        self._rules = rules
        self._data_tables = {table for table in self._all("table") if self._is_data_table(table)}

    def remove(self) -> None:
        """Remove all clutter."""
        for tag in ("form", "fieldset"):
            self._remove_clutter(tag)
        self._drop([node for node in self._all("footer", "aside") if not self._is_source(node)])
        self._drop([node for child in self._article.root.children for node in child.descendants() if _is_share(node)])
        self._drop(self._all("input", "button"))
        self._drop([heading for heading in self._all("h1", "h2") if self._rules.weight(heading.attributes) < 0])
        for tag in ("table", "ul", "div"):
            self._remove_clutter(tag)

    def _is_source(self, node: Node) -> bool:
        """Return whether a node is the source of a quote: after a dash, or with a title."""
        has_mark = node.text_of().lstrip().startswith(("—", "–", "-")) or self._article.count(node, "cite")
        return bool(has_mark) and is_inside(node, "blockquote")

    def _all(self, *tags: str) -> list[Node]:
        return list(self._article.inside(self._article.root, *tags))

    def _drop(self, nodes: list[Node]) -> None:
        for node in nodes:
            self._article.drop(node)

    def _remove_clutter(self, tag: str) -> None:
        if self._rules.remove_clutter:
            for node in reversed(self._all(tag)):
                if self._is_clutter(node, tag):
                    self._article.drop(node)

    def _is_clutter(self, node: Node, tag: str) -> bool:
        if self._has_data_table(node) or is_inside(node, "code"):
            return False
        weight = self._rules.weight(node.attributes)
        if weight < 0:
            return True
        text = node.text_of()
        if text.count(",") >= MIN_COMMAS:
            return False
        if AD_LABELS.match(text) or LOADING_LABELS.match(text):
            return True
        inside = self._article.inside
        is_list = tag == "ul" or self._is_mostly(node, text, ("ul", "ol"))
        count = {tag: self._article.count(node, tag) for tag in ("p", "img", "li", "input")}
        density = link_density(len(text), inside(node, "a"))
        is_clutter = (
            self._has_unusual_elements(node, text, count, density, is_list=is_list)
            or (not is_list and weight < NAME_WEIGHT and density > 0.2)
            or (weight >= NAME_WEIGHT and density > 0.5)
            or (count["img"] == 0 and not any(found.text_of() for found in inside(node, *TEXT_ELEMENTS)))
        )
        counts = (sum(each.tag != "" for each in child.children) for child in node.children)
        if is_list and is_clutter and all(children <= 1 for children in counts):
            return count["img"] != count["li"] or not count["li"]  # a list with an image in each item is a gallery
        return is_clutter

    def _is_mostly(self, node: Node, text: str, tags: tuple[str, ...]) -> bool:
        """Return whether elements with these tags contain most of the text. Text in nested ones counts repeatedly."""
        minimum = MOSTLY_SHARE * len(text)
        lengths = accumulate(len(found.text_of()) for found in self._article.inside(node, *tags))
        return bool(text) and any(length > minimum for length in lengths)

    def _has_data_table(self, node: Node) -> bool:
        """Return whether a node is, contains, or is inside a data table."""
        if not self._data_tables:
            return False
        tables = (node, *self._article.inside(node, "table"), *node.ancestors())
        return not self._data_tables.isdisjoint(tables)

    def _is_data_table(self, table: Node) -> bool:
        """Return whether a table contains data and is not used for layout."""
        inside, attributes = self._article.inside, table.attributes
        if attributes.get("role") == "presentation" or attributes.get("datatable") == "0":
            return False
        if attributes.get("summary") or any(inside(table, "col", "colgroup", "tfoot", "thead", "th")):
            return True
        if any(inside(table, "table")):
            return False
        rows = list(inside(table, "tr"))
        columns = max((sum(cell.tag in ("td", "th") for cell in row.children) for row in rows), default=0)
        return columns > 1 and len(rows) > 1 and (len(rows) >= 10 or columns > 4 or len(rows) * columns > 10)

    def _has_unusual_elements(
        self, node: Node, text: str, count: dict[str, int], density: float, *, is_list: bool
    ) -> bool:
        """Return whether a node has many images, list items or inputs for its number of paragraphs."""
        is_in_figure = is_inside(node, "figure")
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
                and not self._is_mostly(node, text, HEADINGS)
            )
        )


def _is_share(node: Node) -> bool:
    names = names_of(node) if node.tag else ""
    return bool(names) and is_share_element(names) and len(node.text_of()) < MAX_SHARE_CHARACTERS
