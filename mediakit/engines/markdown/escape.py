"""Escapes text that would otherwise be Markdown syntax, and only that text."""

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
    """Escapes the texts of one line, depending on the delimiters in the whole line."""

    def __init__(self, texts: str, *, code: bool, stars: bool) -> None:
        self._occurs_twice = {mark: texts.count(mark) > 1 for mark in "*_~`"}
        self._occurs_twice["`"] |= code
        self._occurs_twice["*"] |= stars

    def escape(self, text: str, before: str, after: str, *, in_link: bool) -> str:
        """Return a text with its Markdown syntax escaped.

        Args:
            text: The text.
            before: The character before it in the output. Empty at the start of a line.
            after: The character after it. Empty at the end.
            in_link: Whether the text is inside a link.
        """
        if not has_syntax(text):
            return text

        def escape_match(match: re.Match[str]) -> str:
            start, end = match.span()
            previous = text[start - 1] if start else before
            following = text[end] if end < len(text) else after
            needed = self._needs_escape(match[0], previous, following, text, start, in_link=in_link)
            return f"\\{match[0]}" if needed else match[0]

        return _SPECIAL.sub(escape_match, text)

    def _needs_escape(self, mark: str, previous: str, following: str, text: str, at: int, *, in_link: bool) -> bool:
        if mark in "*_~`":
            return self._is_delimiter(mark, previous, following)
        if mark in "[]":
            return in_link or following in (("^",) if mark == "[" else ("(", "["))
        if mark == "\\":
            return not following or following in PUNCTUATION or following == "\n"
        if mark == "<":
            return _TAG.match(mark + following) is not None
        if mark == "&":
            return _ENTITY.match(text, at) is not None
        return following == "[" and at == len(text) - 1

    def _is_delimiter(self, mark: str, previous: str, following: str) -> bool:
        """Return whether a delimiter could open or close markup here."""
        if not self._occurs_twice[mark]:
            return False
        if mark == "*" and not previous:
            return True
        if mark == "_" and previous.isalnum() and following.isalnum():
            return False
        return mark == "`" or not (is_whitespace(previous) and is_whitespace(following))


def has_syntax(text: str) -> bool:
    """Return whether a text contains characters that can be Markdown syntax inside a line."""
    return _SPECIAL.search(text) is not None


def escape_line_start(line: str) -> str:
    """Escape the start of a line that would be a heading, list, quote, rule, fence, definition or table."""
    if line.startswith("* ") or line == "*":
        return f"\\{line}"
    match = _LINE_START.match(line)
    if not match:
        return line
    return f"{match[2]}\\{line[match.end(2) :]}" if match[2] else f"\\{line}"


def escape_heading_end(line: str) -> str:
    """Escape number signs that would be a closing sequence of a heading (CommonMark 4.2)."""
    return _CLOSING_SEQUENCE.sub(r"\1\\\2", line)


def is_whitespace(character: str) -> bool:
    """Return whether a character is white space (CommonMark 2.1), or empty for the edge of a line."""
    return not character or character.isspace()


def is_punctuation(character: str) -> bool:
    """Return whether a character is punctuation or a symbol (CommonMark 2.1)."""
    return character in PUNCTUATION or unicodedata.category(character)[0] in "PS"
