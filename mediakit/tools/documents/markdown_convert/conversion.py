"""The request of `markdown_convert`, and the conversion: HTML and Word documents in a worker, PDFs in the browser."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from html import escape, unescape
from io import BytesIO
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self
from urllib.parse import unquote

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule, text_of
from mediakit.engines.direction import direction_of
from mediakit.engines.guarded import run_guarded
from mediakit.engines.paper import MIN_HEADER_MARGIN_MM, Margins, PageLayout, PaperFormat
from mediakit.engines.rich_text.markdown import Document, Heading, is_language, parse_markdown
from mediakit.engines.rich_text.page import Medium, Page, Theme, contents_html, open_sections, theme_css, write_page
from mediakit.engines.rich_text.rendering import RenderOptions, render
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.engines.browser.html import PrintedPdf


MAX_CHARACTERS = 1_048_576

Target = Literal["html", "pdf", "docx"]


def _check_language(tag: str) -> str:
    if not is_language(tag):
        raise ValueError(f'must be a language tag such as "en" or "pt-BR", got {quote(tag)}.')
    return tag


@request
class MarkdownConvertRequest:
    """Markdown, and the document that it becomes."""

    markdown: Annotated[
        TextInput,
        TextRule("markdown"),
        Field(min_length=1, max_length=MAX_CHARACTERS),
        Synonyms("text, content, source, md"),
    ]
    """CommonMark with GitHub's tables, task lists, alerts and autolinks, footnotes, definition lists, formulas between
    dollar signs, and front matter. Raw HTML is cleaned."""
    to: Annotated[
        Target,
        Synonyms("output, output_format, target, type", {"docx": "word, doc, document", "html": "htm, web page"}),
    ] = "html"
    """Format of the result."""
    _: KW_ONLY
    title: Annotated[str, Field(max_length=200)] | None = None
    """Title of the document. By default the one of the front matter, else the first heading."""
    theme: Annotated[Theme, Synonyms("style, css, template")] = "plain"
    """Design of the document."""
    toc: Annotated[bool, Synonyms("contents, table_of_contents")] = False
    """Add the contents after the title: links in html, page numbers in pdf, a field that Word can update in docx."""
    numbered: Annotated[bool, Synonyms("number_sections, numbering")] = False
    """Number the headings: 1, 1.1, 1.2."""
    document: bool = True
    """Return a whole page with its styles. False returns the HTML of the text alone, for a page of yours."""
    format: Annotated[PaperFormat, Synonyms("paper, paper_size, page_size")] = "A4"
    """Paper size of pdf and docx, and of html when it is printed."""
    landscape: bool = False
    """Landscape orientation."""
    margin: Annotated[int, Field(ge=0, le=100)] = 20
    """Margin of the paper on all four sides, in millimeters."""
    page_numbers: bool = False
    """Print page numbers in the bottom margin of pdf and docx."""
    lang: Annotated[
        Annotated[str, Field(min_length=2, max_length=35), AfterValidator(_check_language)] | None,
        Field(json_schema_extra={"default": "en"}),
    ] = None
    """Language of the text as a BCP 47 tag, from which the direction of the text follows. The front matter can set it,
    too."""

    @property
    def layout(self) -> PageLayout:
        """Size, orientation and margins of the pages."""
        return PageLayout(self.format, self.landscape, Margins(*[self.margin] * 4))

    @property
    def stripped_title(self) -> str:
        """The title; empty if the request has none."""
        return (self.title or "").strip()

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        self.layout.check_margins()
        if not self.document and self.to != "html":
            raise ValueError(f"document: false requires to html, got {self.to}.")
        if self.page_numbers and self.to == "pdf" and self.margin < MIN_HEADER_MARGIN_MM:
            raise ValueError(f"page_numbers: requires margin of at least {MIN_HEADER_MARGIN_MM} mm, got {self.margin}.")
        return self


@request
class PdfCall(MarkdownConvertRequest):
    """Arguments of calls that return a PDF, for type checkers."""

    to: Literal["pdf"]


@request
class FileCall(MarkdownConvertRequest):
    """Arguments of calls that return another file, for type checkers."""

    to: Literal["html", "docx"] = "html"


_IMAGE = re.compile(r'<img[^>]*? src="([^"]*)"')
_LOADED = ("data:", "http:", "https:", "//")

FOOTER = '<div style="text-align:center;font-size:8.5pt;color:#5c6370"><span class="pageNumber"></span></div>'

MAX_NAMED_IMAGES = 3


@dataclass(frozen=True)
class WrittenText:
    """A text as HTML, and what is known about the document."""

    before: str
    """HTML up to the place of the contents."""
    after: str
    """HTML after the contents."""
    title: str
    author: str
    lang: str
    headings: Sequence[Heading]
    words: int
    warnings: Sequence[str]
    local_images: Sequence[str] = ()
    """Addresses of images that only the page's own folder could have."""

    @property
    def meta(self) -> dict[str, Any]:
        """What the result reports."""
        return {
            "title": self.title or None,
            "headings": [
                {"level": heading.level, "text": heading.text, "anchor": heading.anchor} for heading in self.headings
            ],
            "words": self.words,
            "warnings": list(self.warnings),
        }


