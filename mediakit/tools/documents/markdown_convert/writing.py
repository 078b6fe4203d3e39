"""Write a document as HTML: for a worker process."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape

from mediakit.core.texts import text_of
from mediakit.engines.rich_text.document import Document
from mediakit.engines.rich_text.markdown import parse_markdown
from mediakit.engines.rich_text.rendering import RenderOptions, render
from mediakit.tools.documents.markdown_convert.request import MarkdownConvertRequest, WrittenText

DEFAULT_LANGUAGE = "en"

_IMAGE = re.compile(r'<img[^>]*? src="([^"]*)"')
_LOADED = ("data:", "http:", "https:", "//")


def write_text(request: MarkdownConvertRequest) -> WrittenText:
    """Return the text of a request as clean HTML, in two parts between which the contents belong."""
    document = parse_markdown(text_of(request.markdown), request.stripped_title)
    # A fragment has no styles: its code stays plain for the highlighter of the page that it becomes part of.
    options = RenderOptions(highlighted=request.document, scrolling_tables=request.document, numbered=request.numbered)
    rendered = render(document, options)
    before, after = _split_after_title(document, rendered.html)
    if request.document:
        before = f"{before}{_title_block(document, request.stripped_title or document.front_matter.title)}"
    text = describe(request, document, rendered.warnings)
    return replace(text, before=before, after=after, local_images=_local_images(rendered.html))


def describe(request: MarkdownConvertRequest, document: Document, warnings: Sequence[str]) -> WrittenText:
    """Return what is known about a document, without its HTML."""
    return WrittenText(
        before="",
        after="",
        title=document.title,
        author=document.front_matter.author,
        lang=request.lang or document.front_matter.lang or DEFAULT_LANGUAGE,
        headings=document.headings,
        words=document.words,
        warnings=[*document.warnings, *warnings],
    )


def _local_images(html: str) -> Sequence[str]:
    found = dict.fromkeys(map(unescape, _IMAGE.findall(html)))
    return [address for address in found if not address.lower().startswith(_LOADED)]


def _split_after_title(document: Document, html: str) -> tuple[str, str]:
    if not document.has_title_heading:
        return "", html
    heading, end, text = html.partition("</h1>\n")
    return heading + end, text


def _title_block(document: Document, title: str) -> str:
    """Return the title that the text does not have, and author and date of the front matter."""
    front_matter = document.front_matter
    heading = f"<h1>{escape(title)}</h1>\n" if title and not document.has_title_heading else ""
    byline = " · ".join(escape(each) for each in (front_matter.author, front_matter.date) if each)
    lines = heading + (f'<p class="byline">{byline}</p>\n' if byline else "")
    return f'<header class="title-block">\n{lines}</header>\n' if lines else ""
