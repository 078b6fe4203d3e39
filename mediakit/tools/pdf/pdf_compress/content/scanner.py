"""Finds the operators of a content stream that place images and show text (ISO 32000-2, 7.8.2 and annex A).

One regular expression skips everything else, so a page of paths costs little more than a search in its bytes.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

END = rb"(?=[\s/\[(<%)\]>]|$)"
START = rb"(?<![^\s\])>])"

STRING = rb"\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.)*+\))*+\))*+\)"
"""A literal string, with parentheses nested at most three deep."""

_TOKEN = re.compile(
    rb"(?P<string>" + STRING + rb")"
    rb"|<(?P<hex>[0-9A-Fa-f\s]*+)>"
    rb"|(?P<comment>%[^\r\n]*+)"
    rb"|(?P<unclosed>\()"
    rb"|" + START + rb"(?P<operator>q|Q|cm|Do|gs|Tf|T[jJ]|['\"]|BDC|DP|BI)" + END,
    re.DOTALL,
)
_SHOW = frozenset((b"Tj", b"TJ", b"'", b'"'))
_MARK = frozenset((b"BDC", b"DP"))
_NUMBER = rb"[-+.\d]+"
_NAME_OPERAND = re.compile(rb"/([^\s/\[\](){}<>%]*+)\s*$")
_FONT_OPERANDS = re.compile(rb"/([^\s/\[\](){}<>%]*+)\s*" + _NUMBER + rb"\s*$")
LOOK_BACK = 300
"""Bytes before an operator that hold its operands."""

_IMAGE_DATA = re.compile(rb"\sID[\s]")
_IMAGE_END = re.compile(rb"[\s>]EI(?=[\s/\[(<%Qq]|$)(?=[\s\x20-\x7e]{0,12}(?:$|[\s\x20-\x7e]))")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\r\n": b"", b"\n": b"", b"\r": b""}


class ContentSyntaxError(ValueError):
    """A content stream does not follow the syntax."""


class Event(NamedTuple):
    """An operator of interest."""

    operator: str
    """`q`, `Q`, `cm`, `Do`, `gs`, `Tf`, or `text` for all operators that show strings."""
    name: str = ""
    """The resource, for `Do`, `gs` and `Tf`."""
    values: tuple[float, ...] = ()
    """The matrix, for `cm`."""
    strings: tuple[bytes, ...] = ()
    """What is shown, for `text`."""


def events(data: bytes) -> Iterator[Event]:  # noqa: C901  # one case for each kind of token
    """Yield the operators of interest of a content stream.

    Raises:
        ContentSyntaxError: A string has no end, or operands are missing.
    """
    strings: list[bytes] = []
    position, search = 0, _TOKEN.search
    while token := search(data, position):
        position = token.end()
        match token.lastgroup:
            case "string":
                strings.append(unescaped(token["string"][1:-1]))
            case "hex":
                strings.append(from_hex(token["hex"]))
            case "unclosed":
                raise ContentSyntaxError("a string has no end")
            case "operator":
                operator = token["operator"]
                if operator == b"BI":
                    position = end_of_inline_image(data, position)
                elif operator in _SHOW:
                    yield Event("text", strings=tuple(strings))
                elif operator not in _MARK:
                    yield _event(operator, data[max(0, token.start() - LOOK_BACK) : token.start()])
                strings.clear()


def end_of_inline_image(data: bytes, position: int) -> int:
    """Return where an inline image ends.

    Args:
        data: The content stream.
        position: Where its dictionary begins.

    Raises:
        ContentSyntaxError: It has no end.
    """
    start = _IMAGE_DATA.search(data, position)
    end = _IMAGE_END.search(data, start.end() - 1) if start else None
    if end is None:
        raise ContentSyntaxError("an inline image has no end")
    return end.end()


def from_hex(digits: bytes) -> bytes:
    """Return the bytes of a hexadecimal string; a missing last digit is 0."""
    try:
        return bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        packed = b"".join(digits.split())
        return bytes.fromhex((packed + b"0" * (len(packed) % 2)).decode("ascii"))


def unescaped(text: bytes) -> bytes:
    """Return the bytes of a literal string without its parentheses."""
    return _ESCAPE.sub(_escaped, text) if b"\\" in text else text


def _escaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code[:1].isdigit() and code[0] < 0x38:
        return bytes([int(code, 8) & 0xFF])
    return _ESCAPED.get(code, code)


def _event(operator: bytes, before: bytes) -> Event:
    match operator:
        case b"q" | b"Q":
            return Event(operator.decode())
        case b"cm":
            return Event("cm", values=_matrix(before))
    found = (_FONT_OPERANDS if operator == b"Tf" else _NAME_OPERAND).search(before)
    if not found:
        raise ContentSyntaxError(f"{operator.decode()} has no name")
    return Event(operator.decode(), resource_name(found[1]))


def _matrix(before: bytes) -> tuple[float, ...]:
    try:
        values = tuple(float(number) for number in before.split()[-6:])
    except ValueError:
        values = ()
    if len(values) != 6:
        raise ContentSyntaxError("cm has no matrix")
    return values


def resource_name(name: bytes) -> str:
    """Return the key of a resource for a name as it is written."""
    if b"#" in name:
        name = re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), name)
    return "/" + name.decode("utf-8", "surrogateescape")
