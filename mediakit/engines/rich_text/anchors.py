"""The anchors of headings, by GitHub's rule, and their numbers."""

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mediakit.engines.rich_text.document import Heading

if TYPE_CHECKING:
    from markdown_it.token import Token

EMPTY_ANCHOR = "section"
"""Anchor of a heading without letters and digits."""

PLAIN_TYPES = ("text", "code_inline", "math_inline", "math_inline_double")
BREAKS = ("softbreak", "hardbreak")


def find_headings(tokens: Sequence["Token"], title: str = "") -> list[Heading]:
    """Return the headings of the top level, with anchors and numbers. Sets the `id` of every heading token.

    Args:
        tokens: The tokens of a document.
        title: The title of the document, if it is known. Only a heading of the same text can be the title then.
    """
    anchors = _Anchors()
    found: list[tuple[int, int, str, str]] = []
    for index, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        text = plain_text(tokens[index + 1].children or ())
        anchor = anchors.of(text)
        token.attrSet("id", anchor)
        if token.level == 0:
            found.append((index, int(token.tag[1]), text, anchor))
    has_title = bool(found) and _has_title([level for _, level, _, _ in found], first_index=found[0][0])
    has_title = has_title and title in ("", found[0][2])
    numbers = _numbers([level for _, level, _, _ in found[has_title:]])
    return [
        Heading(level, text, anchor, number, is_title, index)
        for (index, level, text, anchor), number, is_title in zip(
            found, ["", *numbers] if has_title else numbers, [has_title, *[False] * len(found)], strict=False
        )
    ]


def plain_text(children: Sequence["Token"]) -> str:
    """Return the text of inline tokens without formatting; images by their alternative text."""
    parts = []
    for child in children:
        if child.type in PLAIN_TYPES:
            parts.append(child.content)
        elif child.type in BREAKS:
            parts.append(" ")
        elif child.type == "image":
            parts.append(plain_text(child.children or ()))
    return " ".join("".join(parts).split())


def slug(text: str) -> str:
    """Return the anchor that GitHub makes of a heading's text, before it is made unique."""
    kept = (char for char in text.strip().lower() if char in "-_ " or char.isalnum() or _is_word_mark(char))
    return "".join(kept).replace(" ", "-")


def _is_word_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M" or unicodedata.category(char) == "Pc"


class _Anchors:
    """Makes anchors unique with a number: `usage`, `usage-1`, `usage-2`."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def of(self, text: str) -> str:
        base = slug(text) or EMPTY_ANCHOR
        anchor, count = base, self._counts.get(base, 0)
        while anchor in self._counts:
            count += 1
            anchor = f"{base}-{count}"
        self._counts[base] = count
        self._counts.setdefault(anchor, 0)
        return anchor


def _has_title(levels: Sequence[int], first_index: int) -> bool:
    return first_index == 0 and levels[0] == 1 and levels.count(1) == 1


def _numbers(levels: Sequence[int]) -> list[str]:
    """Return numbers such as `1.2` for levels. A level that is skipped does not count."""
    open_levels: list[int] = []
    counts: list[int] = []
    numbers = []
    for level in levels:
        while open_levels and open_levels[-1] > level:
            last = counts.pop()
            open_levels.pop()
            if not open_levels or open_levels[-1] < level:
                # The first headings were deeper than this one: it continues their numbers.
                open_levels.append(level)
                counts.append(last)
                break
        if not open_levels or open_levels[-1] < level:
            open_levels.append(level)
            counts.append(0)
        counts[-1] += 1
        numbers.append(".".join(map(str, counts)))
    return numbers
