"""The tokens of Rich Text Format 1.9.1: groups, control words and symbols, and text."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

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
