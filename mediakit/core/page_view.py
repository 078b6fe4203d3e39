"""How a page shows itself in a notebook: as text in a box. Nothing in it runs, loads or formats anything."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mediakit.core.web_page import PageResult

SHOWN = 20_000
"""Characters of the content that a notebook's file keeps."""

_BOX = (
    "max-width:46em;border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:14px 18px;"
    "font:14px/1.5 system-ui,sans-serif;color:inherit"
)
_TITLE = "font-size:17px;font-weight:600;line-height:1.3"
_FACTS = "font-size:12.5px;opacity:.7;margin-top:3px"
_TEXT = (
    "margin:12px 0 0;padding:12px 0 0;border-top:1px solid rgba(128,128,128,.25);max-height:26em;overflow:auto;"
    "white-space:pre-wrap;overflow-wrap:anywhere;font:12.5px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
    "background:none;color:inherit"
)


def html(page: "PageResult") -> str:
    """Write a page as HTML.

    Notebooks typeset TeX wherever they find dollar signs; the two classes tell them not to.
    """
    facts = (page.byline, page.site_name, page.published_time, page.language, page.url, page.extent)
    line = " · ".join(f"<bdi>{escape(fact)}</bdi>" for fact in facts if fact)
    title = f'<div style="{_TITLE}" dir="auto">{escape(page.title or "Without a title")}</div>'
    return (
        f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{title}<div style="{_FACTS}">{line}</div>'
        f"{_text(page)}</div>"
    )


def _text(page: "PageResult") -> str:
    if page.format == "metadata":
        return f'<div style="{_TEXT}" dir="auto">{escape(page.description or "")}</div>' if page.description else ""
    rest = len(page.content) - SHOWN
    more = f"\n\n… and {rest:,} characters more in .content" if rest > 0 else ""
    return f'<div style="{_TEXT}" dir="auto">{escape(page.content[:SHOWN])}{more}</div>'
