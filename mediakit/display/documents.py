"""HTML view of a document for notebooks: its Markdown as headings, lists and tables. It runs and loads nothing."""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_SHOWN_CHARACTERS = 20_000
"""Characters of the content that are saved in the notebook file."""

MAX_SOURCE_CHARACTERS = 10_000
"""Characters of the Markdown itself that are saved in the notebook file."""

_BOX_STYLE = (
    "max-width:46em;border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:14px 18px;"
    "font:14px/1.5 system-ui,sans-serif;color:inherit"
)
_TITLE_STYLE = "font-size:17px;font-weight:600;line-height:1.3"
_FACTS_STYLE = "font-size:12.5px;opacity:.7;margin-top:3px"
_CONTENT_STYLE = (
    "margin:12px 0 0;padding:12px 0 0;border-top:1px solid rgba(128,128,128,.25);max-height:30em;overflow:auto;"
    "overflow-wrap:anywhere;background:none;color:inherit"
)
_REGION = 'tabindex="0" role="region" aria-label="{}"'
"""The content can be scrolled with the keyboard."""
_TEXT_STYLE = "white-space:pre-wrap"
_HEADING_STYLE = "font-size:{size}px;font-weight:600;line-height:1.3;margin:{above}px 0 6px"
_HEADING_SIZES = {"h1": 19, "h2": 17, "h3": 15.5}
_OMITTED_STYLE = "font-size:12.5px;opacity:.7"
_SOURCE_STYLE = "margin:12px 0 0;font-size:12.5px"
_PRE_STYLE = (
    "max-height:30em;overflow:auto;margin:8px 0 0;padding:10px 12px;border-radius:6px;white-space:pre-wrap;"
    "overflow-wrap:anywhere;background:rgba(128,128,128,.1);color:inherit;font:12px/1.5 ui-monospace,monospace"
)
_TABLE_TAGS = {
    "table", "thead", "tbody", "tr", "th", "td", "p", "br", "ul", "ol", "li", "dl", "dt", "dd", "blockquote",
    "strong", "em", "b", "i", "u", "s", "del", "sup", "sub", "code", "pre",
}  # fmt: skip
_SPANS = {"rowspan", "colspan"}
_INLINE_TAGS = ("<br>", "<sup>", "</sup>", "<sub>", "</sub>")
_ALLOWED_SCHEMES = ("http", "https", "mailto")


def render_document(
    title: str | None, facts: Iterable[str | None], content: str, *, is_markdown: bool, with_source: bool = False
) -> str:
    """Return a document as HTML.

    The two classes disable TeX rendering: notebooks render text between dollar signs as TeX.

    Args:
        title: The title; None if it has none.
        facts: Short facts for the line below the title. Empty ones are omitted.
        content: Markdown or text.
        is_markdown: Whether to render the content as Markdown rather than show it as text.
        with_source: Whether to add the Markdown itself, folded.
    """
    line = " · ".join(f"<bdi>{escape(fact)}</bdi>" for fact in facts if fact)
    heading = f'<div style="{_TITLE_STYLE}" dir="auto">{escape(title or "Without a title")}</div>'
    return (
        f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX_STYLE}">{heading}'
        f'<div style="{_FACTS_STYLE}">{line}</div>{_content(content, is_markdown=is_markdown)}'
        f"{_source(content) if with_source and is_markdown and content else ''}</div>"
    )


def _content(content: str, *, is_markdown: bool) -> str:
    if not content:
        return ""
    shown = content[:MAX_SHOWN_CHARACTERS]
    omitted = len(content) - len(shown)
    note = f'<div style="{_OMITTED_STYLE}">… and {omitted:,} more characters in .content</div>' if omitted else ""
    text, style = (
        (_markdown().render(shown), _CONTENT_STYLE)
        if is_markdown
        else (escape(shown), f"{_CONTENT_STYLE};{_TEXT_STYLE}")
    )
    return f'<div {_REGION.format("Content")} style="{style}" dir="auto">{text}{note}</div>'


def _source(content: str) -> str:
    shown = content[:MAX_SOURCE_CHARACTERS]
    more = "\n…" if len(content) > len(shown) else ""
    return (
        f'<details style="{_SOURCE_STYLE}"><summary style="cursor:pointer">Markdown</summary>'
        f'<pre {_REGION.format("Source")} style="{_PRE_STYLE}" dir="auto">{escape(shown)}{more}</pre></details>'
    )


@cache
def _markdown() -> "MarkdownIt":
    """Return a renderer that escapes HTML but tables, drops links with other schemes and does not load images."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    markdown.add_render_rule("html_block", _html_block)
    markdown.add_render_rule("html_inline", _html_inline)
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("link_open", _link)
    markdown.add_render_rule("heading_open", _heading)
    markdown.add_render_rule("fence", _code)
    return markdown


def _html_block(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    """Return a table that was written as HTML, without its images and links. Other HTML is shown as text."""
    content = tokens[index].content
    if not content.startswith("<table>"):
        return escape(content)
    import nh3

    return nh3.clean(content, tags=_TABLE_TAGS, attributes={"td": _SPANS, "th": _SPANS, "ol": {"start"}})


def _html_inline(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    content = tokens[index].content
    return content if content in _INLINE_TAGS else escape(content)


def _image(self: Any, tokens: Sequence["Token"], index: int, *settings: Any) -> str:
    alt = self.renderInlineAsText(tokens[index].children, *settings)
    return f"<em>[{escape(alt or 'image')}]</em>"


def _link(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    """Return a link that opens in a new tab. Relative links are dropped: they would open on the notebook server."""
    address = str(tokens[index].attrGet("href") or "")
    if urlsplit(address).scheme.lower() not in _ALLOWED_SCHEMES:
        return "<a>"
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer nofollow">'


def _heading(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    tag = tokens[index].tag
    return f'<{tag} style="{_HEADING_STYLE.format(size=_HEADING_SIZES.get(tag, 14), above=14 if index else 0)}">'


def _code(_self: object, tokens: Sequence["Token"], index: int, *_: Any) -> str:
    return f"<pre><code>{escape(tokens[index].content)}</code></pre>"