def write_text(request: MarkdownConvertRequest) -> WrittenText:
    """Return the text of a request as clean HTML, in two parts between which the contents belong."""
    document = parse_markdown(text_of(request.markdown), request.stripped_title)
    # A fragment has no styles: its code stays plain for the highlighter of the page that it becomes part of.
    options = RenderOptions(
        highlighted=request.document,
        scrolling_tables=request.document,
        numbered=request.numbered,
        rtl=direction_of(_language(request, document)) == "rtl",
    )
    rendered = render(document, options)
    before, after = "", rendered.html
    if document.has_title_heading:
        heading, end, after = rendered.html.partition("</h1>\n")
        before = heading + end
    if request.document:  # the title that the text does not have, and author and date of the front matter
        front_matter = document.front_matter
        title = "" if document.has_title_heading else request.stripped_title or front_matter.title
        byline = " · ".join(escape(each) for each in (front_matter.author, front_matter.date) if each)
        lines = f"<h1>{escape(title)}</h1>\n" if title else ""
        lines += f'<p class="byline">{byline}</p>\n' if byline else ""
        before += f'<header class="title-block">\n{lines}</header>\n' if lines else ""
    text = describe(request, document, rendered.warnings)
    images = dict.fromkeys(map(unescape, _IMAGE.findall(rendered.html)))
    local_images = [address for address in images if not address.lower().startswith(_LOADED)]
    return replace(text, before=before, after=after, local_images=local_images)


def _language(request: MarkdownConvertRequest, document: Document) -> str:
    return request.lang or document.front_matter.lang or "en"


def describe(request: MarkdownConvertRequest, document: Document, warnings: Sequence[str]) -> WrittenText:
    """Return what is known about a document, without its HTML."""
    return WrittenText(
        before="",
        after="",
        title=document.title,
        author=document.front_matter.author,
        lang=_language(request, document),
        headings=document.headings,
        words=document.words,
        warnings=[*document.warnings, *warnings],
    )


def write_document(request: MarkdownConvertRequest) -> tuple[bytes, dict[str, Any]]:
    """Return the text of a request as a Word document, and what the result reports."""
    from mediakit.engines.docx_writer import DocxOptions
    from mediakit.engines.docx_writer.writer import write_docx

    document = parse_markdown(text_of(request.markdown), request.stripped_title)
    front_matter = document.front_matter
    lang = _language(request, document)
    rtl = direction_of(lang) == "rtl"
    rendered = render(document, RenderOptions(rtl=rtl))
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
        rtl=rtl,
    )
    written = write_docx(rendered.html, document.headings, options)
    text = describe(request, document, rendered.warnings)
    return written.content, replace(text, warnings=[*text.warnings, *written.warnings]).meta


def html_text(text: WrittenText, request: MarkdownConvertRequest, pages: Mapping[str, str] | None = None) -> str:
    """Return the HTML of a text with its contents, which have the page of each heading by its anchor in print."""
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
        text = replace(text, before=open_sections(text.before), after=open_sections(text.after))
    body = f"<main>\n{html_text(text, request, pages).strip()}\n</main>"
    layout = request.layout  # the paper for printing the page from a browser
    paper = f"@page {{ size: {layout.width:g}mm {layout.height:g}mm; margin: {layout.margins.top:g}mm }}"
    styles = [*theme_css(request.theme, body, medium), paper]
    return write_page(Page(text.title or "Document", text.lang, text.author), body, styles)


async def print_document(text: WrittenText, request: MarkdownConvertRequest) -> "PrintedPdf":
    """Return a PDF with tags, an outline and links.

    Contents take two passes: the first one finds the pages of the headings.

    Raises:
        InvalidInput: The document took too long, or needs too much memory.
        ResourcesTimeout: An image did not finish loading in time.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found.
    """
    from mediakit.engines.browser.html import PrintOptions, render_pdf

    options = PrintOptions(
        layout=request.layout, footer=FOOTER if request.page_numbers else "", outline=True, tagged=True
    )
    try:
        pages: dict[str, str] | None = None
        if request.toc:
            placeholders = {heading.anchor: "00" for heading in text.headings}
            draft = await render_pdf(html_page(text, request, "print", placeholders), options)
            work = "mediakit.tools.documents.markdown_convert.conversion:find_heading_pages"
            found = await run_guarded(work, draft.content, returns=dict[str, int], field="markdown")
            pages = {heading.anchor: str(found.get(heading.anchor, "")) for heading in text.headings}
        return await render_pdf(html_page(text, request, "print", pages), options)
    except InvalidInput as error:  # the browser's errors are about its HTML
        raise InvalidInput(str(error).replace("html:", "markdown:", 1)) from error


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


def local_image_warnings(text: WrittenText) -> list[str]:
    """Return a sentence about images that a PDF cannot load."""
    if not text.local_images:
        return []
    names = ", ".join(quote(address) for address in text.local_images[:MAX_NAMED_IMAGES])
    more = f" and {len(text.local_images) - MAX_NAMED_IMAGES} more" if len(text.local_images) > MAX_NAMED_IMAGES else ""
    return [f"Local images are not loaded: {names}{more}. Use data: URIs or public addresses."]
