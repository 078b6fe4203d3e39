"""Elements of WordprocessingML: namespaces, a constructor, and property containers in the order of the schema."""

from collections.abc import Iterable, Mapping

from mediakit.engines.docx_writer.element_order import ELEMENT_ORDER
from mediakit.engines.docx_writer.xml_tree import Element, Value, to_xml

NAMESPACES: Mapping[str, str] = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
}

TWIPS_PER_MM = 1440 / 25.4
EMU_PER_TWIP = 635
EMU_PER_PIXEL = 9525
"""At 96 pixels per inch."""


def make(name: str, attributes: Mapping[str, Value] | None = None, *children: Element) -> Element:
    """Return an element of any namespace. Attributes without a prefix have no namespace."""
    return Element(name, attributes, children)


def w(name: str, /, *children: Element, **attributes: Value) -> Element:
    """Return an element of the namespace `w`, with attributes of the same namespace."""
    return Element(f"w:{name}", {f"w:{key}": value for key, value in attributes.items()}, children)


def text_element(name: str, text: str) -> Element:
    """Return an element with text whose spaces are kept, such as `w:t` or `m:t`."""
    keeps = text != text.strip() or "  " in text
    return Element(name, {"xml:space": "preserve"} if keeps else None, text=text)


def properties(name: str, children: Iterable[Element]) -> Element:
    """Return a property container such as `w:pPr`, its children in the order that the schema requires."""
    return Element(name, None, sorted(children, key=lambda child: _position(name, child)))


def add_property(container: Element, child: Element) -> None:
    """Set one property of a container. A property of the same name is replaced."""
    remove_property(container, child.tag)
    place = _position(container.tag, child)
    at = sum(1 for present in container.children if _position(container.tag, present) <= place)
    container.children.insert(at, child)


def remove_property(container: Element, name: str) -> None:
    """Remove a property such as `w:ind` from a container."""
    container.children = [present for present in container.children if present.tag != name]


def _position(container: str, child: Element) -> int:
    return ELEMENT_ORDER[container][child.tag]


def serialize(root: Element) -> bytes:
    """Return a part as XML with its declaration."""
    return to_xml(root, NAMESPACES)
