"""The whole page around a text: title, contents, styles of a theme and of the paper."""

from collections.abc import Mapping
from dataclasses import replace

from mediakit.engines.paper import PageLayout
from mediakit.engines.rich_text.page import Medium, Page, contents_html, theme_css, write_page
from mediakit.tools.documents.markdown_convert.request import MarkdownConvertRequest, WrittenText

UNTITLED = "Document"


def html_text(text: WrittenText, request: MarkdownConvertRequest, pages: Mapping[str, str] | None = None) -> str:
    """Return the HTML of a text with its contents.

    Args:
        text: The text.
        request: The request.
        pages: The page of each heading by its anchor, for print.
    """
    contents = contents_html(text.headings, text.lang, numbered=request.numbered, pages=pages) if request.toc else ""
    return f"{text.before}{contents}\n{text.after}" if contents else text.before + text.after


def html_page(
    text: WrittenText,
    request: MarkdownConvertRequest,
    medium: Medium = "screen",
    pages: Mapping[str, str] | None = None,
) -> str:
    """Return the whole page of a text."""
    if medium == "print":
        text = replace(text, before=_opened(text.before), after=_opened(text.after))
    body = f"<main>\n{html_text(text, request, pages).strip()}\n</main>"
    styles = [*theme_css(request.theme, body, medium), _paper_css(request.layout)]
    return write_page(Page(text.title or UNTITLED, text.lang, text.author), body, styles)


def _opened(html: str) -> str:
    """Return HTML whose collapsed sections are open: paper has no button to open them."""
    return html.replace("<details>", '<details open="">')


def _paper_css(layout: PageLayout) -> str:
    """Return the paper for printing the page from a browser."""
    return f"@page {{ size: {layout.width:g}mm {layout.height:g}mm; margin: {layout.margins.top:g}mm }}"
