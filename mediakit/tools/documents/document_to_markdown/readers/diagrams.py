"""SmartArt diagrams as nested lists: their points, and the connections that nest them (ISO/IEC 29500-1, 21.4)."""

from collections.abc import Mapping, Sequence

from lxml import etree
from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.block_builder import new_element

_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

MAX_LEVELS = 20


def diagram_list(model: Element) -> HtmlElement | None:
    """Return the texts of a diagram as a nested list. None if it has none.

    Args:
        model: The root of the diagram's data part.
    """
    texts = {point.get("modelId") or "": _text(point) for point in model.iter(f"{_DIAGRAM}pt")}
    roots = [point.get("modelId") or "" for point in model.iter(f"{_DIAGRAM}pt") if point.get("type") == "doc"]
    children: dict[str, list[tuple[int, str]]] = {}
    for connection in model.iter(f"{_DIAGRAM}cxn"):
        if (connection.get("type") or "parOf") == "parOf":
            order = connection.get("srcOrd") or "0"
            place = int(order) if order.isdecimal() and len(order) < 10 else 0
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


def _text(point: Element) -> str:
    lines = ("".join(text.text or "" for text in line.iter(f"{_DRAWING}t")) for line in point.iter(f"{_DRAWING}p"))
    return " ".join(" ".join(lines).split())
