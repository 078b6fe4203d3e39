"""Escaping: text that Markdown would read as markup is marked as text, and no other text is."""

import re
import string

PUNCTUATION = frozenset(string.punctuation)

_SPECIAL = re.compile(r"[\\`*_~\[\]<&!]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_TAG = re.compile(r"<[a-zA-Z/!?]")

_LINE_START = re.compile(
    r"(?:(\#{1,6}(?=\s|$)|[-+](?=\s|$)|>|[=-]+\s*$|~~~|(?:_\s*){3,}$|(?:-\s*){3,}$|\[[^\]]+\]:|\[[ xX]\]\s|"
    r":(?=\s)|\|?[\s:|-]+$)"
    r"|(\d{1,9})([.)](?=\s|$)))"
)
_CLOSING_SEQUENCE = re.compile(r"(^|\s)(#+)$")


class Escaper:
    """Escapes the texts of one line of inline content, knowing what else of its kind stands there."""

    def __init__(self, texts: str, *, code: bool, stars: bool) -> None:
        self._ticks = code or texts.count("`") > 1
        self._stars = stars or texts.count("*") > 1
        self._lows = texts.count("_") > 1
        self._waves = texts.count("~") > 1

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
        match mark:
            case "\\":
                return not following or following in PUNCTUATION or following == "\n"
            case "`":
                return self._ticks
            case "*":
                return self._stars and not (_blank(previous) and _blank(following) and previous)
            case "_":
                inside = previous.isalnum() and following.isalnum()
                return self._lows and not inside and not (_blank(previous) and _blank(following))
            case "~":
                return self._waves and not (_blank(previous) and _blank(following))
            case "[":
                return link or following == "^"
            case "]":
                return link or following in ("(", "[")
            case "<":
                return bool(_TAG.match(mark + following))
            case "&":
                return _ENTITY.match(text, at) is not None
            case _:
                return following == "[" and at == len(text) - 1


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


def _blank(character: str) -> bool:
    return not character or character.isspace()


def is_blank(character: str) -> bool:
    """Tell whether a character is white space, or the edge of a line (CommonMark 2.1)."""
    return _blank(character)


def is_mark(character: str) -> bool:
    """Tell whether a character is punctuation or a symbol (CommonMark 2.1)."""
    import unicodedata

    return character in PUNCTUATION or unicodedata.category(character)[0] in "PS"
