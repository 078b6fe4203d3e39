"""Finds tags in the text of a paragraph."""

from collections.abc import Iterator

from mediakit.engines.word_templates.language.tags import place
from mediakit.errors import InvalidInput

MAX_TAG_LENGTH = 2000
"""Characters of one tag."""

CLOSERS = {"{{": "}}", "{%": "%}", "{#": "#}"}

ESCAPED = ("{_{", "}_}", "{_%", "%_}")
"""How templates of docxtpl write braces that are not tags: `{_{ name }_}` is printed as `{{ name }}`."""

_STRING_ENDS = {'"': '"', "'": "'", "“": "”", "‘": "’"}


def find_tags(text: str, part: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each tag.

    Raises:
        InvalidInput: A tag has no end in the text.
    """
    position = 0
    while (start := _opener(text, position)) >= 0:
        closer = CLOSERS[text[start : start + 2]]
        end = _end(text, start + 2, closer)
        if end < 0 and closer != "#}":
            shown = " ".join(text[start : start + 40].split())
            raise InvalidInput(f'file: "{shown}"{place(part)} has no "{closer}" in its paragraph.')
        if end >= 0:
            yield start, end
        position = end if end >= 0 else start + 2


def underscores(text: str) -> Iterator[int]:
    """Yield the positions of the characters that escape braces."""
    for escaped in ESCAPED:
        position = text.find(escaped)
        while position >= 0:
            yield position + 1
            position = text.find(escaped, position + 3)


def _opener(text: str, position: int) -> int:
    while (position := text.find("{", position)) >= 0:
        if text[position : position + 2] in CLOSERS:
            return position
        position += 1
    return -1


def _end(text: str, position: int, closer: str) -> int:
    """Return the end of a tag; braces in a quoted text do not close it, unless the quotes are not closed either."""
    limit = min(len(text), position + MAX_TAG_LENGTH)
    found = -1 if closer == "#}" else _end_outside_quotes(text, position, limit, closer)
    if found < 0:
        found = text.find(closer, position, limit)
    return found + 2 if found >= 0 else -1


def _end_outside_quotes(text: str, position: int, limit: int, closer: str) -> int:
    quote = ""
    while position < limit:
        char = text[position]
        if quote:
            if char == "\\":
                position += 1
            elif char == quote:
                quote = ""
        elif text.startswith(closer, position):
            return position
        else:
            quote = _STRING_ENDS.get(char, "")
        position += 1
    return -1
