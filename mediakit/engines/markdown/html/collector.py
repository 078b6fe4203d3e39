"""Collects the inline content of elements as tokens, and finds the footnotes that they reference."""

import re
from collections.abc import Callable, Mapping
from html import escape
from itertools import islice
from typing import Protocol

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.html import elements
from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    EMPHASIS_MARKS,
    IGNORED_ELEMENTS,
    INLINE_CODE_ELEMENTS,
    MarkdownOptions,
    class_names,
    drop,
    is_hidden,
    is_plain_and_empty,
    tag_name,
)
from mediakit.engines.markdown.html.elements import has_text as element_has_text
from mediakit.engines.markdown.html.formulas import formula_of_math
from mediakit.engines.markdown.inline import code_span, link_destination
from mediakit.engines.markdown.tokens import Token

_FOOTNOTE_ID = re.compile(
    r"^(?:fn|footnote|cite_note|endnote|note|ftn|_ftn|easy-footnote|sdfootnote)[-_:.]?", re.IGNORECASE
)
_BACK_LINK_TEXT = re.compile(r"^[\s↩︎⏎^↑⤴\u2191\ufe0e\[\]]*$")

_BACK_LINK_MARK = re.compile(r"\W*\w{0,3}(?:[.,]\w{1,2})?\W*")
"""Text of a link back to a reference of the same note, such as "a" or "1.0". Words are part of the note."""

_LABEL = re.compile(r"[a-z]?[1-9][0-9]{0,5}")

_NUMBERED_FOOTNOTE_ID = re.compile(r"(?:fn|footnote|endnote)[-_:.]?\d{1,4}", re.IGNORECASE)
"""IDs of footnotes in lists without a class name. References such as `cite_note-1` stay a list there."""

_REFERENCE_TEXT = re.compile(r"\s*[\[(]?\s*\d{1,4}\s*[\])]?\s*")
"""Text of a link to a footnote: its number."""

_LIST_OF_REFERENCES = re.compile("references|endnotes")
"""Class names of lists whose items are footnotes only if their IDs are those of footnotes."""

Footnotes = dict[str, HtmlElement]
"""The items of one footnote list by label."""


def find_footnotes(root: HtmlElement) -> dict[HtmlElement, Footnotes]:
    """Return the footnote lists whose items are referenced in the page, and remove their links back to the text."""
    links: dict[str, HtmlElement] = {}
    sources: dict[str, set[str]] = {}  # the names of references and around them, to which links back point
    for reference in root.iter("a"):
        _, separator, name = (reference.get("href") or "").rpartition("#")
        if separator:
            links[name] = reference
            around = (reference, *islice(reference.iterancestors("sup", "span"), 2))
            names = (each.get(attribute) for each in around for attribute in ("id", "name"))
            sources.setdefault(name, set()).update(filter(None, names))
    lists: dict[HtmlElement, Footnotes] = {}
    number = 0
    for item in root.xpath("//ol/li[@id]"):
        link = links.get(item.get("id") or "")
        if link is not None and _is_footnote(item, link):
            number += 1
            label = item.get("data-label") or ""  # of a document; the footnotes of web pages are counted
            lists.setdefault(item.getparent(), {})[label if _LABEL.fullmatch(label) else str(number)] = item
    found = {element: items for element, items in lists.items() if len(items) == len(element.findall("li"))}
    for items in found.values():
        for item in items.values():
            _drop_back_links(item, sources.get(item.get("id") or "", set()))
    return found


def _is_footnote(item: HtmlElement, link: HtmlElement) -> bool:
    """Return whether a list item is a footnote by its ID and its reference, or by its ID and the names around it."""
    name = item.get("id") or ""
    if _NUMBERED_FOOTNOTE_ID.fullmatch(name) and _REFERENCE_TEXT.fullmatch(link.text_content()):
        return True
    names = " ".join(f"{class_names(element)} {element.get('role') or ''}" for element in item.iterancestors())
    is_list_of_notes = "footnote" in names or "doc-endnotes" in names
    return is_list_of_notes or (_FOOTNOTE_ID.match(name) is not None and _LIST_OF_REFERENCES.search(names) is not None)


def footnote_labels(footnotes: Mapping[HtmlElement, Footnotes]) -> dict[str, str]:
    """Return each footnote's label by the `id` of its item."""
    return {item.get("id") or "": label for items in footnotes.values() for label, item in items.items()}


def _drop_back_links(item: HtmlElement, sources: set[str]) -> None:
    """Remove the links from a footnote back to its references, and the signs around them."""
    for link in item.findall(".//a"):
        _, separator, name = (link.get("href") or "").rpartition("#")
        pattern = _BACK_LINK_MARK if name in sources else _BACK_LINK_TEXT
        if separator and pattern.fullmatch(link.text_content()):
            parent = link.getparent()
            link.drop_tree()
            if parent is not None and parent.tag in ("span", "sup") and _BACK_LINK_TEXT.match(parent.text_content()):
                drop(parent)


