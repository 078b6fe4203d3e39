"""HTML views of a document and of a file for notebooks. They run and load nothing."""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

import pybase64

from mediakit.core.messages import readable_size
from mediakit.display import view

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_SHOWN_CHARACTERS = 20_000
"""Characters of a text that are saved in the notebook file."""

MAX_LINKED_BYTES = 1_000_000
"""Bytes of a file that a notebook stores for its download link; larger files have none."""

MAX_PAGE_BYTES = 1_000_000
"""Bytes of an HTML page that a notebook shows as a page; larger ones are shown as their source."""

MAX_SOURCE_CHARACTERS = 10_000
"""Characters of the Markdown itself that are saved in the notebook file."""

_HEADING_SIZES = {"h1": 19, "h2": 17, "h3": 15.5, "h4": 14, "h5": 14, "h6": 14}
_ALIGNED = {tag: {"colspan", "rowspan", "scope", "style"} for tag in ("td", "th")}
_ADDED: dict[str, dict[str, str]] = {
    tag: {"style": f"font-size:{size}px;font-weight:600;line-height:1.3;margin:14px 0 6px"}
    for tag, size in _HEADING_SIZES.items()
}
_ADDED["a"] = {"target": "_blank"}


def render_document(
    title: str | None, facts: Iterable[str | None], content: str, *, is_markdown: bool, with_source: bool = False
) -> str:
    """Return a document as HTML: its title, the facts that are not empty, the content, and its folded source."""
    shown = content[:MAX_SHOWN_CHARACTERS]
    source = content[:MAX_SOURCE_CHARACTERS] + ("\n…" if len(content) > MAX_SOURCE_CHARACTERS else "")
    return view(
        "document",
        title=title or "Without a title",
        facts=[fact for fact in facts if fact],
        content=_markdown_html(shown) if is_markdown else shown,
        is_html=is_markdown,
        omitted=len(content) - len(shown),
        source=source if with_source and is_markdown else "",
    )


def _markdown_html(text: str) -> str:
    """Return Markdown as HTML that runs and loads nothing.

    Images are their alt text. Relative links have no target: they would open on the notebook server.
    """
    import nh3

    return nh3.clean(
        _markdown().render(text),
        tags=nh3.ALLOWED_TAGS - {"img", "map", "area"},
        attributes=nh3.ALLOWED_ATTRIBUTES | _ALIGNED,
        filter_style_properties={"text-align", "font-size", "font-weight", "line-height", "margin"},
        set_tag_attribute_values=_ADDED,
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
    )


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    markdown.add_render_rule("image", _image)
    return markdown


def _image(self: Any, tokens: Sequence["Token"], index: int, *settings: Any) -> str:
    return f"<em>[{escape(self.renderInlineAsText(tokens[index].children, *settings) or 'image')}]</em>"


def file_html(name: str, mime_type: str, content: bytes, text: str | None, *, preview: str = "") -> str:
    """Return name, size and a download link; text files show their text as well, and HTML files the page."""
    link = f"data:{mime_type};base64,{pybase64.b64encode(content).decode()}" if len(content) <= MAX_LINKED_BYTES else ""
    is_page = text is not None and mime_type == "text/html" and len(content) <= MAX_PAGE_BYTES
    more = "…" if text and len(text) > MAX_SHOWN_CHARACTERS else ""
    return view(
        "file",
        name=name,
        size=readable_size(len(content)),
        link=link,
        page=text if is_page else None,
        text=None if text is None else text[:MAX_SHOWN_CHARACTERS] + more,
        preview=preview,
    )
