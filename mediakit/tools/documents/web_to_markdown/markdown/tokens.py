"""What a line of text is made of, before it is Markdown: texts, marks around texts, finished pieces, breaks."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "open", "close", "raw", "break"]

_SPACES = re.compile(r"[ \t\n\r\f]+")


@dataclass(slots=True)
class Token:
    """One part of a line.

    `mark` names the pair that an open or close token belongs to: em, strong, del, sup, sub or link.
    """

    kind: Kind
    text: str = ""
    mark: str = ""
    title: str | None = None
    delimiter: str = ""


def tidy(tokens: list[Token]) -> list[Token]:
    """Collapse white space as browsers do, move it out of marks, and drop marks around nothing."""
    tidied: list[Token] = []
    for token in _collapsed(tokens):
        if token.kind == "close":
            _close(tidied, token)
        elif token.kind == "open":
            _open(tidied, token)
        elif token.kind == "text":
            _add_text(tidied, token.text)
        elif token.kind == "break":
            tidied.insert(_before_opens(tidied), token)
        else:
            tidied.append(token)
    return _trimmed(tidied)


def _collapsed(tokens: list[Token]) -> list[Token]:
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
            token = Token("text", text)  # noqa: PLW2901  # the caller's tokens stay as they are
        elif token.kind in ("raw", "break"):
            after_space = token.kind == "break"
        kept.append(token)
    return kept


def _add_text(tokens: list[Token], text: str) -> None:
    place = _before_opens(tokens)
    if place < len(tokens):
        inner = text.lstrip()
        space = text[: len(text) - len(inner)]
        if space:
            _join(tokens, place, space)
        if inner:
            tokens.append(Token("text", inner))
    else:
        _join(tokens, place, text)


def _join(tokens: list[Token], place: int, text: str) -> None:
    """Put a text at a place, into the text before it where there is one."""
    if place and tokens[place - 1].kind == "text":
        before = tokens[place - 1].text
        tokens[place - 1].text = before + (text.removeprefix(" ") if before.endswith(" ") else text)
    else:
        tokens.insert(place, Token("text", text))


def _before_opens(tokens: list[Token]) -> int:
    place = len(tokens)
    while place and tokens[place - 1].kind == "open":
        place -= 1
    return place


def _open(tokens: list[Token], token: Token) -> None:
    last = tokens[-1] if tokens else None
    if last and last.kind == "close" and last.mark == token.mark and token.mark != "link":
        tokens.pop()  # two marks of a kind side by side are one
    else:
        tokens.append(token)


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
    for each in moved:
        if each.kind == "text":
            _add_text(tokens, each.text)
        else:
            tokens.append(each)


def _trimmed(tokens: list[Token]) -> list[Token]:
    """Drop space and breaks at both ends, and space beside breaks."""
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
    """Tell whether there is anything to read."""
    return any(token.kind == "raw" or (token.kind == "text" and token.text.strip()) for token in tokens)
