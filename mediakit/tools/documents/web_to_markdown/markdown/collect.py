"""A stretch of a page without blocks to the tokens of a line."""

import re
from collections.abc import Callable

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown import mathematics, pictures
from mediakit.tools.documents.web_to_markdown.markdown.elements import (
    BLOCKS,
    EMPHASIS,
    MONOSPACED,
    SILENT,
    is_hidden,
    name,
)
from mediakit.tools.documents.web_to_markdown.markdown.inline import code_span, destination
from mediakit.tools.documents.web_to_markdown.markdown.style import Style
from mediakit.tools.documents.web_to_markdown.markdown.tokens import Token

SMALL = {"sup": ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "^"), "sub": ("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ", "")}
_NEWLINE = re.compile(r"\r\n?|\n")
MOST_PADDING = 8
"""Spaces at both ends of inline code that are meant; more are a template's indentation."""
BETWEEN = {"q": ("“", "”"), "rt": ("(", ")")}
"""Elements that browsers put signs around."""

Collect = Callable[[HtmlElement, list[Token], str], None]

_DIGITS = "0123456789+-=()n"
INVISIBLE = str.maketrans("", "", "\u00ad\ufeff\u2060")


class Collector:
    """Collects tokens; `block_break` is what stands where a block begins or ends inside the line."""

    def __init__(self, style: Style, notes: dict[str, str]) -> None:
        self.style = style
        self.notes = notes
        """Footnotes: the `id` that a reference leads to, and the footnote's label."""
        self._special: dict[str, Collect] = {
            **dict.fromkeys(MONOSPACED, self._code),
            **dict.fromkeys(EMPHASIS, self._emphasis),
            **dict.fromkeys(SMALL, self._small),
            **dict.fromkeys(BETWEEN, self._between),
            "a": self._link,
        }

    def text(self, text: str | None, line: list[Token]) -> None:
        """Collect a text."""
        if text:
            line.append(Token("text", text.translate(INVISIBLE)))

    def content(self, element: HtmlElement, line: list[Token], *, block_break: str = " ") -> None:
        """Collect what stands inside an element."""
        self.text(element.text, line)
        for child in element:
            self.element(child, line, block_break=block_break)
            self.text(child.tail, line)

    def element(self, element: HtmlElement, line: list[Token], *, block_break: str = " ") -> None:
        """Collect an element."""
        tag = name(element)
        if tag == "br":
            line.append(Token("break"))
        elif tag == "img":
            self._picture(element, line)
        elif self._formula(element, line) or tag in SILENT or not tag or is_hidden(element):
            return
        elif collect := self._special.get(tag):
            collect(element, line, block_break)
        else:
            inside = tag in BLOCKS
            self._break(line, block_break, needed=inside)
            self.content(element, line, block_break=block_break)
            self._break(line, block_break, needed=inside)

    def wrapped(self, line: list[Token], mark: str, address: str = "", title: str | None = None) -> list[Token]:
        """Put a mark around a line."""
        return [Token("open", address, mark, title), *line, Token("close", mark=mark)]

    def _emphasis(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        self._marked(element, line, EMPHASIS[name(element)], block_break)

    def _marked(self, element: HtmlElement, line: list[Token], mark: str, block_break: str) -> None:
        inner: list[Token] = []
        self.content(element, inner, block_break=block_break)
        line += self.wrapped(inner, mark)

    def _small(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        if self.style.plain:
            line.append(Token("text", _raised(" ".join(element.text_content().split()), *SMALL[name(element)])))
        elif label := self._note(element):
            line.append(Token("raw", f"[^{label}]"))
        else:
            self._marked(element, line, name(element), block_break)

    def _between(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        before, after = BETWEEN[name(element)]
        line.append(Token("text", before))
        self.content(element, line, block_break=block_break)
        line.append(Token("text", after))

    def _link(self, element: HtmlElement, line: list[Token], block_break: str) -> None:
        if label := self._note(element):
            line.append(Token("raw", f"[^{label}]"))
            return
        inner: list[Token] = []
        self.content(element, inner, block_break=block_break)
        address = self.link(element)
        line += self.wrapped(inner, "link", address, _title(element)) if address else inner

    def link(self, element: HtmlElement) -> str:
        """Give where a link leads; nothing where addresses are not asked for."""
        wanted = self.style.links and not self.style.plain and element.get("href") is not None
        if wanted and not (element.get("href") or "").strip():
            return "#" if not self.style.base else self.style.base
        return self.style.address(element.get("href")) if wanted else ""

    def _note(self, element: HtmlElement) -> str:
        """Give the label of the footnote that an element refers to."""
        if not self.notes:
            return ""
        link = element if element.tag == "a" else next(element.iter("a"), None)
        if link is None or len(element.text_content()) > 12:
            return ""
        return (
            self.notes.get((link.get("href") or "").rpartition("#")[2], "") if "#" in (link.get("href") or "") else ""
        )

    def _picture(self, element: HtmlElement, line: list[Token]) -> None:
        if not self.style.images or pictures.is_pixel(element) or is_hidden(element):
            return
        alt, address = pictures.alt(element), pictures.address(element, self.style)
        if self.style.plain:
            line.append(Token("text", f" ({alt}) " if alt else ""))
        elif address:
            shown = alt.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace("`", "\\`")
            shown = shown.replace("*", "\\*").replace("_", "\\_").replace("<", "\\<")
            line.append(Token("raw", f"![{shown}]({destination(address, element.get('title'))})"))

    def _code(self, element: HtmlElement, line: list[Token], _block_break: str) -> None:
        text = _NEWLINE.sub(" ", element.text_content().translate(INVISIBLE))
        inner = text.strip() or text[:1]
        if not inner or self.style.plain:
            line.append(Token("text", text))
            return
        if 1 < len(text) - len(inner) <= MOST_PADDING:
            inner = text
        piece = [Token("raw", code_span(inner))]
        link = next(element.iter("a"), None)
        if link is not None and link.text_content().strip() == inner and (address := self.link(link)):
            piece = self.wrapped(piece, "link", address, link.get("title"))
        line += [
            Token("text", text[: len(text) - len(text.lstrip())]),
            *piece,
            Token("text", text[len(text.rstrip()) :]),
        ]

    def _break(self, line: list[Token], block_break: str, *, needed: bool) -> None:
        if needed:
            line.append(Token("break") if block_break == "\n" else Token("text", block_break))

    def _formula(self, element: HtmlElement, line: list[Token]) -> bool:
        if mathematics.is_preview(element):
            return True
        found = mathematics.formula(element)
        if found is None:
            return False
        tex, display = found
        if tex:
            sign = "" if self.style.plain else "$$" if display else "$"
            line.append(Token("raw", f"{sign}{tex}{sign}"))
        return True


def _title(link: HtmlElement) -> str | None:
    """Give a link's title unless it only repeats the link's text or address."""
    title = link.get("title")
    if not title or title == link.text_content() or title == link.get("href"):
        return None
    return title


def _raised(text: str, signs: str, otherwise: str) -> str:
    if all(character in _DIGITS for character in text):
        return text.translate(str.maketrans(_DIGITS, signs))
    return f"{otherwise}{text}" if len(text) < 2 or not otherwise else f"{otherwise}({text})"
