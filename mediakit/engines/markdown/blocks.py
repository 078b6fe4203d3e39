"""Written blocks: their joining and indentation, fenced code, pipe tables, and truncation at a block."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from mediakit.engines.markdown import inline
from mediakit.engines.markdown.tokens import Token

Kind = Literal["text", "heading", "list", "quote", "code", "table", "rule", "definitions", "footnotes"]


@dataclass(slots=True)
class Block:
    """One written block."""

    kind: Kind
    text: str
    parts: list[str] = field(default_factory=list)
    """Items of a list, rows of a table or paragraphs of a quote. The first ones alone are a valid block too."""
    marker: str = ""
    """List marker: `-`, `*`, `.` or `)`."""


def join_blocks(blocks: Iterable[Block]) -> str:
    """Return the blocks' text, separated by blank lines."""
    return "\n\n".join(block.text for block in blocks)


def indent_lines(text: str, indent: str) -> str:
    """Indent all lines except the first one and empty ones."""
    return text.replace("\n", f"\n{indent}").replace(f"\n{indent}\n", "\n\n") if indent else text


def prefix_lines(text: str, prefix: str) -> str:
    """Put a prefix before each line."""
    return "\n".join(f"{prefix}{line}".rstrip() if not line else f"{prefix}{line}" for line in text.split("\n"))


def fenced_code(text: str, language: str) -> str:
    """Return a fenced code block (CommonMark 4.5)."""
    longest = max((len(run) for run in re.findall(r"(?m)^\s*(`{3,})", text)), default=2)
    fence = "`" * (longest + 1)
    body = text.removesuffix("\n")
    return f"{fence}{language}\n{body}\n{fence}" if text else f"{fence}{language}\n{fence}"


_MARKUP = re.compile(r"[\\`*_~\[\]<&!|\n\r\t]|  ")
_NEWLINE = re.compile(r"\r\n?|\n")


def cell_text(text: str) -> str:
    """Return a text as a cell: Markdown syntax is escaped, and lines are separated by `<br>`."""
    if not _MARKUP.search(text):
        return text.strip()
    tokens: list[Token] = []
    for index, line in enumerate(_NEWLINE.split(text.strip())):
        if index:
            tokens.append(Token("break"))
        tokens.append(Token("text", line))
    return inline.write_cell(tokens)


def row_line(cells: Sequence[str]) -> str:
    """Return the line of a row of cells that `cell_text` has written."""
    return f"| {' | '.join(cells)} |"


def delimiter_line(width: int) -> str:
    """Return the line below the header of a table with this number of columns."""
    return f"|{' --- |' * width}"


_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s|\n")
_UNSPLITTABLE = re.compile(
    r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^()]*(?:\([^()]*\)[^()]*)*\)|<[^<>\s]+>|`+[^`]*`+|\$[^$]*\$"
)


def truncate(blocks: list[Block], max_chars: int, *, splits_tables: bool = False) -> tuple[str, bool]:
    """Return the text of as many blocks as fit into `max_chars` characters, and whether text was omitted.

    `splits_tables` truncates tables after a row even if they are not the first block.
    """
    written: list[str] = []
    length = 0
    for block in blocks:
        room = max_chars - length - (2 if written else 0)
        if len(block.text) > room:
            is_split = not written or (splits_tables and block.kind == "table")
            part = _truncate_block(block, room, first=is_split)
            return "\n\n".join([*written, part] if part else written), True
        written.append(block.text)
        length += len(block.text) + (2 if length else 0)
    return "\n\n".join(written), False


def _truncate_block(block: Block, room: int, *, first: bool) -> str:
    """Return the start of a block that is too long, up to the end of an item, a row, a line of code or a sentence."""
    if block.kind in ("list", "quote", "footnotes") and block.parts:
        separator = "\n>\n" if block.kind == "quote" else "\n\n" if f"{block.parts[0]}\n\n" in block.text else "\n"
        fitting = _join_fitting(block.parts, separator, room)
        is_plain = "```" not in block.parts[0] and "| ---" not in block.parts[0]
        return _truncate_text(block.parts[0], room) if first and not fitting and is_plain else fitting
    if not first:
        return ""
    if block.kind == "table" and block.parts:
        rows = _join_fitting(block.parts, "\n", room)
        return rows if rows.count("\n") > 1 else ""
    if block.kind == "code" and (fence := re.match("`+", block.text)):
        head, *lines = block.text.split("\n")
        room -= len(fence[0]) + 1
        fitting = _join_fitting([head, *lines[:-1]], "\n", room)
        return f"{fitting}\n{fence[0]}" if room > len(head) + 1 else ""
    return _truncate_text(block.text, room)


def _join_fitting(parts: list[str], separator: str, room: int) -> str:
    taken: list[str] = []
    length = 0
    for part in parts:
        length += len(part) + (len(separator) if taken else 0)
        if length > room:
            break
        taken.append(part)
    return separator.join(taken)


def _truncate_text(text: str, room: int) -> str:
    """Truncate a paragraph after a sentence, or else after a word, but not inside links and code."""
    ends = (
        [match.start() for match in _SENTENCE_END.finditer(text, 0, room + 1)]
        or [match.start() for match in re.finditer(r"\s", text[: room + 1])]
        or [room]
    )
    spans = [match.span() for match in _UNSPLITTABLE.finditer(text[: room * 2])]
    for end in reversed(ends):
        if end <= room and not any(start < end < stop for start, stop in spans) and text[:end].count("**") % 2 == 0:
            return text[:end].rstrip()
    return ""
