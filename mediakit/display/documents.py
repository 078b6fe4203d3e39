"""HTML views of a document and of a file for notebooks. They run and load nothing."""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

import pybase64

from mediakit.core.messages import readable_size

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
_HEADING_SIZES = {"h1": 19, "h2": 17, "h3": 15.5, "h4": 14, "h5": 14, "h6": 14}
_OMITTED_STYLE = "font-size:12.5px;opacity:.7"
_SOURCE_STYLE = "margin:12px 0 0;font-size:12.5px"
_PRE_STYLE = (
    "max-height:30em;overflow:auto;margin:8px 0 0;padding:10px 12px;border-radius:6px;white-space:pre-wrap;"
    "overflow-wrap:anywhere;background:rgba(128,128,128,.1);color:inherit;font:12px/1.5 ui-monospace,monospace"
)
_ALIGNED = {tag: {"colspan", "rowspan", "scope", "style"} for tag in ("td", "th")}
_ADDED: dict[str, dict[str, str]] = {
    tag: {"style": f"font-size:{size}px;font-weight:600;line-height:1.3;margin:14px 0 6px"}
    for tag, size in _HEADING_SIZES.items()
}
_ADDED["a"] = {"target": "_blank"}
_FILE_STYLE = (
    "border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:10px 14px;font:13px/1.5 system-ui,sans-serif"
)
_FRAME_STYLE = (
    "width:100%;height:32em;margin:8px 0 0;border:1px solid rgba(128,128,128,.35);border-radius:6px;background:#fff"
)
_FILE_TEXT_STYLE = (
    "max-height:30em;overflow:auto;margin:8px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;background:none"
)


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
    source = ""
    if with_source and is_markdown and content:
        shown = escape(content[:MAX_SOURCE_CHARACTERS]) + ("\n…" if len(content) > MAX_SOURCE_CHARACTERS else "")
        source = (
            f'<details style="{_SOURCE_STYLE}"><summary style="cursor:pointer">Markdown</summary>'
            f'<pre {_REGION.format("Source")} style="{_PRE_STYLE}" dir="auto">{shown}</pre></details>'
        )
    return (
        f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX_STYLE}">{heading}'
        f'<div style="{_FACTS_STYLE}">{line}</div>{_content(content, is_markdown=is_markdown)}{source}</div>'
    )


def _content(content: str, *, is_markdown: bool) -> str:
    if not content:
        return ""
    shown = content[:MAX_SHOWN_CHARACTERS]
    omitted = len(content) - len(shown)
    note = f'<div style="{_OMITTED_STYLE}">… and {omitted:,} more characters in .content</div>' if omitted else ""
    text, style = (
        (_markdown_html(shown), _CONTENT_STYLE) if is_markdown else (escape(shown), f"{_CONTENT_STYLE};{_TEXT_STYLE}")
    )
    return f'<div {_REGION.format("Content")} style="{style}" dir="auto">{text}{note}</div>'


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
    """Return name, size and a download link; text files show their text as well, and HTML files the page.

    Args:
        name: The name of the file.
        mime_type: Its media type.
        content: Its bytes.
        text: Its text; None if it is not a text file.
        preview: HTML that is shown below the name of a file that is not a text file.
    """
    box = f'<div class="tex2jax_ignore mathjax_ignore" style="{_FILE_STYLE}">'
    size = f'<span style="opacity:.7">{readable_size(len(content))}</span>'
    if len(content) > MAX_LINKED_BYTES:
        link = f"<code>.save({escape(repr(name))})</code> writes the file."
    else:
        source = f"data:{mime_type};base64,{pybase64.b64encode(content).decode()}"
        link = f'<a download="{escape(name)}" href="{source}">Download</a>'
    if text is not None and mime_type == "text/html" and len(content) <= MAX_PAGE_BYTES:
        preview = f'<iframe sandbox title="{escape(name)}" srcdoc="{escape(text)}" style="{_FRAME_STYLE}"></iframe>'
    elif text is not None:
        more = "…" if len(text) > MAX_SHOWN_CHARACTERS else ""
        shown = escape(text[:MAX_SHOWN_CHARACTERS])
        preview = f'<pre tabindex="0" style="{_FILE_TEXT_STYLE}" dir="auto">{shown}{more}</pre>'
    return f"{box}<b>{escape(name)}</b> {size} {link}{preview}</div>"
