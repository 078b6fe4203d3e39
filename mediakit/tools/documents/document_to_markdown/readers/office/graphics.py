"""What graphics show as text: charts as tables, SmartArt as lists, boxes in the order in which people read them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.office import CHART, DIAGRAM, A, Element, integer
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element

MAX_POINTS, MAX_INDEX = 10_000, 1_000_000
MAX_SERIES = 100


def chart_blocks(chart: Element) -> list[HtmlElement]:
    """Return the title of a chart, and its cached values as a table; nothing for a chart without them."""
    title = chart.find(f"{CHART}chart/{CHART}title")
    text = "" if title is None else _lines(title) or " ".join(value.text or "" for value in title.iter(f"{CHART}v"))
    blocks = []
    if text:
        blocks.append(new_element("p"))
        etree.SubElement(blocks[0], "strong").text = text
    series = list(islice(chart.iter(f"{CHART}ser"), MAX_SERIES))
    if not series:
        return blocks
    names = []
    for number, each in enumerate(series, 1):
        named = each.iterfind(f"{CHART}tx//{CHART}v")
        names.append(" ".join(value.text or "" for value in named) or f"Series {number}")
    categories = next((found for each in series if (found := _points(each, "cat", "xVal"))), {})
    columns = [_points(each, "val", "yVal") for each in series]
    indexes = sorted({*categories, *(index for points in columns for index in points)})
    rows = [[categories.get(index, ""), *(points.get(index, "") for points in columns)] for index in indexes]
    blocks.append(new_element("table"))
    for number, row in enumerate([["", *names], *rows]):
        line = etree.SubElement(blocks[-1], "tr")
        for value in row:
            etree.SubElement(line, "td" if number else "th").text = value
    return blocks


def text_of(paragraph: Element) -> str:
    """Return the text of a paragraph of a drawing."""
    return "".join(text.text or "" for text in paragraph.iter(f"{A}t"))


def _lines(element: Element) -> str:
    """Return the paragraphs in an element as one line."""
    return " ".join(" ".join(map(text_of, element.iter(f"{A}p"))).split())


def _points(series: Element, *names: str) -> dict[int, str]:
    """Return the cached points of a series by index. Categories with several levels are joined, outermost first."""
    for name in names:
        holder = series.find(f"{CHART}{name}")
        if holder is None:
            continue
        levels = list(holder.iter(f"{CHART}lvl"))
        if not levels:
            return _level(holder)
        outer = [sorted(_level(level).items(), reverse=True) for level in levels[:0:-1]]
        joined = {}
        for index, text in _level(levels[0]).items():  # with the last outer text at or before its index
            around = (next((text for start, text in points if start <= index), "") for points in outer)
            joined[index] = " ".join((*around, text)).strip()
        return joined
    return {}


def _level(holder: Element) -> dict[int, str]:
    points: dict[int, str] = {}
    for point in holder.iter(f"{CHART}pt"):
        index = integer(point.get("idx"), -1)
        if 0 <= index < MAX_INDEX and len(points) < MAX_POINTS:
            points[index] = _number(point.findtext(f"{CHART}v") or "")
    return points


def _number(text: str) -> str:
    """Return a stored number without the noise of its last digits: `0.30000000000000004` is 0.3."""
    if len(text) < 16:
        return text
    try:
        return f"{float(text):.15g}"
    except ValueError:
        return text


MAX_LEVELS = 20


def diagram_list(model: Element) -> HtmlElement | None:
    """Return the texts of the data part of a diagram as a nested list. None if it has none."""
    texts = {point.get("modelId") or "": _lines(point) for point in model.iter(f"{DIAGRAM}pt")}
    roots = [point.get("modelId") or "" for point in model.iter(f"{DIAGRAM}pt") if point.get("type") == "doc"]
    children: dict[str, list[tuple[int, str]]] = {}
    for connection in model.iter(f"{DIAGRAM}cxn"):
        if (connection.get("type") or "parOf") == "parOf":
            place = integer(connection.get("srcOrd"))
            children.setdefault(connection.get("srcId") or "", []).append((place, connection.get("destId") or ""))
    ordered = {parent: [child for _, child in sorted(found)] for parent, found in children.items()}
    listed = new_element("ul")
    for root in roots:
        _append(listed, ordered.pop(root, ()), ordered, texts, MAX_LEVELS)
    if not len(listed):
        for text in filter(None, texts.values()):
            etree.SubElement(listed, "li").text = text
    return listed if len(listed) else None


def _append(
    listed: HtmlElement, points: Sequence[str], children: dict[str, list[str]], texts: Mapping[str, str], levels: int
) -> None:
    """Append points to a list. A point without a text lends its place to the points below it."""
    for point in points:
        below = children.pop(point, [])  # each point once, also in diagrams that are circular
        text = texts.get(point, "")
        target = listed
        if text:
            item = etree.SubElement(listed, "li")
            item.text = text
            target = etree.SubElement(item, "ul") if below else listed
        if below and levels:
            _append(target, below, children, texts, levels - 1)
        if target is not listed and not len(target):
            target.drop_tree()


TOLERANCE = 0.15
"""Share of the smaller of two boxes by which they may overlap and still be apart."""


@dataclass(frozen=True, slots=True)
class Box:
    """Position and size of a shape, in any unit."""

    left: float = 0
    top: float = 0
    width: float = 0
    height: float = 0


Item = TypeVar("Item")


def in_reading_order(items: Sequence[Item], box_of: Callable[[Item], Box]) -> list[Item]:
    """Return items in reading order, by cutting the page along its gaps: into rows first, then rows into columns.

    Items that overlap in both directions keep their order.
    """
    return [item for item, _ in _ordered([(item, box_of(item)) for item in items], depth=0)]


def _ordered(items: list[tuple[Item, Box]], depth: int) -> list[tuple[Item, Box]]:
    if len(items) < 2 or depth > 40:
        return items
    for is_vertical in (True, False):
        groups = _groups(items, is_vertical=is_vertical)
        if len(groups) > 1:
            return [item for group in groups for item in _ordered(group, depth + 1)]
    return items


def _groups(items: list[tuple[Item, Box]], *, is_vertical: bool) -> list[list[tuple[Item, Box]]]:
    """Return the items between gaps, in the order of the gaps; within a group in their own order."""
    starts = [(box.top, box.height) if is_vertical else (box.left, box.width) for _, box in items]
    spans = [(start, start + size) for start, size in starts]
    positions = sorted(range(len(items)), key=lambda index: spans[index][0])
    groups: list[list[int]] = []
    end, size = float("-inf"), 0.0
    for position in positions:
        start, stop = spans[position]
        overlap = end - start
        if not groups or overlap <= TOLERANCE * min(size, stop - start):
            groups.append([])
            end, size = stop, stop - start
        elif stop > end:
            end, size = stop, max(size, stop - start)
        groups[-1].append(position)
    return [[items[position] for position in sorted(group)] for group in groups]
