"""Tokens of a line: texts, open and close tokens of marks, written Markdown, and line breaks."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "open", "close", "raw", "break"]

_SPACES = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
"""White space that is not a single space."""


@dataclass(slots=True)
class Token:
    """One token of a line."""

    kind: Kind
    text: str = ""
    """The text, or the address of a link."""
    mark: str = ""
    """For open and close tokens: em, strong, del, sup, sub or link."""
    title: str | None = None
    delimiter: str = ""
    """The delimiter that is chosen for a mark. Empty for HTML tags."""


def normalize_tokens(tokens: list[Token]) -> list[Token]:
    """Collapse white space as browsers do, move it out of marks, and remove empty marks."""
    normalized: list[Token] = []
    for token in _collapse_whitespace(tokens):
        if token.kind == "close":
            _close(normalized, token)
        elif token.kind == "text":
            _add_text(normalized, token.text)
        elif token.kind == "break":
            normalized.insert(_position_before_opens(normalized), token)
        elif (
            token.kind == "open"
            and token.mark != "link"
            and normalized
            and normalized[-1].kind == "close"
            and normalized[-1].mark == token.mark
        ):
            normalized.pop()  # adjacent marks of one kind are merged
        else:
            normalized.append(token)
    return _trim(normalized)


def _collapse_whitespace(tokens: list[Token]) -> list[Token]:
    after_space = True
    kept: list[Token] = []
    for token in tokens:
        if token.kind == "text":
            text = _SPACES.sub(" ", token.text)
            if after_space:
                text = text.removeprefix(" ")
            if not text:
                continue
            after_space = text.endswith(" ")
            token = Token("text", text)  # noqa: PLW2901  # the caller's tokens are not modified
        elif token.kind in ("raw", "break"):
            after_space = token.kind == "break"
        kept.append(token)
    return kept


def _add_text(tokens: list[Token], text: str) -> None:
    position = _position_before_opens(tokens)
    if position < len(tokens):
        inner = text.lstrip()
        space = text[: len(text) - len(inner)]
        if space:
            _join(tokens, position, space)
        if inner:
            tokens.append(Token("text", inner))
    else:
        _join(tokens, position, text)


def _join(tokens: list[Token], position: int, text: str) -> None:
    """Insert a text at a position, or append it to the text before that position."""
    if position and tokens[position - 1].kind == "text":
        before = tokens[position - 1].text
        tokens[position - 1].text = before + (text.removeprefix(" ") if before.endswith(" ") else text)
    else:
        tokens.insert(position, Token("text", text))


def _position_before_opens(tokens: list[Token]) -> int:
    position = len(tokens)
    while position and tokens[position - 1].kind == "open":
        position -= 1
    return position


def _close(tokens: list[Token], token: Token) -> None:
    moved: list[Token] = []
    while tokens:
        last = tokens[-1]
        if last.kind == "break":
            moved.insert(0, tokens.pop())
        elif last.kind == "text" and last.text[-1:].isspace():
            inner = last.text.rstrip()
            moved.insert(0, Token("text", last.text[len(inner) :]))
            last.text = inner
            if not inner:
                tokens.pop()
        else:
            break
    if tokens and tokens[-1].kind == "open" and tokens[-1].mark == token.mark:
        tokens.pop()
    else:
        tokens.append(token)
    for moved_token in moved:
        if moved_token.kind == "text":
            _add_text(tokens, moved_token.text)
        else:
            tokens.append(moved_token)


def _trim(tokens: list[Token]) -> list[Token]:
    """Remove spaces and breaks at both ends, and spaces next to breaks."""
    while tokens and (tokens[0].kind == "break" or (tokens[0].kind == "text" and not tokens[0].text.strip())):
        tokens.pop(0)
    while tokens and (tokens[-1].kind == "break" or (tokens[-1].kind == "text" and not tokens[-1].text.strip())):
        tokens.pop()
    for index, token in enumerate(tokens):
        if token.kind == "text":
            if index == 0 or tokens[index - 1].kind == "break":
                token.text = token.text.lstrip(" ")
            if index == len(tokens) - 1 or tokens[index + 1].kind == "break":
                token.text = token.text.rstrip(" ")
    return tokens


def has_text(tokens: list[Token]) -> bool:
    """Return whether tokens contain visible text."""
    for token in tokens:
        if token.kind == "raw" or (token.kind == "text" and token.text and not token.text.isspace()):
            return True
    return False
