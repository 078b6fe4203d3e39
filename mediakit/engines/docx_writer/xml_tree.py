"""A tree of XML elements that is built quickly and written with the prefixes of its names.

Documents have hundreds of thousands of elements. lxml takes about ten times as long to create them one by one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

Value = str | int | float

_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""

_TEXT_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_ATTRIBUTE_ESCAPES = {**_TEXT_ESCAPES, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
_IN_TEXT = re.compile("[&<>\r]")
_IN_ATTRIBUTE = re.compile('[&<>"\r\n\t]')


class Element:
    """An element such as `w:p`, with attributes, and either text or children."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(
        self,
        tag: str,
        attributes: Mapping[str, Value] | None = None,
        children: Iterable["Element"] = (),
        text: str = "",
    ) -> None:
        self.tag = tag
        """Name with its prefix."""
        self.attributes: dict[str, str] = {key: str(value) for key, value in (attributes or {}).items()}
        self.children = list(children)
        self.text = text

    def get(self, *names: str) -> "Element | None":
        """Return the first child of a name; with more names, its first child of the next name, and so on."""
        element: Element | None = self
        for name in names:
            children: list[Element] = element.children if element else []
            element = next((child for child in children if child.tag == name), None)
        return element

    def iter(self, tag: str) -> Iterator["Element"]:
        """Yield the elements of a name in this one, in their order. This one is not among them."""
        waiting = self.children[::-1]
        while waiting:
            element = waiting.pop()
            if element.tag == tag:
                yield element
            waiting += element.children[::-1]


def valid_text(text: str) -> str:
    """Return text without the characters that XML does not allow."""
    return _INVALID.sub("", text)


def to_xml(root: Element, namespaces: Mapping[str, str]) -> bytes:
    """Return a document as XML. `namespaces` are by prefix; the empty one is for names without a prefix."""
    declared = {f"xmlns:{prefix}" if prefix else "xmlns": uri for prefix, uri in namespaces.items()}
    pieces = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n']
    waiting: list[Element | str] = [Element(root.tag, {**declared, **root.attributes}, root.children, root.text)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            pieces.append(each)
            continue
        attributes = "".join(f' {key}="{_escape_attribute(value)}"' for key, value in each.attributes.items())
        if each.children:
            pieces.append(f"<{each.tag}{attributes}>")
            waiting.append(f"</{each.tag}>")
            waiting += each.children[::-1]
        elif each.text:
            pieces.append(f"<{each.tag}{attributes}>{_escape_text(each.text)}</{each.tag}>")
        else:
            pieces.append(f"<{each.tag}{attributes}/>")
    return "".join(pieces).encode()


def _escape_text(text: str) -> str:
    return _IN_TEXT.sub(lambda found: _TEXT_ESCAPES[found[0]], valid_text(text))


def _escape_attribute(text: str) -> str:
    return _IN_ATTRIBUTE.sub(lambda found: _ATTRIBUTE_ESCAPES[found[0]], valid_text(text))
