"""A line's tokens to Markdown: delimiters that CommonMark will read as such, and texts that it will read as texts."""

import re
from collections.abc import Sequence

from mediakit.tools.documents.web_to_markdown.markdown.escape import Escaper, heading_end, is_blank, is_mark, line_start
from mediakit.tools.documents.web_to_markdown.markdown.tokens import Token, tidy

DELIMITERS = {"em": "*", "strong": "**", "del": "~~"}
OTHERS = {"*": "_", "**": "__"}
BREAK = "  \n"

_BREAKS = re.compile(r"\s*(?:<br>\s*)+")
_READ = ("text", "raw", "break")
_AUTOLINK = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]+")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)


def paragraph(tokens: Sequence[Token]) -> str:
    """Write the lines of a paragraph."""
    parts = tidy(list(tokens))
    if not parts:
        return ""
    first, *rest = _written(parts, BREAK).split("\n")
    if parts[0].kind == "text":
        first = line_start(first)
    return "\n".join([first, *(line_start(line) for line in rest)])


def heading(tokens: Sequence[Token]) -> str:
    """Write the text of a heading."""
    return heading_end(_written(tidy(list(tokens)), " "))


def cell(tokens: Sequence[Token]) -> str:
    """Write the text of a table's cell: a pipe needs a backslash even in code (GFM 4.10)."""
    return _BREAKS.sub("<br>", _written(tidy(list(tokens)), "<br>")).replace("|", r"\|")


def _written(parts: list[Token], line_break: str) -> str:
    _choose(parts)
    return _joined(parts, line_break)


def plain(tokens: Sequence[Token], *, line_break: str = "\n") -> str:
    """Write tokens as text without any markup."""
    parts = tidy(list(tokens))
    return "".join(line_break if part.kind == "break" else part.text for part in parts if part.kind in _READ)


def _choose(parts: list[Token]) -> None:
    """Give each pair of marks the delimiters that work where it stands."""
    pairs = _pairs(parts)
    for opened, closed in pairs:
        _set(parts, opened, closed, DELIMITERS.get(parts[opened].mark, ""))
    for opened, closed in pairs:
        delimiter = parts[opened].delimiter
        if delimiter in OTHERS and _wants_another(parts, opened, closed):
            _set(parts, opened, closed, OTHERS[delimiter])
            if not _flanks(parts, opened, closed):
                _set(parts, opened, closed, delimiter)
    for _ in range(2):  # a pair that becomes tags changes its neighbours
        for opened, closed in pairs:
            if parts[opened].delimiter and not _flanks(parts, opened, closed):
                _set(parts, opened, closed, "")


def _pairs(parts: list[Token]) -> list[tuple[int, int]]:
    """Match opens and closes, outer pairs first."""
    pairs: list[tuple[int, int]] = []
    stack: list[int] = []
    for index, part in enumerate(parts):
        if part.kind == "open":
            stack.append(index)
        elif part.kind == "close":
            opened = stack.pop()
            if part.mark != "link":
                pairs.append((opened, index))
    return sorted(pairs)


def _set(parts: list[Token], opened: int, closed: int, delimiter: str) -> None:
    parts[opened].delimiter = parts[closed].delimiter = delimiter


def _wants_another(parts: list[Token], opened: int, closed: int) -> bool:
    """Tell whether stars would run into other stars, or stand inside stars of the same kind."""
    mark = parts[opened].mark
    enclosing: list[str] = []
    for part in parts[:opened]:
        if part.mark == mark and part.kind == "open":
            enclosing.append(part.delimiter)
        elif part.mark == mark and enclosing:
            enclosing.pop()
    if enclosing:
        return enclosing[-1].startswith("*")
    if mark != "em":
        return False
    near = (opened - 1, opened + 1, closed - 1, closed + 1)
    strong = (0 <= index < len(parts) and parts[index].mark == "strong" for index in near)
    return any(strong)


def _flanks(parts: list[Token], opened: int, closed: int) -> bool:
    """Tell whether a pair's delimiter runs open and close where they stand (CommonMark 6.2)."""
    before, inside = _around(parts, opened)
    last, after = _around(parts, closed)
    opens, closes = _left_flanking(before, inside), _left_flanking(after, last)
    if parts[opened].delimiter.startswith("_"):
        opens = opens and (not _left_flanking(inside, before) or is_mark(before))
        closes = closes and (not _left_flanking(last, after) or is_mark(after))
    return opens and closes


