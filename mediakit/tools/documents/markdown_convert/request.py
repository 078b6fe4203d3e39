"""The request of `markdown_convert`."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule
from mediakit.engines.paper import MIN_HEADER_MARGIN_MM, Margins, PageLayout, PaperFormat
from mediakit.engines.rich_text.markdown import is_language
from mediakit.engines.rich_text.page import Theme

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
