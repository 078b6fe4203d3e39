"""The language of Rich Text Format 1.9.1: its tokens and groups, its control words, and the charsets of its text."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from mediakit.engines.markdown.html.elements import word_set
from mediakit.errors import InvalidInput

Kind = Literal["begin", "end", "word", "symbol", "byte", "text", "binary"]

MAX_DEPTH = 500

_TOKEN = re.compile(
    rb"\\(?:(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|'(?P<byte>[0-9a-fA-F]{2})|(?P<symbol>[^a-zA-Z]))"
    rb"|(?P<begin>\{)|(?P<end>\})|(?P<text>[^\\{}\r\n\0]+)"
)


class Token(NamedTuple):
    """A token."""

    kind: Kind
    name: str = ""
    """The control word or symbol."""
    number: int | None = None
    """The parameter of a control word."""
    content: bytes = b""
    """Bytes of text, or binary data."""


Group: TypeAlias = "list[Token | Group]"
"""The tokens and the groups in a group."""


def tokens(content: bytes) -> Iterator[Token]:
    """Yield the tokens of a document. Characters between them that are none are skipped.

    Raises:
        InvalidInput: Groups are nested deeper than 500 levels.
    """
    position = depth = 0
    while match := _TOKEN.search(content, position):
        token = _token(match)
        position = match.end()
        if token.name == "bin" and token.number:
            start, position = position, position + max(0, token.number)
            token = Token("binary", content=content[start:position])
        depth = max(0, depth + (token.kind == "begin") - (token.kind == "end"))
        if depth > MAX_DEPTH:
            raise InvalidInput(f"file: is nested deeper than {MAX_DEPTH} levels.")
        yield token


def _token(match: re.Match[bytes]) -> Token:
    if text := match["text"]:
        return Token("text", content=text)
    if word := match["word"]:
        return Token("word", word.decode(), None if match["number"] is None else int(match["number"]))
    if byte := match["byte"]:
        return Token("byte", content=bytes((int(byte, 16),)))
    if symbol := match["symbol"]:
        return Token("symbol", symbol.decode("latin-1"))
    return Token("begin" if match["begin"] else "end")


def rest_of_group(source: Iterator[Token]) -> Group:
    """Return what follows in the current group, and read its end."""
    group: Group = []
    for token in source:
        if token.kind == "end":
            break
        group.append(rest_of_group(source) if token.kind == "begin" else token)
    return group


def subgroups(group: Group, name: str = "") -> Iterator[Group]:
    """Yield the groups in a group, at any depth if they are those that begin with a control word."""
    for inner in (item for item in group if isinstance(item, list)):
        if not name or first_word(inner) == name:
            yield inner
        elif name:
            yield from subgroups(inner, name)


def first_word(group: Group) -> str:
    """Return the control word that a group begins with, also after the symbol of optional groups."""
    return next((item.name for item in group[:2] if isinstance(item, Token) and item.kind == "word"), "")


def is_skipped(group: Group) -> bool:
    """Return whether a group inside of a table of definitions or a text has something else."""
    is_optional = bool(group) and isinstance(group[0], Token) and group[0].name == "*"
    return is_optional or first_word(group) in IGNORED_DESTINATIONS


def shown_tokens(group: Group) -> Iterator[Token]:
    """Yield the tokens of a group and of the groups in it that are not skipped."""
    around = [iter(group)]
    while around:
        for item in around[-1]:
            if isinstance(item, Token):
                yield item
            elif not is_skipped(item):
                around.append(iter(item))
                break
        else:
            around.pop()


def numbers_in(group: Group) -> dict[str, int]:
    """Return the parameters of the control words in a group and in the groups in it."""
    return {token.name: token.number or 0 for token in shown_tokens(group) if token.kind == "word"}


_WORDS = json.loads((Path(__file__).parent / "words.json").read_text("utf-8"))

CHARACTERS: Mapping[str, str] = _WORDS["characters"]
SYMBOLS: Mapping[str, str] = _WORDS["symbols"]
"""Characters by their control word, and by their control symbol."""

CHARACTER_WORDS = frozenset((*CHARACTERS, "u"))
"""Control words that are characters: those, and the one of Unicode characters."""

TRANSPARENT = word_set("shppict shpinst fldrslt field upr ud")
"""Destinations whose content belongs to the text around them."""

DESTINATIONS: Mapping[str, str] = _WORDS["destinations"]
"""Destinations that are read, and what they hold."""

IGNORED_DESTINATIONS = frozenset(_WORDS["ignored destinations"])
"""Destinations without text of the document."""

CODE_PAGES: Mapping[int, str] = {int(number): charset for number, charset in _WORDS["code pages"].items()}
"""Charsets of fonts by their number (`fcharset`)."""

SYMBOL_CHARSET = 2

NAMED_CHARSETS: Mapping[str, str] = _WORDS["charsets"]
"""Charsets of documents by their control word."""

_DOUBLE_BYTE = frozenset(("cp932", "cp949", "johab", "gbk", "cp950"))


def code_page(number: int) -> str:
    """Return the charset of a code page. Windows-1252 stands for unknown ones."""
    name = {65001: "utf-8", 10000: "mac_roman", 936: "gbk", 1361: "johab"}.get(number, f"cp{number}")
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


class Decoder:
    """Decodes the text of tokens. A character may be in two of them, or be followed by what old readers show for it."""

    def __init__(self) -> None:
        self._first_byte = b""
        """The first byte of a character of two."""
        self._skipped = 0
        """Characters to skip after a Unicode character."""

    def end_character(self) -> None:
        """Forget the first byte of a character, which a control word ends."""
        self._first_byte = b""

    def end_group(self) -> None:
        """Forget what the end of a group ends."""
        self._first_byte, self._skipped = b"", 0

    def text(self, token: Token, charset: str, fallback_characters: int = 1) -> str:
        """Return the text of a token whose bytes are in a charset; empty for other tokens.

        After a Unicode character, `fallback_characters` stand for it, which are skipped.
        """
        if token.kind not in ("text", "byte"):
            self._first_byte = b""
            if token.name == "u" and token.number is not None:
                self._skipped = fallback_characters
                return chr(token.number % 65_536)
            found = CHARACTERS if token.kind == "word" else SYMBOLS if token.kind == "symbol" else {}
            character = found.get(token.name, "")
            if character and self._skipped:
                self._skipped -= 1
                return ""
            return character
        skipped = min(self._skipped, len(token.content))
        self._skipped -= skipped
        content, self._first_byte = self._first_byte + token.content[skipped:], b""
        if token.kind == "byte" and len(content) == 1 and charset in _DOUBLE_BYTE:
            is_half_width = charset == "cp932" and 0xA0 <= content[0] <= 0xDF
            if content[0] >= 0x81 and not is_half_width:  # the first byte of a character of two
                self._first_byte = content
                return ""
        return content.decode("ascii" if content.isascii() else charset, "replace")


def text_of(group: Group, charset_of: Callable[[int], str], font: int = 0, fallback_characters: int = 1) -> str:
    """Return the text of a group.

    `charset_of` returns the charset of a font. The font, and how many characters after a Unicode character stand for
    it, are those around the group.
    """
    decoder, texts = Decoder(), list[str]()
    charset = charset_of(font)
    around = [(iter(group), charset, fallback_characters)]
    while around:
        items, charset, fallback_characters = around.pop()
        for item in items:
            if isinstance(item, list):
                if not is_skipped(item):
                    around += [(items, charset, fallback_characters), (iter(item), charset, fallback_characters)]
                    break
            elif item.kind == "word" and item.name == "f":
                charset = charset_of(1 if item.number is None else item.number)
            elif item.kind == "word" and item.name == "uc":
                fallback_characters = fallback_count(1 if item.number is None else item.number)
            else:
                texts.append(decoder.text(item, charset, fallback_characters))
        else:
            decoder.end_group()
    return "".join(texts)


def fallback_count(number: int) -> int:
    """Return how many characters stand for a Unicode character by the parameter of a control word."""
    return max(0, min(100, number))


def join_surrogates(text: str) -> str:
    """Return a text whose pairs of surrogates are characters. Lone ones become replacement characters."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