def _left_flanking(outside: str, inside: str) -> bool:
    if is_blank(inside):
        return False
    return not is_mark(inside) or is_blank(outside) or is_mark(outside)


def _around(parts: list[Token], index: int) -> tuple[str, str]:
    """Give the characters before and after the run of delimiters that a token stands in."""
    sign = parts[index].delimiter[0]
    first = last = index
    while first and parts[first - 1].delimiter.startswith(sign):
        first -= 1
    while last + 1 < len(parts) and parts[last + 1].delimiter.startswith(sign):
        last += 1
    before = _last(parts[first - 1]) if first else ""
    after = _first(parts[last + 1]) if last + 1 < len(parts) else ""
    return before, after


def _first(part: Token) -> str:
    if part.kind == "open":
        return "[" if part.mark == "link" else part.delimiter[:1] or "<"
    if part.kind == "close":
        return "]" if part.mark == "link" else part.delimiter[:1] or "<"
    return "\n" if part.kind == "break" else part.text[:1]


def _last(part: Token) -> str:
    if part.kind == "open":
        return "[" if part.mark == "link" else part.delimiter[:1] or ">"
    if part.kind == "close":
        return ")" if part.mark == "link" else part.delimiter[:1] or ">"
    return "\n" if part.kind == "break" else part.text[-1:]


def _joined(parts: list[Token], line_break: str) -> str:
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
            after = _first(parts[index + 1]) if index + 1 < len(parts) else ""
            written.append(escaper.escape(part.text, before, after, link=link is not None))
        elif part.kind == "raw":
            written.append(_apart(written, part.text))
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
            written.append(_destination(link))
            link = None
        else:
            written.append(part.delimiter or f"<{'/' if part.kind == 'close' else ''}{part.mark}>")
        index += 1
    return "".join(written)


def _apart(written: list[str], raw: str) -> str:
    """Put a space before a code span that follows another: without it the two would be one."""
    return f" {raw}" if raw.startswith("`") and written and written[-1].endswith("`") else raw


def _autolink(parts: list[Token], index: int) -> str:
    """Write a link whose text is its own address (CommonMark 6.5)."""
    link, text = parts[index], parts[index + 1]
    if link.title or text.kind != "text" or parts[index + 2].mark != "link":
        return ""
    if link.text == text.text and _AUTOLINK.fullmatch(link.text):
        return f"<{link.text}>"
    if link.text == f"mailto:{text.text}" and _EMAIL.fullmatch(text.text):
        return f"<{text.text}>"
    return ""


def _destination(link: Token | None) -> str:
    if link is None:
        return "]"
    return f"]({destination(link.text, link.title)})"


def destination(address: str, title: str | None = None) -> str:
    """Write the address and title of a link or a picture (CommonMark 6.3)."""
    address = re.sub(r"[\s<>\x00-\x1f]", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), address)
    address = re.sub(r"\\(?=[!-/:-@\[-`{-~])", r"%5C", address)
    address = re.sub(r"&(?=#?\w+;)", "&amp;", address)
    if not _balanced(address):
        address = address.replace("(", r"\(").replace(")", r"\)")
    if not title or not title.strip():
        return address
    title = re.sub(r"\s+", " ", title.strip())
    escaped = re.sub(r"\\(?=[!-/:-@\[-`{-~])|\\$", r"\\\\", title).replace('"', r"\"")
    return f'{address} "{re.sub(r"&(?=#?[0-9A-Za-z]+;)", "&amp;", escaped)}"'


def _balanced(address: str) -> bool:
    depth = 0
    for character in address:
        depth += (character == "(") - (character == ")")
        if depth < 0 or depth > 30:
            return False
    return depth == 0


def code_span(text: str) -> str:
    """Write a code span (CommonMark 6.1)."""
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if text[:1] == "`" or text[-1:] == "`" or (text[:1] == text[-1:] == " " and text.strip()) else ""
    return f"{fence}{pad}{text}{pad}{fence}"
