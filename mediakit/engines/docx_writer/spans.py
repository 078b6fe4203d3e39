"""Inline content of a paragraph: pieces of text and elements, each with its format."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from mediakit.engines.docx_writer.xml_tree import Element


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a hyperlink: an address, or a bookmark of the document."""

    address: str = ""
    bookmark: str = ""
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a run."""

    style: str | None = None
    """ID of a character style."""
    bold: bool = False
    italic: bool = False
    strike: bool = False
    underline: bool = False
    highlight: bool = False
    position: Literal["superscript", "subscript"] | None = None
    color: str | None = None
    link: Link | None = None


PLAIN = Format()


@dataclass(slots=True)
class Span:
    """A piece of text, or an element such as an image, which has no text."""

    format: Format
    text: str = ""
    element: Element | None = None


_SPACE = re.compile("[ \t\n\r\f]+")


@dataclass
class InlineContent:
    """Collects the inline content of one paragraph, with white space collapsed as HTML does it."""

    spans: list[Span] = field(default_factory=list)
    _ends_in_space: bool = True

    def add_text(self, text: str, text_format: Format) -> None:
        """Add text. White space collapses, also across elements, and is removed at the beginning of a line."""
        collapsed = _SPACE.sub(" ", text)
        if self._ends_in_space:
            collapsed = collapsed.removeprefix(" ")
        if not collapsed:
            return
        self._ends_in_space = collapsed.endswith(" ")
        self.add_verbatim(collapsed, text_format)

    def add_verbatim(self, text: str, text_format: Format) -> None:
        """Add text whose white space counts."""
        last = self.spans[-1] if self.spans else None
        if last and last.element is None and last.format == text_format:
            last.text += text
        else:
            self.spans.append(Span(text_format, text))

    def add_break(self) -> None:
        """Add a line break."""
        self._trim_end()
        self.add_verbatim("\n", PLAIN)
        self._ends_in_space = True

    def add_element(self, element: Element, text_format: Format = PLAIN) -> None:
        """Add an element of a paragraph."""
        self.spans.append(Span(text_format, element=element))
        self._ends_in_space = False

    def add_marker(self, element: Element) -> None:
        """Add an element without width, such as a bookmark. White space around it collapses as if it were absent."""
        self.spans.append(Span(PLAIN, element=element))

    def finish(self) -> list[Span]:
        """Return the spans without white space and line breaks at the end."""
        self._trim_end()
        while self.spans and self.spans[-1].text == "\n":
            self.spans.pop()
            self._trim_end()
        return self.spans

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not any(span.element is not None or span.text.strip() for span in self.spans)

    def _trim_end(self) -> None:
        if self.spans and self.spans[-1].element is None:
            self.spans[-1].text = self.spans[-1].text.rstrip(" ")
            if not self.spans[-1].text:
                self.spans.pop()


def by_link(spans: list[Span]) -> Iterator[tuple[Link | None, list[Span]]]:
    """Group consecutive spans by their link."""
    group: list[Span] = []
    for span in spans:
        if group and group[-1].format.link != span.format.link:
            yield group[0].format.link, group
            group = []
        group.append(span)
    if group:
        yield group[0].format.link, group
