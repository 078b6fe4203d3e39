"""Finds the text that the cursor is in, and the call that it is an argument of."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<text>[rbuRBU]{0,2}(?P<quote>\"\"\"|'''|"|'))
    | (?P<comment>\#[^\n]*)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<comma>,)
    """,
    re.VERBOSE,
)
_CALLEE = re.compile(r"([A-Za-z_][\w.]*)\s*$", re.ASCII)
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*$", re.ASCII)


class OpenString(NamedTuple):
    """A text that is not closed yet, as an argument of a call."""

    callee: str
    """The dotted name before the parenthesis."""
    first: str
    """The source of the first argument of the call."""
    position: int
    keyword: str
    """The name of the argument; empty if it is positional."""
    is_item: bool
    """Whether the text is in a list."""
    prefix: str
    """What was typed of the text."""


class _Bracket(NamedTuple):
    sign: str
    start: int
    commas: list[int]


def open_string(source: str) -> OpenString | None:
    """Return the text at the end of the source; None if the source does not end in a text of a call."""
    brackets: list[_Bracket] = []
    position = 0
    while token := _TOKEN.search(source, position):
        position = token.end()
        if token["text"]:
            end = _end_of_text(source, position, token["quote"])
            if end is None:
                return _argument(source, brackets, token) if len(token["quote"]) == 1 else None
            position = end
        else:
            _read(token, brackets)
    return None


def _end_of_text(source: str, start: int, quote: str) -> int | None:
    """Return the end of a text; None if it is not closed. A text between single quotes ends with its line."""
    position = start
    while position < len(source):
        if source.startswith(quote, position) or (len(quote) == 1 and source[position] == "\n"):
            return position + len(quote)
        position += 2 if source[position] == "\\" else 1
    return None


def _read(token: re.Match[str], brackets: list[_Bracket]) -> None:
    if token["open"]:
        brackets.append(_Bracket(token["open"], token.end(), []))
    elif token["close"] and brackets:
        brackets.pop()
    elif token["comma"] and brackets:
        brackets[-1].commas.append(token.start())


def _argument(source: str, brackets: list[_Bracket], token: re.Match[str]) -> OpenString | None:
    is_item = bool(brackets) and brackets[-1].sign == "["
    calls = brackets[:-1] if is_item else brackets
    if not calls or calls[-1].sign != "(":
        return None
    call = calls[-1]
    callee = _CALLEE.search(source[: call.start - 1])
    starts = [call.start, *(comma + 1 for comma in call.commas)]
    before = source[starts[-1] : brackets[-1].start - 1 if is_item else token.start()]
    keyword = _KEYWORD.fullmatch(before)
    if not callee or (before.strip() and not keyword):
        return None
    first = source[call.start : call.commas[0]] if call.commas else ""
    name = keyword[1] if keyword else ""
    return OpenString(callee[1], first.strip(), len(starts) - 1, name, is_item, source[token.end() :])
