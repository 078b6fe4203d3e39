"""Where the placeholders of a page stand: each place needs another escape."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Literal

PlaceKind = Literal["text", "attribute", "address", "style", "page", "comment"]

ADDRESS_ATTRIBUTES = frozenset(
    ("href", "src", "action", "formaction", "xlink:href", "poster", "data", "background", "cite", "ping", "longdesc")
)

MARK = re.compile("\ufdd0(\\d+)\ufdd1")
"""Stands for a placeholder while the page is parsed: noncharacters, which no text has."""

ELSEWHERE = "must be in the text of an element or between the quotes of an attribute."

_AFTER_BRACKET = re.compile(f"<[!/?]?{MARK.pattern}")
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")
_TAG_NAME = re.compile(r"<[^\s/>]*")


@dataclass(frozen=True)
class Place:
    """Where a placeholder stands."""

    kind: PlaceKind
    attribute: str = ""
    is_first: bool = False
    """Whether the value of the attribute begins with the placeholder."""


class PlaceError(ValueError):
    """Why a placeholder cannot stand where it does; completes a sentence that begins with the placeholder."""


def find_places(marked: str, count: int) -> list[Place]:
    """Return the place of each mark.

    Args:
        marked: The page, with a mark for each placeholder, numbered from 0.
        count: Number of marks.

    Raises:
        PlaceError: A placeholder stands where no value can be escaped; its argument is the number and the reason.
    """
    if match := _AFTER_BRACKET.search(marked):  # a value without spaces would be the name of an element
        raise PlaceError(int(match[1]), ELSEWHERE)
    finder = _Finder()
    finder.feed(marked)
    finder.close()
    for number in range(count):
        if number not in finder.places:
            raise PlaceError(number, ELSEWHERE)
    return [finder.places[number] for number in range(count)]


class _Finder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.places: dict[int, Place] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  # read from the text
        source = self.get_starttag_text() or ""
        if not MARK.search(source):
            return
        name = _TAG_NAME.match(source)
        for match in _ATTRIBUTE.finditer(source, name.end() if name else 0):
            self._attribute(match[1].lower(), match[2] or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self._refuse(data, "must not be in a script, which does not run.")
        self._note(data, Place("style" if self.cdata_elem == "style" else "text"))

    def handle_comment(self, data: str) -> None:
        self._note(data, Place("comment"))

    def _attribute(self, name: str, quoted: str) -> None:
        if quoted[:1] not in ("'", '"'):
            self._refuse(quoted, f"must be between quotes in the attribute {MARK.sub('', name)[:40]}.")
            return
        kind: PlaceKind = "address" if name in ADDRESS_ATTRIBUTES else "attribute"
        kind = {"style": "style", "srcdoc": "page"}.get(name, kind)  # type: ignore[assignment]  # kinds
        value = quoted[1:-1]
        first = MARK.match(value.lstrip())
        for match in MARK.finditer(value):
            is_first = first is not None and first[1] == match[1]
            self.places[int(match[1])] = Place(kind, name, is_first)

    def _note(self, text: str, place: Place) -> None:
        for match in MARK.finditer(text):
            self.places[int(match[1])] = place

    def _refuse(self, text: str, reason: str) -> None:
        if match := MARK.search(text):
            raise PlaceError(int(match[1]), reason)
