"""Writes the tokens of a line as Markdown that a CommonMark parser reads back as the same markup and text."""

import re
import string
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from mediakit.engines.markdown.tokens import Token, normalize_tokens

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
        """Return a text with its Markdown syntax escaped. The characters beside it are empty at the edges of a line."""
        if not has_syntax(text):
            return text

        def escape_match(match: re.Match[str]) -> str:
            mark, (start, end) = match[0], match.span()
            following = text[end] if end < len(text) else after
            match mark:
                case "*" | "_" | "~" | "`":
                    needed = self._is_delimiter(mark, text[start - 1] if start else before, following)
                case "[" | "]":
                    needed = in_link or following in (("^",) if mark == "[" else ("(", "["))
                case "\\":
                    needed = not following or following in PUNCTUATION or following == "\n"
                case "<":
                    needed = _TAG.match(mark + following) is not None
                case "&":
                    needed = _ENTITY.match(text, start) is not None
                case _:
                    needed = following == "[" and end == len(text)
            return f"\\{mark}" if needed else mark

        return _SPECIAL.sub(escape_match, text)

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


def is_whitespace(character: str) -> bool:
    """Return whether a character is white space (CommonMark 2.1), or empty for the edge of a line."""
    return not character or character.isspace()


def is_punctuation(character: str) -> bool:
    """Return whether a character is punctuation or a symbol (CommonMark 2.1)."""
    return character in PUNCTUATION or unicodedata.category(character)[0] in "PS"


DELIMITERS = {"em": "*", "strong": "**", "del": "~~"}
ALTERNATIVE_DELIMITERS = {"*": "_", "**": "__"}
LINE_BREAK = "  \n"

_BREAKS = re.compile(r"\s*(?:<br>\s*)+")
_PLAIN_TEXT_KINDS = ("text", "raw", "break")
_AUTOLINK = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]+")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)


def write_paragraph(tokens: Sequence[Token]) -> str:
    """Write the lines of a paragraph."""
    parts = normalize_tokens(list(tokens))
    if not parts:
        return ""
    first, *rest = _write(parts, LINE_BREAK).split("\n")
    if parts[0].kind == "text":
        first = escape_line_start(first)
    return "\n".join([first, *(escape_line_start(line) for line in rest)])


def write_heading(tokens: Sequence[Token]) -> str:
    """Write the text of a heading. Number signs that would be a closing sequence are escaped (CommonMark 4.2)."""
    return _CLOSING_SEQUENCE.sub(r"\1\\\2", _write(normalize_tokens(list(tokens)), " "))


def write_cell(tokens: Sequence[Token]) -> str:
    """Write the text of a table cell. Pipes are escaped even in code (GFM 4.10)."""
    return _BREAKS.sub("<br>", _write(normalize_tokens(list(tokens)), "<br>")).replace("|", r"\|")


def _write(parts: list[Token], line_break: str) -> str:
    if len(parts) == 1 and parts[0].kind == "text" and not has_syntax(parts[0].text):
        return parts[0].text
    _choose_delimiters(parts)
    return _join(parts, line_break)


def write_plain_text(tokens: Sequence[Token], *, line_break: str = "\n") -> str:
    """Write tokens as text without markup."""
    parts = normalize_tokens(list(tokens))
    return "".join(
        line_break if part.kind == "break" else part.text for part in parts if part.kind in _PLAIN_TEXT_KINDS
    )


def _choose_delimiters(parts: list[Token]) -> None:
    """Choose delimiters for each pair of marks. Pairs without a valid delimiter are written as HTML tags."""
    pairs = _pairs(parts)
    for opened, closed, _ in pairs:
        _set_delimiter(parts, opened, closed, DELIMITERS.get(parts[opened].mark, ""))
    for opened, closed, enclosing in pairs:
        delimiter = parts[opened].delimiter
        if delimiter in ALTERNATIVE_DELIMITERS and _needs_alternative(parts, opened, closed, enclosing):
            _set_delimiter(parts, opened, closed, ALTERNATIVE_DELIMITERS[delimiter])
            if not _flanks(parts, opened, closed):
                _set_delimiter(parts, opened, closed, delimiter)
    for _ in range(2):  # a pair that becomes tags changes which delimiters are valid around it
        for opened, closed, _ in pairs:
            if parts[opened].delimiter and not _flanks(parts, opened, closed):
                _set_delimiter(parts, opened, closed, "")


def _pairs(parts: list[Token]) -> list[tuple[int, int, int | None]]:
    """Return the indexes of matching open and close tokens, outer pairs first, and of the same mark around them."""
    pairs: list[tuple[int, int, int | None]] = []
    stack: list[int] = []
    for index, part in enumerate(parts):
        if part.kind == "open":
            stack.append(index)
        elif part.kind == "close":
            opened = stack.pop()
            if part.mark != "link":
                enclosing = next((outer for outer in reversed(stack) if parts[outer].mark == part.mark), None)
                pairs.append((opened, index, enclosing))
    return sorted(pairs)


def _set_delimiter(parts: list[Token], opened: int, closed: int, delimiter: str) -> None:
    parts[opened].delimiter = parts[closed].delimiter = delimiter


