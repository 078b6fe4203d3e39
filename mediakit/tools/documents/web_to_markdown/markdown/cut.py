"""Content of a bounded length: cut between blocks, never inside a code block, a table or a link."""

import re

from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s|\n")
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^()]*(?:\([^()]*\)[^()]*)*\)|<[^<>\s]+>|`+[^`]*`+|\$[^$]*\$")


def cut(blocks: list[Block], most: int) -> tuple[str, bool]:
    """Write as many blocks as fit into `most` characters, and tell whether some did not."""
    written: list[str] = []
    length = 0
    for block in blocks:
        room = most - length - (2 if written else 0)
        if len(block.text) > room:
            part = _part(block, room, first=not written)
            return "\n\n".join([*written, part] if part else written), True
        written.append(block.text)
        length += len(block.text) + (2 if length else 0)
    return "\n\n".join(written), False


def _part(block: Block, room: int, *, first: bool) -> str:
    """Give the beginning of a block that is too long, where one can end: after an item, a row or a line of code.

    A table, a code block or a paragraph is only parted when there is nothing before it.
    """
    if block.kind in ("list", "quote", "notes") and block.parts:
        separator = "\n>\n" if block.kind == "quote" else "\n\n" if f"{block.parts[0]}\n\n" in block.text else "\n"
        fitting = _fitting(block.parts, separator, room)
        is_plain = "```" not in block.parts[0] and "| ---" not in block.parts[0]
        return _sentences(block.parts[0], room) if first and not fitting and is_plain else fitting
    if not first:
        return ""
    if block.kind == "table" and block.parts:
        rows = _fitting(block.parts, "\n", room)
        return rows if rows.count("\n") > 1 else ""
    if block.kind == "code" and block.text.startswith("`"):
        head, *lines = block.text.split("\n")
        fence = re.match("`+", head)
        end = fence[0] if fence else "```"
        return (
            f"{_fitting([head, *lines[:-1]], chr(10), room - len(end) - 1)}\n{end}"
            if room > len(head) + len(end) + 2
            else ""
        )
    return _sentences(block.text, room)


def _fitting(parts: list[str], separator: str, room: int) -> str:
    taken: list[str] = []
    length = 0
    for part in parts:
        length += len(part) + (len(separator) if taken else 0)
        if length > room:
            break
        taken.append(part)
    return separator.join(taken)


def _sentences(text: str, room: int) -> str:
    """Cut a paragraph after a sentence, or after a word, outside links and code."""
    ends = (
        [match.start() for match in _SENTENCE.finditer(text, 0, room + 1)]
        or [match.start() for match in re.finditer(r"\s", text[: room + 1])]
        or [room]
    )
    spans = [match.span() for match in _LINK.finditer(text[: room * 2])]
    for end in reversed(ends):
        if end <= room and not any(start < end < stop for start, stop in spans) and text[:end].count("**") % 2 == 0:
            return text[:end].rstrip()
    return ""