SCRIPT_CHARACTERS = {"sup": ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "^"), "sub": ("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ", "")}
_ALT_SPECIAL = re.compile(r"[\\\[\]`*_<]")
_NEWLINE = re.compile(r"\r\n?|\n")
MAX_CODE_PADDING = 8
"""Spaces at both ends of inline code that are kept. More are indentation of the source."""

MAX_FOOTNOTE_REFERENCE_CHARACTERS = 12

ENCLOSING_CHARACTERS = {"q": ("“", "”"), "rt": ("(", ")")}
"""Characters around the contents of elements, as browsers show them."""

Collect = Callable[[HtmlElement, list[Token], str], None]

_DIGITS = "0123456789+-=()n"
_INVISIBLE = "\u00ad\ufeff\u2060"


class TokenCollector:
    """Collects tokens. `block_break` is written where a block element starts or ends inside a line."""

    def __init__(self, root: HtmlElement, options: MarkdownOptions, footnote_labels: dict[str, str]) -> None:
        self.options = options
        self._root = root
        self._linked_texts: set[str] | None = None
        """Addresses of links with text. Found when they are first needed."""
        self._footnote_labels = footnote_labels
        """Labels of footnotes by the `id` that references link to."""
        self._collectors: dict[str, Collect] = {
            **dict.fromkeys(INLINE_CODE_ELEMENTS, self._add_code),
            **dict.fromkeys(EMPHASIS_MARKS, self._add_marked),
            **dict.fromkeys(SCRIPT_CHARACTERS, self._add_script),
            **dict.fromkeys(ENCLOSING_CHARACTERS, self._add_enclosed),
            "a": self._add_link,
            "pre": self._add_code_lines,
            "img": self._add_image,
            "math": self._add_formula,
        }

    def add_text(self, text: str | None, line: list[Token]) -> None:
        """Add a text."""
        if text:
            line.append(Token("text", remove_invisible(text)))

    def add_content(self, element: HtmlElement, line: list[Token], *, block_break: str = " ") -> None:
        """Add the contents of an element."""
        self.add_text(element.text, line)
        for child in element:
            self.add_element(child, line, block_break=block_break)
            self.add_text(child.tail, line)

    def add_element(self, element: HtmlElement, line: list[Token], *, block_break: str = " ") -> None:
        """Add an element."""
        tag = tag_name(element)
        if tag == "br":
            line.append(Token("break"))
        elif tag in IGNORED_ELEMENTS or not tag or is_hidden(element):
            return
        elif collect := self._collectors.get(tag):
            collect(element, line, block_break)
        else:
            is_block = tag in BLOCK_ELEMENTS
            if is_block:
                self._add_break(line, block_break)
            self.add_content(element, line, block_break=block_break)
            if is_block:
                self._add_break(line, block_break)

    def wrap(self, line: list[Token], mark: str, url: str = "", title: str | None = None) -> list[Token]:
        """Return a line between the open and close tokens of a mark."""
        return [Token("open", url, mark, title), *line, Token("close", mark=mark)]

    def _add_marked(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        inner: list[Token] = []
        self.add_content(element, inner, block_break=block_break)
        line += self.wrap(inner, EMPHASIS_MARKS.get(tag := tag_name(element), tag))

    def _add_script(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        """Add superscript or subscript, in plain text as their digits or else after a sign."""
        if self.options.plain:
            text = " ".join(element.text_content().split())
            digits, sign = SCRIPT_CHARACTERS[tag_name(element)]
            if all(character in _DIGITS for character in text):
                text = text.translate(str.maketrans(_DIGITS, digits))
            else:
                text = f"{sign}{text}" if len(text) < 2 or not sign else f"{sign}({text})"
            line.append(Token("text", text))
        elif label := self._footnote_label(element):
            line.append(Token("raw", f"[^{label}]"))
        else:
            self._add_marked(element, line, block_break)

    def _add_enclosed(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        before, after = ENCLOSING_CHARACTERS[tag_name(element)]
        line.append(Token("text", before))
        self.add_content(element, line, block_break=block_break)
        line.append(Token("text", after))

    def _add_link(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        if label := self._footnote_label(element):
            line.append(Token("raw", f"[^{label}]"))
            return
        inner: list[Token] = []
        self.add_content(element, inner, block_break=block_break)
        if self.options.keep_anchors and not inner and (name := element.get("data-anchor")):
            line.append(Token("raw", "" if self.options.plain else f'<a id="{escape(name)}"></a>'))
            return
        url = self.link_url(element)
        if not inner and self.options.keep_empty and is_plain_and_empty(element) and url:
            line.append(Token("raw", f"[]({link_destination(url, element.get('title'))})"))
            return
        if url or (self.options.keep_empty and self._is_included_link(element)):
            title = element.get("title") or None
            if title and title in (element.get("href"), None if self.options.keep_empty else element.text_content()):
                title = None  # it repeats the address or the text
            inner = self.wrap(inner, "link", url, title)
        line += inner

    def link_url(self, element: HtmlElement) -> str:
        """Return the address of a link. Empty if links are not included."""
        if not self._is_included_link(element):
            return ""
        if not (element.get("href") or "").strip():
            return self.options.base_url or ("" if self.options.keep_empty else "#")
        return self.options.link_url(element.get("href"))

    def _is_included_link(self, element: HtmlElement) -> bool:
        return self.options.include_links and not self.options.plain and element.get("href") is not None

    def _footnote_label(self, element: HtmlElement) -> str:
        """Return the label of the footnote that an element references. Empty for other elements."""
        if not self._footnote_labels:
            return ""
        link = element if element.tag == "a" else next(element.iter("a"), None)
        if link is None or len(element.text_content()) > MAX_FOOTNOTE_REFERENCE_CHARACTERS:
            return ""
        _, separator, target = (link.get("href") or "").rpartition("#")
        return self._footnote_labels.get(target, "") if separator else ""

    def _add_image(self, element: HtmlElement, line: list[Token], _block_break: str) -> None:
        if elements.is_tracking_pixel(element):
            return
        alt = elements.alt_text(element)
        if not self.options.include_images or elements.is_emoji(element):
            if elements.is_text(element) and not self._repeats_link(element):
                line.append(Token("text", alt))
            return
        url = elements.image_url(element, self.options)
        if self.options.plain:
            line.append(Token("text", f" ({alt}) " if alt else ""))
        elif url:
            escaped = _ALT_SPECIAL.sub(r"\\\g<0>", alt)
            line.append(Token("raw", f"![{escaped}]({link_destination(url, element.get('title'))})"))

    def _repeats_link(self, image: HtmlElement) -> bool:
        """Return whether an image links to a page that a text links to, too, as the thumbnail of a teaser does."""
        link = next(image.iterancestors("a"), None)
        if link is None or element_has_text(link):
            return False
        if self._linked_texts is None:
            self._linked_texts = {each.get("href") or "" for each in self._root.iter("a") if element_has_text(each)}
        return (link.get("href") or "") in self._linked_texts

    def _add_code(self, element: HtmlElement, line: list[Token], _block_break: str) -> None:
        source = remove_invisible(element.text_content())
        text = _NEWLINE.sub(" ", source)
        inner = text.strip() or text[:1]
        if not inner or self.options.plain:
            line.append(Token("text", text))
            return
        is_broken = source.strip("\r\n") != source
        if (1 if is_broken else 0) < len(text) - len(inner) <= MAX_CODE_PADDING:
            inner = text
        piece = [Token("raw", code_span(inner))]
        link = next(element.iter("a"), None)
        if link is not None and link.text_content().strip() == inner and (url := self.link_url(link)):
            piece = self.wrap(piece, "link", url, link.get("title"))
        start, end = ("", "") if inner == text else (text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :])
        line += [Token("text", start), *piece, Token("text", end)]

    def _add_code_lines(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        """Add the lines of a code block inside a line, for example of a table cell."""
        self._add_break(line, block_break)
        for text in remove_invisible(element.text_content()).strip("\n").splitlines() or [""]:
            if text.strip():
                line.append(Token("text", text) if self.options.plain else Token("raw", code_span(text.rstrip())))
            self._add_break(line, block_break)

    def _add_break(self, line: list[Token], block_break: str) -> None:
        line.append(Token("break") if block_break == "\n" else Token("text", block_break))

    def _add_formula(self, element: HtmlElement, line: list[Token], _block_break: str) -> None:
        tex, display = formula_of_math(element)
        if tex:
            sign = "" if self.options.plain else "$$" if display else "$"
            line.append(Token("raw", f"{sign}{tex}{sign}"))


def remove_invisible(text: str) -> str:
    """Return a text without soft hyphens, word joiners and byte order marks."""
    if not text.isascii():
        for character in _INVISIBLE:
            text = text.replace(character, "")
    return text


class BlockWriter(Protocol):
    """Writes the contents of elements. `writer.MarkdownWriter` implements it."""

    @property
    def options(self) -> MarkdownOptions:
        """The options of the conversion."""

    @property
    def collector(self) -> TokenCollector:
        """The collector of the tokens of inline content."""

    @property
    def footnotes(self) -> Mapping[HtmlElement, Footnotes]:
        """The footnote lists of the page."""

    def write_children(self, element: HtmlElement) -> list[Block]:
        """Return the contents of an element as Markdown blocks."""

    def write_element(self, element: HtmlElement) -> list[Block]:
        """Return a block element as Markdown blocks."""


ElementWriter = Callable[[BlockWriter, HtmlElement, Block | None], list[Block]]
"""A function that returns an element as Markdown blocks. Its last argument is the previous block, if any."""