def _needs_alternative(parts: list[Token], opened: int, closed: int, enclosing: int | None) -> bool:
    """Return whether stars would touch other stars, or are nested in stars of the same kind."""
    if enclosing is not None:
        return parts[enclosing].delimiter.startswith("*")
    if parts[opened].mark != "em":
        return False
    near = (opened - 1, opened + 1, closed - 1, closed + 1)
    return any(0 <= index < len(parts) and parts[index].mark == "strong" for index in near)


def _flanks(parts: list[Token], opened: int, closed: int) -> bool:
    """Return whether a pair's delimiter runs can open and close emphasis at their positions (CommonMark 6.2)."""
    before, inside = _characters_around(parts, opened)
    last, after = _characters_around(parts, closed)
    opens, closes = _left_flanking(before, inside), _left_flanking(after, last)
    if parts[opened].delimiter.startswith("_"):
        opens = opens and (not _left_flanking(inside, before) or is_punctuation(before))
        closes = closes and (not _left_flanking(last, after) or is_punctuation(after))
    return opens and closes


def _left_flanking(outside: str, inside: str) -> bool:
    if is_whitespace(inside):
        return False
    return not is_punctuation(inside) or is_whitespace(outside) or is_punctuation(outside)


def _characters_around(parts: list[Token], index: int) -> tuple[str, str]:
    """Return the characters before and after the delimiter run that contains a token."""
    sign = parts[index].delimiter[0]
    first = last = index
    while first and parts[first - 1].delimiter.startswith(sign):
        first -= 1
    while last + 1 < len(parts) and parts[last + 1].delimiter.startswith(sign):
        last += 1
    before = _edge_character(parts[first - 1], is_last=True) if first else ""
    after = _edge_character(parts[last + 1], is_last=False) if last + 1 < len(parts) else ""
    return before, after


def _edge_character(part: Token, *, is_last: bool) -> str:
    """Return the first or the last character that a token writes."""
    if part.kind == "break":
        return "\n"
    if part.kind not in ("open", "close"):
        return part.text[-1:] if is_last else part.text[:1]
    if part.mark == "link":
        return "[" if part.kind == "open" else ")" if is_last else "]"
    return part.delimiter[:1] or (">" if is_last else "<")


def _join(parts: list[Token], line_break: str) -> str:
    texts = "\n".join(part.text for part in parts if part.kind == "text")
    code = any(part.kind == "raw" and "`" in part.text for part in parts)
    stars = any(part.delimiter.startswith("*") for part in parts)
    escaper = Escaper(texts, code=code, stars=stars)
    written: list[str] = []
    link: Token | None = None
    index = 0
    while index < len(parts):
        part = parts[index]
        if part.kind == "text":
            before = written[-1][-1:] if written else ""
            after = _edge_character(parts[index + 1], is_last=False) if index + 1 < len(parts) else ""
            written.append(escaper.escape(part.text, before, after, in_link=link is not None))
        elif part.kind == "raw":
            if part.text.startswith("`") and written and written[-1].endswith("`"):
                written.append(" ")  # otherwise the two code spans would be parsed as one
            written.append(part.text)
        elif part.kind == "break":
            written.append(line_break)
        elif part.mark == "link" and part.kind == "open":
            if address := _autolink(parts, index):
                written.append(address)
                index += 3
                continue
            link = part
            written.append("[")
        elif part.mark == "link":
            written.append(f"]({link_destination(link.text, link.title)})" if link else "]")
            link = None
        else:
            written.append(part.delimiter or f"<{'/' if part.kind == 'close' else ''}{part.mark}>")
        index += 1
    return "".join(written)


def _autolink(parts: list[Token], index: int) -> str:
    """Return a link whose text is its address as an autolink (CommonMark 6.5). Empty for other links."""
    link, text = parts[index], parts[index + 1]
    if link.title or text.kind != "text" or parts[index + 2].mark != "link":
        return ""
    if link.text == text.text and _AUTOLINK.fullmatch(link.text):
        return f"<{link.text}>"
    if link.text == f"mailto:{text.text}" and _EMAIL.fullmatch(text.text):
        return f"<{text.text}>"
    return ""


def link_destination(address: str, title: str | None = None) -> str:
    """Return the destination and title of a link or an image (CommonMark 6.3)."""
    address = re.sub(r"[\s<>\x00-\x1f]", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), address)
    address = re.sub(r"\\(?=[!-/:-@\[-`{-~])", r"%5C", address)
    address = re.sub(r"&(?=#?\w+;)", "&amp;", address)
    depths = list(accumulate((character == "(") - (character == ")") for character in address if character in "()"))
    if depths and (depths[-1] or min(depths) < 0 or max(depths) > 30):  # not balanced
        address = address.replace("(", r"\(").replace(")", r"\)")
    if not title or not title.strip():
        return address
    title = re.sub(r"\s+", " ", title.strip())
    escaped = re.sub(r"\\(?=[!-/:-@\[-`{-~])|\\$", r"\\\\", title).replace('"', r"\"")
    return f'{address} "{re.sub(r"&(?=#?[0-9A-Za-z]+;)", "&amp;", escaped)}"'


def code_span(text: str) -> str:
    """Return a code span (CommonMark 6.1)."""
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if text[:1] == "`" or text[-1:] == "`" or (text[:1] == text[-1:] == " " and text.strip()) else ""
    return f"{fence}{pad}{text}{pad}{fence}"
