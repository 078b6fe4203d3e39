"""The conversion of a page: from HTML to the fields of the response."""

import gc
import sys
from collections.abc import Mapping
from typing import Any

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block, truncate
from mediakit.engines.markdown.html.elements import MarkdownOptions
from mediakit.engines.markdown.html.parser import MAX_DEPTH, body_of, parse_html
from mediakit.engines.markdown.html.writer import write_blocks, write_normalized_blocks
from mediakit.tools.documents.web_to_markdown.clean import (
    clean_page,
    move_to_body,
    remove_elements,
    remove_heading_permalinks,
    replace_aria_roles,
    select_elements,
    show_all_text,
    show_lazy_images,
)
from mediakit.tools.documents.web_to_markdown.embeds import link_embeds
from mediakit.tools.documents.web_to_markdown.footnotes import normalize_footnotes
from mediakit.tools.documents.web_to_markdown.metadata.page_metadata import Metadata, page_metadata
from mediakit.tools.documents.web_to_markdown.metadata.structured_data import structured_data
from mediakit.tools.documents.web_to_markdown.page_parts import (
    document_base_url,
    front_matter,
    lead_image,
    lead_paragraph,
    list_images,
    list_links,
    list_tables,
)
from mediakit.tools.documents.web_to_markdown.pruning import remove_unrelated_images
from mediakit.tools.documents.web_to_markdown.request import ReadOptions
from mediakit.tools.documents.web_to_markdown.scoring.page_features import page_type_features
from mediakit.tools.documents.web_to_markdown.selection import extract_main_content

CALLS_PER_LEVEL = 50
"""Nested function calls for one level of nested elements."""


def page_fields(html: str, options: ReadOptions) -> dict[str, Any]:
    """Convert a page.

    Returns:
        The fields of the response by name, and `main_content_found`.

    Raises:
        InvalidInput: A selector is invalid or matches no element.
    """
    limit, collects_garbage = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, MAX_DEPTH * CALLS_PER_LEVEL))
    gc.disable()  # the search for reference cycles would walk all elements and blocks of the page again and again
    try:
        root = parse_html(html)
        elements = list(root.iter())  # lxml creates a new object at each access to an element that nothing references
        fields = _fields(root, html, options)
        elements.clear()
        return fields
    finally:
        sys.setrecursionlimit(limit)
        if collects_garbage:
            gc.enable()


def _fields(root: HtmlElement, html: str, options: ReadOptions) -> dict[str, Any]:
    base_url = document_base_url(root, options.base_url)
    data = structured_data(root)
    metadata = page_metadata(root, base_url, data)
    page_type = page_type_features(data, options.base_url)
    remove_elements(root, options.remove)
    show_lazy_images(root)
    selected = select_elements(root, options.selector)
    clean_page(root, html, only_content=options.main_content and selected is None)
    fields: dict[str, Any] = {"url": options.url, **metadata, "format": options.format, "truncated": False}
    body, is_found = body_of(root), None
    if options.format == "metadata":
        is_complete = metadata["description"] and metadata["image"]
        if not is_complete and _reduce_to_content(body, metadata["title"], page_type):
            fields |= _complete_from_content(metadata, body, base_url)
        return {**fields, "main_content_found": None}
    if selected is not None:
        body = move_to_body(selected)
    elif options.main_content and (is_found := _reduce_to_content(body, metadata["title"], page_type)):
        fields |= _complete_from_content(metadata, body, base_url)
    link_embeds(body, plain=options.format == "text")
    replace_aria_roles(body)
    if options.format == "markdown":
        normalize_footnotes(body)
    markdown_options = MarkdownOptions(
        plain=options.format == "text",
        include_links=options.include_links,
        include_images=options.include_images,
        base_url=base_url,
        keep_empty=not options.main_content and selected is None,
        resolve_fragments=base_url != options.base_url,
    )
    blocks = write_normalized_blocks(body, markdown_options)
    if not blocks and selected is None:  # all text of the page is hidden or in controls
        root, is_found = parse_html(html), False if options.main_content else None
        remove_elements(root, options.remove)
        show_all_text(root)
        body = body_of(root)
        blocks = write_blocks(body, markdown_options)
    if is_found:
        blocks = _without_unneeded_rules(blocks)
    return {**fields, **_content(fields, body, blocks, base_url, options), "main_content_found": is_found}


def _content(
    fields: Mapping[str, Any], body: HtmlElement, blocks: list[Block], base_url: str, options: ReadOptions
) -> dict[str, Any]:
    """Return the content and its links, images and tables."""
    head = front_matter(fields) if options.front_matter else ""
    content, is_truncated = truncate(blocks, max(0, options.max_chars - len(head)))
    return {
        "content": head + content,
        "truncated": is_truncated,
        "links": list_links(body, base_url),
        "images": list_images(body, base_url),
        "tables": list_tables(body),
    }


def _reduce_to_content(body: HtmlElement, title: str | None, page_type: list[float]) -> bool:
    """Reduce a body to its main content and the images in it. Returns whether main content was found."""
    is_found = extract_main_content(body, title, page_type)
    if is_found:
        remove_unrelated_images(body)
        remove_heading_permalinks(body)
    return is_found


def _without_unneeded_rules(blocks: list[Block]) -> list[Block]:
    """Remove rules at both ends and after other rules, which remain when the blocks between them are removed."""
    kept: list[Block] = []
    for block in blocks:
        if block.kind != "rule" or (kept and kept[-1].kind != "rule"):
            kept.append(block)
    return kept[:-1] if kept and kept[-1].kind == "rule" else kept


def _complete_from_content(metadata: Metadata, body: HtmlElement, base_url: str) -> Metadata:
    """Return the description and the image, from the main content if the page does not state them."""
    return {
        "description": metadata["description"] or lead_paragraph(body),
        "image": metadata["image"] or lead_image(body, base_url),
    }
