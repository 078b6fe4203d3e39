"""What stands beside the content in the response: links, images, tables, lead paragraph and front matter."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    MarkdownOptions,
    alt_text,
    image_url,
    is_large,
    is_tracking_pixel,
)
from mediakit.engines.markdown.html.table_grid import build_grid, count_header_rows, is_layout_table, table_rows


def document_base_url(root: HtmlElement, page_url: str) -> str:
    """Return the absolute URL against which relative addresses are resolved, or an empty string.

    The `href` of the first `base` element applies if it is, or resolves to, an http or https URL.
    """
    href = next((element.get("href") for element in root.iter("base") if element.get("href") is not None), None)
    return absolute_url(href, page_url) or page_url


def absolute_url(reference: str | None, base_url: str) -> str | None:
    """Return an address as an absolute http or https URL. None if it cannot be resolved."""
    if not reference or not reference.strip():
        return None
    try:
        url = urljoin(base_url, reference.strip())
        parts = urlsplit(url)
    except ValueError:  # invalid IPv6 address in brackets
        return None
    return url if parts.scheme.lower() in ("http", "https") and parts.netloc else None


def element_text(element: HtmlElement) -> str:
    """Return the text of an element and its descendants as one line."""
    if len(element):
        return " ".join(" ".join(element.itertext()).split())
    return " ".join((element.text or "").split())


MAX_VALUE_CHARACTERS = 1_000

KEYS = {
    "title": "title",
    "byline": "author",
    "published_time": "date",
    "site_name": "site",
    "language": "lang",
    "description": "description",
    "url": "source",
    "canonical": "canonical",
    "image": "image",
}
"""Front matter keys by field."""


def front_matter(fields: Mapping[str, str | None]) -> str:
    """Return the metadata as YAML. Values are JSON strings, which are valid YAML (YAML 1.2, 1.3)."""
    lines = [
        f"{key}: {json.dumps(value[:MAX_VALUE_CHARACTERS], ensure_ascii=False)}"
        for field, key in KEYS.items()
        if (value := fields.get(field))
    ]
    return "\n".join(["---", *lines, "---", "", ""])


MAX_CELLS = 100_000
MAX_CHARACTERS = 4_000_000
"""Limits for all tables of a page together. A merged cell counts once for each position that it covers."""


def list_tables(body: HtmlElement) -> list[dict[str, Any]]:
    """Return the data tables in the content. Tables that exceed the remaining limits are omitted."""
    remaining_cells, remaining_chars = MAX_CELLS, MAX_CHARACTERS
    found = []
    for table in body.iter("table"):
        rows = table_rows(table)
        if is_layout_table(table, rows):
            continue
        grid = build_grid(rows)
        by_cell = {
            cell.element: element_text(cell.element) or " ".join(filter(None, map(alt_text, cell.element.iter("img"))))
            for cell in chain.from_iterable(grid)
            if cell and cell.is_origin
        }
        texts = [[by_cell[cell.element] if cell else "" for cell in row] for row in grid]
        cells, chars = sum(map(len, texts)), sum(len(text) for row in texts for text in row)
        if not chars or chars > remaining_chars or cells > remaining_cells:
            continue
        remaining_cells -= cells
        remaining_chars -= chars
        found.append(_table(table, rows, texts))
    return found


def _table(table: HtmlElement, rows: list[HtmlElement], texts: list[list[str]]) -> dict[str, Any]:
    headers = min(count_header_rows(rows), len(texts) - 1) if len(texts) > 1 else 0
    caption = table.find("caption")
    labels = (filter(None, (row[column] for row in texts[:headers])) for column in range(len(texts[0])))
    names = [" / ".join(dict.fromkeys(column)) or f"Column {number}" for number, column in enumerate(labels, start=1)]
    return {
        "columns": list(_unique_names(names)),
        "rows": texts[headers:],
        "caption": element_text(caption) or None if caption is not None else None,
    }


def _unique_names(names: list[str]) -> Iterator[str]:
    """Yield the names, with a number after names that occur again."""
    taken = set(names)
    counts: dict[str, int] = {}
    for name in names:
        unique = name
        while counts.get(name) and unique in taken:
            counts[name] += 1
            unique = f"{name} ({counts[name]})"
        counts.setdefault(name, 1)
        taken.add(unique)
        yield unique


MAX_REFERENCES = 1_000
"""Links, and images, that are listed."""

MAX_TEXT_CHARACTERS = 500

MAX_PARAGRAPHS = 300
"""Paragraphs that are searched for a description."""

MIN_DESCRIPTION_CHARACTERS = 25
MAX_DESCRIPTION_CHARACTERS = 1000

_PARAGRAPH_ELEMENTS = ("p", "div", "section", "article", "main", "blockquote", "td")


def list_links(body: HtmlElement, base_url: str) -> list[dict[str, str]]:
    """Return the links in the content, each address once."""
    options = MarkdownOptions(base_url=base_url)
    found: dict[str, dict[str, str]] = {}
    for element in body.iter("a"):
        url = options.link_url(element.get("href"))
        if url and not url.startswith("#") and not found.get(url, {}).get("text"):
            text = element_text(element) or next((alt_text(image) for image in element.iter("img")), "")
            found[url] = {"text": text[:MAX_TEXT_CHARACTERS], "url": url}
        if len(found) >= MAX_REFERENCES:
            break
    return list(found.values())


def list_images(body: HtmlElement, base_url: str) -> list[dict[str, str]]:
    """Return the images in the content, each address once."""
    options = MarkdownOptions(base_url=base_url)
    found: dict[str, dict[str, str]] = {}
    for element in body.iter("img"):
        url = image_url(element, options)
        if url and not is_tracking_pixel(element):
            found.setdefault(url, {"alt": alt_text(element)[:MAX_TEXT_CHARACTERS], "url": url})
        if len(found) >= MAX_REFERENCES:
            break
    return list(found.values())


def lead_paragraph(body: HtmlElement) -> str | None:
    """Return the first paragraph that is long enough to describe the page, or else the first paragraph."""
    first = None
    for element in chain((body,), islice(body.iterdescendants(*_PARAGRAPH_ELEMENTS), MAX_PARAGRAPHS)):
        if element.tag != "p" and next(element.iterdescendants(*BLOCK_ELEMENTS), None) is not None:
            continue
        text = element_text(element)
        first = first or text
        if len(text) >= MIN_DESCRIPTION_CHARACTERS:
            return text[:MAX_DESCRIPTION_CHARACTERS]
    return first


def lead_image(body: HtmlElement, base_url: str) -> str | None:
    """Return the absolute URL of the first large image."""
    options = MarkdownOptions(base_url=base_url)
    urls = (image_url(element, options) for element in body.iter("img") if is_large(element))
    return next((url for url in urls if url.startswith(("http://", "https://"))), None)
