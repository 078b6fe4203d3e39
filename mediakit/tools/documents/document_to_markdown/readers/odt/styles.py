"""Styles of OpenDocument: the marks of texts, the roles of paragraphs, and the levels of lists."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mediakit.tools.documents.document_to_markdown.readers.odt.names import FO, OFFICE, STYLE, TEXT, Element, count
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    CODE,
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Mark,
    Marks,
)

Role = Literal["", "title", "code", "quote"]
MAX_INHERITANCE = 30

_ESCAPE = re.compile(r"_([0-9a-f]{2})_")
_ROLES: dict[str, Role] = {
    "title": "title",
    "preformattedtext": "code",
    "sourcecode": "code",
    "code": "code",
    "codeblock": "code",
    "quotations": "quote",
    "quotation": "quote",
    "quote": "quote",
    "blockquote": "quote",
}
_INLINE_CODE = frozenset(("sourcetext", "teletype", "userentry", "sourcecode", "verbatimchar", "code"))
_BOLD = frozenset(("bold", "600", "700", "800", "900"))
_ITALIC = frozenset(("italic", "oblique"))


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level of a list style."""

    is_ordered: bool
    start: int = 1


class OpenStyles:
    """The styles of a document: the common ones of `styles.xml` and the automatic ones of `content.xml`."""

    def __init__(self, roots: list[Element]) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._automatic: set[tuple[str, str]] = set()
        self._lists: dict[str, dict[int, ListLevel]] = {}
        self._marks: dict[tuple[str, str], Marks | None] = {}
        self._roles: dict[str, Role] = {}
        for root in roots:
            for style in root.iter(f"{STYLE}style"):
                key = style.get(f"{STYLE}family") or "", style.get(f"{STYLE}name") or ""
                self._styles[key] = style
                parent = style.getparent()
                if parent is not None and parent.tag == f"{OFFICE}automatic-styles":
                    self._automatic.add(key)
            for listed in root.iter(f"{TEXT}list-style"):
                self._lists[listed.get(f"{STYLE}name") or ""] = _read_levels(listed)

    def text_marks(self, name: str) -> Marks | None:
        """Return the marks of a text style, also those that it inherits. None if its text is hidden."""
        return self._cached("text", name)

    def paragraph_marks(self, name: str) -> Marks | None:
        """Return the marks of direct formatting of a whole paragraph, which is stored as an automatic style.

        None if the paragraph is hidden.
        """
        return self._cached("paragraph", name) if ("paragraph", name) in self._automatic else ()

    def role(self, name: str) -> Role:
        """Return the role of the paragraphs that have a style, or one that is based on it."""
        if name not in self._roles:
            keys = (_key(style) for style in self._chain("paragraph", name))
            self._roles[name] = next((_ROLES[key] for key in keys if key in _ROLES), _ROLES.get(_plain(name), ""))
        return self._roles[name]

    def list_level(self, name: str, level: int) -> ListLevel:
        """Return a level of a list style, from 1. Undefined ones have bullets."""
        return self._lists.get(name, {}).get(level, ListLevel(is_ordered=False))

    def _cached(self, family: str, name: str) -> Marks | None:
        key = family, name
        if key not in self._marks:
            self._marks[key] = self._read_marks(family, name)
        return self._marks[key]

    def _chain(self, family: str, name: str) -> Iterator[Element]:
        for _ in range(MAX_INHERITANCE):
            style = self._styles.get((family, name))
            if style is None:
                return
            yield style
            name = style.get(f"{STYLE}parent-style-name") or ""

    def _read_marks(self, family: str, name: str) -> Marks | None:
        found: dict[str, Mark | None] = {}
        is_code = family == "text" and _plain(name) in _INLINE_CODE
        for style in self._chain(family, name):
            if family == "paragraph" and (family, style.get(f"{STYLE}name")) not in self._automatic:
                break
            is_code = is_code or (family == "text" and _key(style) in _INLINE_CODE)
            properties = style.find(f"{STYLE}text-properties")
            if properties is None:
                continue
            if properties.get(f"{TEXT}display") == "none":
                return None
            for kind, mark in _properties(properties):
                found.setdefault(kind, mark)
        marks = tuple(dict.fromkeys(mark for mark in found.values() if mark))
        return (*marks, CODE) if is_code else marks


def _properties(properties: Element) -> Iterator[tuple[str, Mark | None]]:
    """Yield the kinds of marks that properties specify, with None for those that they switch off."""
    if weight := properties.get(f"{FO}font-weight"):
        yield "strong", STRONG if weight in _BOLD else None
    if slant := properties.get(f"{FO}font-style"):
        yield "em", EMPHASIS if slant in _ITALIC else None
    line = properties.get(f"{STYLE}text-line-through-style") or properties.get(f"{STYLE}text-line-through-type")
    if line:
        yield "del", STRIKE if line != "none" else None
    if position := properties.get(f"{STYLE}text-position"):
        yield "script", _script(position)


def _script(position: str) -> Mark | None:
    """Return the mark of a text position such as `super 58%` or `-33% 58%`."""
    raised = position.split(maxsplit=1)[0] if position.split() else ""
    if raised == "super":
        return SUPERSCRIPT
    if raised == "sub" or raised.startswith("-"):
        return SUBSCRIPT
    return SUPERSCRIPT if raised.rstrip("%").isdigit() and raised.rstrip("%") != "0" else None


def _read_levels(listed: Element) -> dict[int, ListLevel]:
    levels = {}
    for element in listed:
        is_numbered = element.tag == f"{TEXT}list-level-style-number" and bool(element.get(f"{STYLE}num-format"))
        start = count(element.get(f"{TEXT}start-value"))
        levels[count(element.get(f"{TEXT}level"))] = ListLevel(is_numbered, start)
    return levels


def _key(style: Element) -> str:
    return _plain(style.get(f"{STYLE}display-name") or style.get(f"{STYLE}name") or "")


def _plain(name: str) -> str:
    """Return a name in lower case without spaces, which style names write as `_20_`."""
    return re.sub(r"[\s_-]", "", _ESCAPE.sub(lambda match: chr(int(match[1], 16)), name.lower()))
