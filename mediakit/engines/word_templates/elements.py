"""The elements of Word files: their names in each namespace, and changes that leave their order valid."""

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
STRICT_DRAWING = "http://purl.oclc.org/ooxml/drawingml/main"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@cache
def _path(namespace: str, locals_: tuple[str, ...]) -> str:
    return "/".join(f"{{{namespace}}}{local}" for local in locals_)


class Words(NamedTuple):
    """The names of elements in one namespace: WordprocessingML, or DrawingML in charts."""

    namespace: str
    is_strict: bool

    def __call__(self, *locals_: str) -> str:
        """Return the name of an element in lxml's notation, or a path of several."""
        return _path(self.namespace, locals_)

    @property
    def is_word(self) -> bool:
        """Whether text belongs to a document, where it can have images, links and tables."""
        return self.namespace in (WORD, STRICT_WORD)

    def all(self, *locals_: str) -> frozenset[str]:
        """Return the names of elements."""
        return frozenset(self(local) for local in locals_)


def words_of(root: Element) -> Words:
    """Return the names of elements of a part."""
    is_strict = not {STRICT_WORD, STRICT_DRAWING}.isdisjoint(root.nsmap.values())
    if etree.QName(root).namespace in (WORD, STRICT_WORD):
        return Words(str(etree.QName(root).namespace), is_strict)
    return Words(STRICT_DRAWING if is_strict else DRAWING, is_strict)


def remove(*elements: Element | None) -> None:
    """Remove elements from their parents."""
    for element in elements:
        parent = None if element is None else element.getparent()
        if element is not None and parent is not None:
            parent.remove(element)


def set_property(properties: Element, order: Sequence[str], words: Words, local: str, **attributes: str) -> None:
    """Set one of the properties of a run or a cell; `order` has the names of those before it."""
    remove(*properties.findall(words(local)))
    before = words.all(*order[: order.index(local)])
    made = etree.Element(words(local), {words(name): value for name, value in attributes.items()})
    properties.insert(sum(child.tag in before for child in properties), made)


def cell_columns(cell: Element, words: Words) -> int:
    """Return how many columns of the grid a cell covers."""
    element = cell.find(words("tcPr", "gridSpan"))
    return integer(None if element is None else element.get(words("val"))) or 1


def integer(text: str | None) -> int:
    """Return the number of an attribute; 0 if it has none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def split(parent: Element, child: Element, properties: frozenset[str]) -> None:
    """Split an element so that a child becomes its sibling; both halves have its properties, empty ones are removed."""
    right = etree.Element(parent.tag, parent.attrib, nsmap=parent.nsmap)
    right.text, child.tail = child.tail, None
    right.extend([deepcopy(each) for each in parent if each.tag in properties and each is not child])
    right.extend(list(child.itersiblings()))
    parent.addnext(right)
    parent.addnext(child)
    remove(*(half for half in (parent, right) if not half.text and all(each.tag in properties for each in half)))
