"""Clean SVG images: no scripts, no animations, nothing from the web."""

import re
from typing import TYPE_CHECKING

from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MAX_BYTES = 20_000_000

_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*>", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_NAMESPACE = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"

REMOVED_ELEMENTS = frozenset(
    (
        *("script", "handler", "listener", "foreignObject", "iframe", "object", "embed", "audio", "video", "canvas"),
        *("a", "animate", "animateColor", "animateMotion", "animateTransform", "discard", "set"),
    )
)
_KEPT_CHILDREN = frozenset(["a"])
"""Elements that are removed without their content."""

_LOCAL = re.compile(r"\s*#")
_IMAGE_DATA = re.compile(r"\s*data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE)
_LOADS = re.compile(r"@import|expression\s*\(|image-set|\\|url\s*\(\s*[\"']?\s*(?!#|[\"'\s])", re.IGNORECASE)


def clean_svg(text: str) -> bytes | None:
    """Return an SVG image without anything that runs or loads; None if it cannot be read."""
    from lxml import etree

    source = _DECLARATION.sub("", _DOCTYPE.sub("", text, count=1)).strip()
    if len(source) > MAX_BYTES:
        return None
    try:
        root = parse_xml(source.encode(errors="replace"), "image")
    except InvalidInput:
        return None
    if etree.QName(root).localname != "svg":
        return None
    if not etree.QName(root).namespace:
        root = _with_namespace(root)
    _clean(root)
    return etree.tostring(root, encoding="utf-8")


def _with_namespace(root: "Element") -> "Element":
    """Return the tree in the namespace of SVG, without which browsers show nothing."""
    from lxml import etree

    text = etree.tostring(root, encoding="unicode")
    return parse_xml(re.sub(r"^<svg", f'<svg xmlns="{_NAMESPACE}"', text).encode(), "image")


def _clean(root: "Element") -> None:
    from lxml import etree

    for element in list(root.iter()):
        if not isinstance(element.tag, str):
            _remove(element)
        elif (name := etree.QName(element).localname) in REMOVED_ELEMENTS:
            if name in _KEPT_CHILDREN:
                element.tag = f"{{{_NAMESPACE}}}g"
                element.attrib.clear()
            else:
                _remove(element)
        else:
            _clean_attributes(element)
            if name == "style" and _LOADS.search(element.text or ""):
                _remove(element)


def _remove(element: "Element") -> None:
    parent = element.getparent()
    if parent is None:
        return
    tail, previous = element.tail or "", element.getprevious()
    if previous is not None:
        previous.tail = (previous.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)


def _clean_attributes(element: "Element") -> None:
    attributes = element.attrib
    for name, value in list(attributes.items()):
        local = name.rpartition("}")[2].lower()
        is_link = local in ("href", "src") and not (_LOCAL.match(value) or _IMAGE_DATA.match(value))
        if local.startswith("on") or is_link or _LOADS.search(value):
            del attributes[name]
