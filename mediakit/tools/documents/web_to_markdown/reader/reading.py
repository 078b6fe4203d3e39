"""HTML to the fields of the answer, start to end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block
from mediakit.tools.documents.web_to_markdown.markdown.cut import cut
from mediakit.tools.documents.web_to_markdown.markdown.style import Style
from mediakit.tools.documents.web_to_markdown.markdown.tree import DEEPEST, body_of, parse
from mediakit.tools.documents.web_to_markdown.markdown.writer import write
from mediakit.tools.documents.web_to_markdown.reader import Wanted, lists, selecting
from mediakit.tools.documents.web_to_markdown.reader.clean import clean
from mediakit.tools.documents.web_to_markdown.reader.content import main_content, reader_view
from mediakit.tools.documents.web_to_markdown.reader.front import front_matter
from mediakit.tools.documents.web_to_markdown.reader.gallery import without_strangers
from mediakit.tools.documents.web_to_markdown.reader.kind import kind_of
from mediakit.tools.documents.web_to_markdown.reader.metadata import about
from mediakit.tools.documents.web_to_markdown.reader.metadata.statements import statements

FRAMES = 50
"""Calls that one level of elements may need."""

Facts = dict[str, str | None]


def fields(html: str, wanted: Wanted) -> dict[str, Any]:
    """Read a page.

    Returns:
        Plain values by the names of the answer's fields, and `main_content_found`.

    Raises:
        InvalidInput: A selector is wrong or matches nothing.
    """
    root = parse(html)
    with alive(root), _deep():
        return _fields(root, html, wanted)


@contextmanager
def alive(root: HtmlElement) -> Iterator[None]:
    """Hold all elements of a tree: lxml makes an element's object anew each time that nobody holds it."""
    held = list(root.iter())
    yield
    held.clear()


@contextmanager
def _deep() -> Iterator[None]:
    """Let functions call each other as deep as elements may stand in each other."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEEPEST * FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def _fields(root: HtmlElement, html: str, wanted: Wanted) -> dict[str, Any]:
    base = _base(root, wanted.base)
    stated = statements(root)
    facts = about(root, base, stated)
    kind = kind_of(stated, wanted.base)
    selecting.remove(root, wanted.remove)
    chosen = selecting.select(root, wanted.selector)
    clean(root)
    answer: dict[str, Any] = {"url": wanted.url, **facts, "format": wanted.format, "truncated": False}
    if wanted.format == "metadata":
        return {**answer, **_filled(facts, root, base), "main_content_found": None}
    body = body_of(root)
    found = None
    if chosen is not None:
        body = selecting.gathered(chosen)
    elif wanted.main_content:
        found = main_content(body, html, facts["title"], kind)
    if found:
        without_strangers(body)
        answer |= _shown(facts, body, base)
    style = Style(plain=wanted.format == "text", links=wanted.links, images=wanted.images, base=base)
    head = front_matter(answer) if wanted.front_matter else ""
    blocks = _without_bare_rules(write(body, style)) if found else write(body, style)
    content, truncated = cut(blocks, max(0, wanted.max_chars - len(head)))
    return {
        **answer,
        "content": head + content,
        "truncated": truncated,
        "links": lists.links(body, base),
        "images": lists.images(body, base),
        "tables": lists.tables(body),
        "main_content_found": found,
    }


def _without_bare_rules(blocks: list[Block]) -> list[Block]:
    """Leave out rules that part nothing, now that what stood between them is gone."""
    kept: list[Block] = []
    for block in blocks:
        if block.kind != "rule" or (kept and kept[-1].kind != "rule"):
            kept.append(block)
    return kept[:-1] if kept and kept[-1].kind == "rule" else kept


def _base(root: HtmlElement, address: str) -> str:
    """Give the address that relative ones start from; a page may name another (WHATWG HTML 4.2.3)."""
    stated = next((element.get("href") for element in root.iter("base") if element.get("href")), None)
    return (Style(base=address).address(stated) or address) if stated and address else address


def _filled(facts: Facts, root: HtmlElement, base: str) -> Facts:
    """Fill in from the reader view what the page does not state."""
    if facts["description"] and facts["image"]:
        return {}
    body = body_of(root)
    if not reader_view(body, facts["title"]):
        return {}
    without_strangers(body)
    return _shown(facts, body, base)


def _shown(facts: Facts, body: HtmlElement, base: str) -> Facts:
    """Give the description and the image, from the main content where the page states none."""
    return {
        "description": facts["description"] or lists.excerpt(body),
        "image": facts["image"] or lists.illustration(body, base),
    }
