"""Truncates Markdown after a block, an item or a sentence. Links and inline code are never split."""

import re

from mediakit.engines.markdown.blocks import Block

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s|\n")
_UNSPLITTABLE = re.compile(
    r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^()]*(?:\([^()]*\)[^()]*)*\)|<[^<>\s]+>|`+[^`]*`+|\$[^$]*\$"
)


def truncate(blocks: list[Block], max_chars: int, *, splits_tables: bool = False) -> tuple[str, bool]:
    """Return the text of as many blocks as fit into `max_chars` characters, and whether text was omitted.

    Args:
        blocks: The blocks.
        max_chars: Number of characters.
        splits_tables: Truncate tables after a row even if they are not the first block.
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
    """Return the start of a block that is too long, up to the end of an item, a row, a line of code or a sentence.

    Tables, code blocks and paragraphs are only truncated if they are the first block.
    """
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
    if block.kind == "code" and block.text.startswith("`"):
        return _truncate_code(block.text, room)
    return _truncate_text(block.text, room)


def _truncate_code(text: str, room: int) -> str:
    """Return the first lines of a fenced code block, with its closing fence."""
    head, *lines = text.split("\n")
    fence = re.match("`+", head)
    end = fence[0] if fence else "```"
    if room <= len(head) + len(end) + 2:
        return ""
    return f"{_join_fitting([head, *lines[:-1]], chr(10), room - len(end) - 1)}\n{end}"


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
