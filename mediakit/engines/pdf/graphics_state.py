"""Operators q and Q of page content (ISO 32000-2, 8.4.2) that have no partner."""

import re
from collections.abc import Iterable

import pikepdf

_TOKEN = re.compile(
    rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\))*\)"  # text, in which parentheses nest
    rb"|%[^\r\n]*"
    rb"|[qQ](?![^\s\[(</%{])",
    re.DOTALL,
)
"""The operators, and what can hold their letters. Each alternative begins with a character, which makes it fast."""

_BEFORE_OPERATOR = b"\0\t\n\f\r ])>}"

_INLINE_IMAGE = re.compile(rb"\sID\s")


def unbalanced(page: pikepdf.Page) -> tuple[int, int]:
    """Return how many q are missing before the content of a page and how many Q after it."""
    depth = lowest = 0
    for operator in _operators(page):
        depth += 1 if operator == b"q" else -1
        lowest = min(lowest, depth)
    return -lowest, depth - lowest


def _operators(page: pikepdf.Page) -> Iterable[bytes]:
    try:
        content = contents_bytes(page)
        if b"q" not in content and b"Q" not in content:
            return ()
        if _INLINE_IMAGE.search(content):
            parsed = pikepdf.parse_content_stream(page, "q Q")
            return [str(instruction.operator).encode() for instruction in parsed]
    except pikepdf.PdfError:  # readers draw what they can of such a page
        return ()
    return [
        match[0]
        for match in _TOKEN.finditer(content)
        if match[0] in (b"q", b"Q") and (not match.start() or content[match.start() - 1] in _BEFORE_OPERATOR)
    ]


def contents_bytes(page: pikepdf.Page) -> bytes:
    """Return the decoded content of a page; its streams are joined by line breaks.

    Raises:
        pikepdf.PdfError: A stream cannot be decoded.
    """
    return b"\n".join(stream.read_bytes() for stream in content_streams(page.obj))


def content_streams(page: pikepdf.Object) -> list[pikepdf.Object]:
    """Return the content streams of a page, in order."""
    contents = page.get(pikepdf.Name.Contents)
    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    return [part for part in parts if isinstance(part, pikepdf.Stream)]
