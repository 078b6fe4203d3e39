"""Constructors of elements, and what is read and changed of written paragraphs.

Elements are those of python-docx. Its paragraphs, runs and tables, which it builds on them, take about 100 µs for each
change: too long for documents with 100,000 elements.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from docx.oxml import ns
from docx.oxml.parser import oxml_parser
from docx.oxml.text.paragraph import CT_P
from docx.oxml.xmlchemy import BaseOxmlElement

Element = BaseOxmlElement
Value = str | int | float

EMU_PER_TWIP = 635
EMU_PER_PIXEL = 9525
"""At 96 pixels per inch."""

_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""

_W = ns.qn("w:")
_PREFIXES = {prefix: {prefix: uri} for prefix, uri in ns.nsmap.items()}

qn = cache(ns.qn)
"""Returns the name of an element or an attribute as lxml has it, for a name such as `w:p`."""

_PROPERTIES = "pStyle keepNext keepLines numPr pBdr tabs bidi spacing ind jc outlineLvl"
_ORDER = [_W + name for name in _PROPERTIES.split()]
"""Properties of paragraphs and styles that are set here, in the order of the schema (ECMA-376 part 1, 17.3.1.26)."""


def make(name: str, attributes: Mapping[str, Value] | None = None, *children: Element) -> Element:
    """Return an element such as `m:oMath`. Attributes without a prefix have no namespace."""
    element = oxml_parser.makeelement(qn(name), None, _PREFIXES[name.partition(":")[0]])
    for key, value in (attributes or {}).items():
        element.set(qn(key) if ":" in key else key, str(value))
    element.extend(children)
    return cast("Element", element)


def w(name: str, /, *children: Element, **attributes: Value) -> Element:
    """Return an element of the namespace `w`, with attributes of the same namespace."""
    element = oxml_parser.makeelement(_W + name, None, _PREFIXES["w"])
    for key, value in attributes.items():
        element.set(_W + key, str(value))
    element.extend(children)
    return cast("Element", element)


def text_element(name: str, text: str) -> Element:
    """Return an element with text whose spaces are kept, such as `w:t` or `m:t`."""
    element = make(name, {"xml:space": "preserve"} if text != text.strip() or "  " in text else None)
    element.text = valid_text(text)
    return element


def valid_text(text: str) -> str:
    """Return text without the characters that XML does not allow."""
    return _INVALID.sub("", text)


def style_of(element: Element) -> str:
    """Return the ID of a paragraph's style; empty for other elements and for paragraphs without one."""
    return (element.style or "") if isinstance(element, CT_P) else ""


def has_number(element: Element) -> bool:
    """Return whether a paragraph has a number or a bullet of its own."""
    return element.find(f"{qn('w:pPr')}/{qn('w:numPr')}") is not None


def set_property(owner: Any, child: Element) -> None:
    """Set a property of a paragraph or of a style. A property of the same name is replaced."""
    properties = owner.get_or_add_pPr()
    drop_property(owner, str(child.tag))
    position = _ORDER.index(str(child.tag))
    following = next((each for each in properties if each.tag in _ORDER[position:]), None)
    if following is None:
        properties.append(child)
    else:
        following.addprevious(child)


def drop_property(owner: Any, name: str) -> None:
    """Remove a property of a paragraph. `name` is that of lxml."""
    found = owner.find(f"{qn('w:pPr')}/{name}")
    if found is not None:
        found.getparent().remove(found)


def set_number(owner: Element, level: int, numbering: int) -> None:
    """Set the numbering and the level, from 0, of a paragraph or of a style."""
    set_property(owner, w("numPr", w("ilvl", val=level), w("numId", val=numbering)))


def set_spacing(paragraph: Element, side: str, twips: int) -> None:
    """Set the space `before` or `after` a paragraph."""
    spacing = paragraph.find(f"{qn('w:pPr')}/{qn('w:spacing')}")
    if spacing is None:
        set_property(paragraph, w("spacing", **{side: twips}))
    else:
        spacing.set(qn(f"w:{side}"), str(twips))


def gap(height: int) -> Element:
    """Return an empty paragraph of a height in twips."""
    return w("p", w("pPr", w("spacing", before=0, after=0, line=height, lineRule="exact")))
