"""How a page shows itself in a notebook: its Markdown as headings, lists and tables. Nothing of it runs or loads."""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from mediakit.tools.documents.web_to_markdown.result import PageResult

SHOWN = 20_000
"""Characters of the content that a notebook's file keeps."""

_BOX = (
    "max-width:46em;border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:14px 18px;"
    "font:14px/1.5 system-ui,sans-serif;color:inherit"
)
_TITLE = "font-size:17px;font-weight:600;line-height:1.3"
_FACTS = "font-size:12.5px;opacity:.7;margin-top:3px"
_CONTENT = (
    "margin:12px 0 0;padding:12px 0 0;border-top:1px solid rgba(128,128,128,.25);max-height:30em;overflow:auto;"
    "overflow-wrap:anywhere;background:none;color:inherit"
)
_SOURCE = "white-space:pre-wrap"
_HEADING = "font-size:{size}px;font-weight:600;line-height:1.3;margin:{above}px 0 6px"
_HEADING_SIZES = {"h1": 19, "h2": 17, "h3": 15.5}
_REST = "font-size:12.5px;opacity:.7"
_SCHEMES = ("http", "https", "mailto")


def html(page: "PageResult") -> str:
    """Write a page as HTML.

    Notebooks typeset TeX wherever they find dollar signs; the two classes tell them not to.
    """
    facts = (page.byline, page.site_name, page.published_time, page.language, page.url, page.extent)
    line = " · ".join(f"<bdi>{escape(fact)}</bdi>" for fact in facts if fact)
    title = f'<div style="{_TITLE}" dir="auto">{escape(page.title or "Without a title")}</div>'
    return (
        f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{title}<div style="{_FACTS}">{line}</div>'
        f"{_content(page)}</div>"
    )


def _content(page: "PageResult") -> str:
    if page.format == "metadata":
        return f'<div style="{_CONTENT}" dir="auto">{escape(page.description or "")}</div>' if page.description else ""
    shown = page.content[:SHOWN]
    rest = len(page.content) - len(shown)
    more = f'<div style="{_REST}">… and {rest:,} characters more in .content</div>' if rest else ""
    if page.format == "text":
        return f'<div style="{_CONTENT};{_SOURCE}" dir="auto">{escape(shown)}{more}</div>'
    return f'<div style="{_CONTENT}" dir="auto">{_markdown().render(shown)}{more}</div>'


@cache
def _markdown() -> "MarkdownIt":
    """Make a renderer that takes HTML for text, follows no odd scheme and loads no picture."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("link_open", _link)
    markdown.add_render_rule("heading_open", _heading)
    markdown.add_render_rule("fence", _code)
    return markdown


def _image(self: Any, tokens: Sequence["Token"], index: int, *settings: Any) -> str:
    alt = self.renderInlineAsText(tokens[index].children, *settings)
    return f"<em>[{escape(alt or 'picture')}]</em>"


def _link(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    """Open a link in a page of its own; a relative address would lead into the notebook's own server."""
    address = str(tokens[index].attrGet("href") or "")
    if urlsplit(address).scheme.lower() not in _SCHEMES:
        return "<a>"
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer nofollow">'


def _heading(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    tag = tokens[index].tag
    return f'<{tag} style="{_HEADING.format(size=_HEADING_SIZES.get(tag, 14), above=14 if index else 0)}">'


def _code(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    return f"<pre><code>{escape(tokens[index].content)}</code></pre>"
