"""Links, pictures and tables of a page's content as lists, and the words that begin it."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown import pictures
from mediakit.tools.documents.web_to_markdown.markdown import tables as grids
from mediakit.tools.documents.web_to_markdown.markdown.elements import BLOCKS
from mediakit.tools.documents.web_to_markdown.markdown.style import Style

MOST = 1_000
"""Links and pictures that are listed."""

MOST_PARAGRAPHS = 300
"""Paragraphs that are looked at for one that describes the page."""

SENTENCE = 25
"""Characters of a paragraph that tells something."""

_PARAGRAPHS = ("p", "div", "section", "article", "main", "blockquote", "td")

MOST_CELLS, MOST_CHARACTERS = 100_000, 4_000_000
"""Cells of all the tables that are listed, and their characters; a merged cell counts in each of its places."""


def links(body: HtmlElement, base: str) -> list[dict[str, str]]:
    """List the links, each address once."""
    style = Style(base=base)
    found: dict[str, dict[str, str]] = {}
    for element in body.iter("a"):
        address = style.address(element.get("href"))
        if address and not address.startswith("#"):
            text = _words(element) or next((pictures.alt(image) for image in element.iter("img")), "")
            if address not in found or not found[address]["text"]:
                found[address] = {"text": text[:500], "url": address}
        if len(found) >= MOST:
            break
    return list(found.values())


def images(body: HtmlElement, base: str) -> list[dict[str, str]]:
    """List the pictures, each address once."""
    style = Style(base=base)
    found: dict[str, dict[str, str]] = {}
    for element in body.iter("img"):
        address = pictures.address(element, style)
        if address and not pictures.is_pixel(element):
            found.setdefault(address, {"alt": pictures.alt(element)[:500], "url": address})
        if len(found) >= MOST:
            break
    return list(found.values())


def tables(body: HtmlElement) -> list[dict[str, Any]]:
    """List the tables that hold data; what is too large beside the others is left out."""
    cells, characters = MOST_CELLS, MOST_CHARACTERS
    found = []
    for table in body.iter("table"):
        rows = grids.rows_of(table)
        if grids.is_layout(table, rows):
            continue
        grid = grids.grid_of(rows)
        texts = _texts(grid)
        size = sum(len(text) for row in texts for text in row)
        if not size or size > characters or sum(map(len, texts)) > cells:
            continue
        cells -= sum(map(len, texts))
        characters -= size
        found.append(_table(table, rows, texts))
    return found


def _texts(grid: grids.Grid) -> list[list[str]]:
    """Give the text of each place; a merged cell's stands in all of its own."""
    known: dict[HtmlElement, str] = {}
    for row in grid:
        for cell in row:
            if cell and cell.first:
                known[cell.element] = _cell(cell.element)
    return [[known[cell.element] if cell else "" for cell in row] for row in grid]


def excerpt(body: HtmlElement) -> str | None:
    """Give the first paragraph; one of a few words only where no other follows."""
    first = None
    for element in chain((body,), islice(body.iterdescendants(*_PARAGRAPHS), MOST_PARAGRAPHS)):
        if element.tag != "p" and next(element.iterdescendants(*BLOCKS), None) is not None:
            continue
        words = _words(element)
        first = first or words
        if len(words) >= SENTENCE:
            return words[:1000]
    return first


def illustration(body: HtmlElement, base: str) -> str | None:
    """Give the address of the first picture that is large, by its sides or as a figure."""
    style = Style(base=base)
    for element in body.iter("img"):
        if pictures.is_large(element):
            address = pictures.address(element, style)
            if address.startswith(("http://", "https://")):
                return address
    return None


def _table(table: HtmlElement, rows: list[HtmlElement], texts: list[list[str]]) -> dict[str, Any]:
    heads = min(grids.header_rows(rows), len(texts) - 1) if len(texts) > 1 else 0
    caption = table.find("caption")
    return {
        "columns": list(_unique(_named(texts[:heads], len(texts[0])))),
        "rows": texts[heads:],
        "caption": _words(caption) or None if caption is not None else None,
    }


def _named(heads: list[list[str]], width: int) -> list[str]:
    """Name each column by its headings, those of merged cells once."""
    columns = [list(dict.fromkeys(filter(None, (row[column] for row in heads)))) for column in range(width)]
    return [" / ".join(names) or f"Column {number}" for number, names in enumerate(columns, start=1)]


def _unique(names: list[str]) -> Iterator[str]:
    """Number the names that have come before, with a number that makes them none of the others."""
    taken = set(names)
    seen: dict[str, int] = {}
    for name in names:
        unique = name
        while seen.get(name) and unique in taken:
            seen[name] += 1
            unique = f"{name} ({seen[name]})"
        seen.setdefault(name, 1)
        taken.add(unique)
        yield unique


def _cell(cell: HtmlElement) -> str:
    """Give the text of a cell, or what its pictures show where there is none."""
    return _words(cell) or " ".join(filter(None, map(pictures.alt, cell.iter("img"))))


def _words(element: HtmlElement) -> str:
    return " ".join(" ".join(element.itertext()).split()) if len(element) else " ".join((element.text or "").split())
