"""The language of Rich Text Format 1.9.1: its tokens, control words and charsets."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from mediakit.engines.markdown.html.elements import word_set

Kind = Literal["begin", "end", "word", "symbol", "byte", "text", "binary"]

_TOKEN = re.compile(
    rb"\\(?:(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|'(?P<hex>[0-9a-fA-F]{2})|(?P<symbol>[^a-zA-Z]))"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n\0]+)"
)


class Token(NamedTuple):
    """A token."""

    kind: Kind
    name: str = ""
    """The control word or symbol."""
    number: int | None = None
    """The parameter of a control word, or the value of a byte of text."""
    content: bytes = b""
    """Text, or binary data."""


_BEGIN, _END = Token("begin"), Token("end")


def tokens(content: bytes) -> Iterator[Token]:
    """Yield the tokens of a document. Characters between them that are none are skipped."""
    position = 0
    while match := _TOKEN.search(content, position):
        position = match.end()
        kind = match.lastgroup
        if kind == "brace":
            yield _BEGIN if match[0] == b"{" else _END
        elif kind == "text":
            yield Token("text", content=match[0])
        elif kind == "hex":
            yield Token("byte", number=int(match["hex"], 16))
        elif kind == "symbol":
            yield Token("symbol", match[0][1:].decode("latin-1"))
        else:
            name, number = match["word"].decode(), match["number"]
            value = None if number is None else int(number)
            if name == "bin" and value:
                end = position + max(0, value)
                yield Token("binary", content=content[position:end])
                position = end
            else:
                yield Token("word", name, value)


_WORDS = json.loads((Path(__file__).parent / "words.json").read_text("utf-8"))

CHARACTERS: Mapping[str, str] = _WORDS["characters"]
SYMBOLS: Mapping[str, str] = _WORDS["symbols"]
"""Characters by their control word, and by their control symbol."""

TRANSPARENT = word_set("shppict shpinst fldrslt field")
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


def begins_pair(byte: int, charset: str) -> bool:
    """Return whether a byte is the first one of a character of two bytes."""
    if charset not in _DOUBLE_BYTE or byte < 0x81:
        return False
    return not (charset == "cp932" and 0xA0 <= byte <= 0xDF)


def join_surrogates(text: str) -> str:
    """Return a text whose pairs of surrogates are characters. Lone ones become replacement characters."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
