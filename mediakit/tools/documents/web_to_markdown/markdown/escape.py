"""Escaping: text that Markdown would read as markup is marked as text, and no other text is."""

import re
import string
import unicodedata

PUNCTUATION = frozenset(string.punctuation)

_SPECIAL = re.compile(r"[\\`*_~\[\]<&!]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_TAG = re.compile(r"<[a-zA-Z/!?]")

_LINE_START = re.compile(
    r"(?:(\#{1,6}(?=\s|$)|[-+](?=\s|$)|>|[=-]+\s*$|~~~|(?:_\s*){3,}$|(?:-\s*){3,}$|\[[^\]]+\]:|\[[ xX]\]\s|"
    r":(?=\s)|[\s:-]*\|[\s:|-]*$)"
    r"|(\d{1,9})([.)](?=\s|$)))"
)
_CLOSING_SEQUENCE = re.compile(r"(^|\s)(#+)$")


class Escaper:
    """Escapes the texts of one line of inline content, knowing what else of its kind stands there."""

    def __init__(self, texts: str, *, code: bool, stars: bool) -> None:
        self._twice = {mark: texts.count(mark) > 1 for mark in "*_~`"}
        self._twice["`"] |= code
        self._twice["*"] |= stars

    def escape(self, text: str, before: str, after: str, *, link: bool) -> str:
        """Escape a text.

        Args:
            text: What to escape.
            before: The character of the output that comes before it; empty at the start of a line.
            after: The character that follows it; empty at the end.
            link: Whether the text stands inside a link.
        """
        if not _SPECIAL.search(text):
            return text

        def escaped(match: re.Match[str]) -> str:
            start, end = match.span()
            previous = text[start - 1] if start else before
            following = text[end] if end < len(text) else after
            needed = self._needed(match[0], previous, following, text, start, link=link)
            return f"\\{match[0]}" if needed else match[0]

        return _SPECIAL.sub(escaped, text)

    def _needed(self, mark: str, previous: str, following: str, text: str, at: int, *, link: bool) -> bool:
        if mark in "*_~`":
            return self._delimits(mark, previous, following)
        if mark in "[]":
            return link or following in (("^",) if mark == "[" else ("(", "["))
        if mark == "\\":
            return not following or following in PUNCTUATION or following == "\n"
        if mark == "<":
            return _TAG.match(mark + following) is not None
        if mark == "&":
            return _ENTITY.match(text, at) is not None
        return following == "[" and at == len(text) - 1

    def _delimits(self, mark: str, previous: str, following: str) -> bool:
        """Tell whether a mark could begin or end something here."""
        if not self._twice[mark]:
            return False
        if mark == "*" and not previous:
            return True
        if mark == "_" and previous.isalnum() and following.isalnum():
            return False
        return mark == "`" or not (is_blank(previous) and is_blank(following))


def line_start(line: str) -> str:
    """Escape what would make a line begin a heading, a list, a quote, a rule, a fence, a definition or a table."""
    if line.startswith("* ") or line == "*":
        return f"\\{line}"
    match = _LINE_START.match(line)
    if not match:
        return line
    return f"{match[2]}\\{line[match.end(2) :]}" if match[2] else f"\\{line}"


def heading_end(line: str) -> str:
    """Escape number signs that would close a heading (CommonMark 4.2)."""
    return _CLOSING_SEQUENCE.sub(r"\1\\\2", line)


def is_blank(character: str) -> bool:
    """Tell whether a character is white space, or the edge of a line (CommonMark 2.1)."""
    return not character or character.isspace()


def is_mark(character: str) -> bool:
    """Tell whether a character is punctuation or a symbol (CommonMark 2.1)."""
    return character in PUNCTUATION or unicodedata.category(character)[0] in "PS"
