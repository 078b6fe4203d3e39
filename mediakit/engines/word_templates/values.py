"""Prints values: runs of text, images and links."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Protocol

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.engines.word_templates.language.filters import as_text
from mediakit.engines.word_templates.language.problems import ValueProblem
from mediakit.engines.word_templates.language.scope import Bound
from mediakit.engines.word_templates.marks import text_element
from mediakit.engines.word_templates.vocabulary import RELATIONSHIPS, STRICT_RELATIONSHIPS, Vocabulary, name_of

IMAGE_KEYS = frozenset(("image", "width", "alt"))
LINK_KEYS = frozenset(("link", "text"))

_LINES = re.compile(r"\r\n?|[\x07\x0b\x85]")
_NOT_XML = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML cannot have."""
_CHARACTERS = re.compile("([\t\n\f])")


class Media(Protocol):
    """Adds images and links to a part."""

    def image(self, value: dict[str, Any], path: str) -> Element:
        """Return the drawing of an image."""

    def link(self, value: dict[str, Any], path: str) -> tuple[str, str]:
        """Return the relationship of a link and its text."""

    @property
    def link_style(self) -> Element | None:
        """The properties of a link's text."""


class Printer:
    """Makes the elements of a value in one part."""

    def __init__(self, words: Vocabulary, media: Media | None, count: "Counter") -> None:
        self._words = words
        self._media = media
        self._count = count

    def elements(self, found: Bound, properties: Element | None, around: Sequence[Element]) -> Iterator[Element]:
        """Yield the elements of a value.

        Args:
            found: The value.
            properties: The properties of its run.
            around: The elements around it, from the root.

        Raises:
            ValueProblem: The value cannot be printed here.
        """
        value = found.value
        if isinstance(value, dict) and "image" in value and value.keys() <= IMAGE_KEYS:
            yield self._image(value, found.path, properties)
        elif isinstance(value, dict) and "link" in value and value.keys() <= LINK_KEYS:
            yield from self._link(value, found.path, properties, around)
        else:
            try:
                text = as_text(value)
            except ValueProblem as problem:
                raise ValueProblem(f"{found.path} {problem.reason}") from None
            yield from self.text(text, properties)

    def text(self, text: str, properties: Element | None) -> Iterator[Element]:
        """Yield runs of a text: a newline is a line break, a tab a tab, a form feed a page break."""
        text = _NOT_XML.sub("", _LINES.sub("\n", text))
        self._count(0, len(text))
        if not text:
            return
        if not self._words.is_word:
            yield from self._drawing_text(text, properties)
            return
        run = self._run(properties)
        for part in filter(None, _CHARACTERS.split(text)):
            self._count(1, 0)
            run.append(self._character_or_text(part))
        yield run

    def _character_or_text(self, text: str) -> Element:
        match text:
            case "\t":
                return etree.Element(self._words.name("tab"))
            case "\n":
                return etree.Element(self._words.name("br"))
            case "\f":
                return etree.Element(self._words.name("br"), {self._words.name("type"): "page"})
        return text_element(text, self._words)

    def _drawing_text(self, text: str, properties: Element | None) -> Iterator[Element]:
        for number, line in enumerate(text.replace("\f", "\n").split("\n")):
            if number:
                self._count(1, 0)
                line_break = etree.Element(self._words.name("br"))
                if properties is not None:
                    line_break.append(deepcopy(properties))
                yield line_break
            if line:
                run = self._run(properties)
                run.append(text_element(line, self._words))
                yield run

    def _run(self, properties: Element | None) -> Element:
        run = etree.Element(self._words.run)
        if properties is not None:
            run.append(deepcopy(properties))
        return run

    def _image(self, value: dict[str, Any], path: str, properties: Element | None) -> Element:
        if self._media is None:
            raise ValueProblem(f"{path} is an image, which only text of the document can have")
        run = self._run(properties)
        run.append(self._media.image(value, path))
        return run

    def _link(
        self, value: dict[str, Any], path: str, properties: Element | None, around: Sequence[Element]
    ) -> Iterator[Element]:
        text = as_text(value.get("text") or value["link"])
        is_inside_link = any(element.tag == self._words.name("hyperlink") for element in around)
        if self._media is None or is_inside_link:
            yield from self.text(text, properties)
            return
        relationship, text = self._media.link(value, path)
        styled = _with_style(properties, self._media.link_style, self._words)
        hyperlink = etree.Element(self._words.name("hyperlink"), {relationship_attribute(self._words): relationship})
        hyperlink.extend(list(self.text(text, styled)))
        yield hyperlink


class Counter(Protocol):
    """Counts what is made."""

    def __call__(self, elements: int, characters: int = 0) -> None:
        """Count elements and characters."""


def relationship_attribute(words: Vocabulary, local: str = "id") -> str:
    """Return the name of an attribute that refers to a relationship."""
    return f"{{{STRICT_RELATIONSHIPS if words.is_strict else RELATIONSHIPS}}}{local}"


def _with_style(properties: Element | None, style: Element | None, words: Vocabulary) -> Element | None:
    """Return run properties with those of a link; `rStyle` is the first of them, color and underline come later."""
    if style is None:
        return properties
    made = etree.Element(words.run_properties) if properties is None else deepcopy(properties)
    for child in style:
        for old in made.findall(name_of(child)):
            made.remove(old)
    made.extend([deepcopy(child) for child in style])
    made[:] = sorted(made, key=lambda child: _position(child, words))
    return made


_RUN_ORDER = (
    "rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike", "outline", "shadow", "emboss",
    "imprint", "noProof", "snapToGrid", "vanish", "webHidden", "color", "spacing", "w", "kern", "position", "sz",
    "szCs", "highlight", "u", "effect", "bdr", "shd", "fitText", "vertAlign", "rtl", "cs", "em", "lang",
    "eastAsianLayout", "specVanish", "oMath",
)  # fmt: skip
"""The order of run properties (ECMA-376, 17.3.2.28)."""


def _position(child: Element, words: Vocabulary) -> int:
    local = etree.QName(child).localname
    return _RUN_ORDER.index(local) if child.tag == words.name(local) and local in _RUN_ORDER else len(_RUN_ORDER)
