"""Writes a document as HTML or DOCX, and finds its headings in a printed PDF; runs in a worker."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape
from io import BytesIO
from typing import Any
from urllib.parse import unquote

from mediakit.core.texts import text_of
from mediakit.engines.rich_text.document import Document
from mediakit.engines.rich_text.languages import direction_of
from mediakit.engines.rich_text.markdown import parse_markdown
from mediakit.engines.rich_text.rendering import RenderOptions, render
from mediakit.tools.documents.markdown_convert.request import MarkdownConvertRequest, WrittenDocument, WrittenText

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


def write_document(request: MarkdownConvertRequest) -> WrittenDocument:
    """Return the text of a request as a Word document."""
    from mediakit.engines.docx_writer import DocxOptions
    from mediakit.engines.docx_writer.writer import write_docx

    document = parse_markdown(text_of(request.markdown), request.stripped_title)
    front_matter = document.front_matter
    lang = request.lang or front_matter.lang or DEFAULT_LANGUAGE
    rendered = render(document, RenderOptions())
    options = DocxOptions(
        title=document.title,
        printed_title="" if document.has_title_heading else request.stripped_title or front_matter.title,
        author=front_matter.author,
        date=front_matter.date,
        theme=request.theme,
        toc=request.toc,
        numbered=request.numbered,
        page=request.layout,
        page_numbers=request.page_numbers,
        lang=lang,
        rtl=direction_of(lang) == "rtl",
    )
    written = write_docx(rendered.html, document.headings, options)
    text = describe(request, document, rendered.warnings)
    return WrittenDocument(written.content, replace(text, warnings=[*text.warnings, *written.warnings]).meta)


def find_heading_pages(pdf: bytes) -> dict[str, int]:
    """Return the page number, from 1, of each destination of a PDF that Chromium printed.

    Chromium percent-encodes the names, and writes a destination for each target of a link only.
    """
    import pikepdf

    with pikepdf.open(BytesIO(pdf)) as document:
        numbers = {page.objgen: number for number, page in enumerate(document.pages, 1)}
        destinations: Any = document.Root.get("/Dests", {})
        return {
            unquote(str(name).removeprefix("/")): numbers[target[0].objgen]
            for name, target in destinations.items()
            if len(target) and target[0].objgen in numbers
        }
