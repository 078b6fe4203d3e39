"""Write a document as DOCX: for a worker process."""

from dataclasses import replace

from mediakit.core.texts import text_of
from mediakit.engines.docx_writer.options import DocxOptions
from mediakit.engines.docx_writer.writer import write_docx
from mediakit.engines.rich_text.languages import direction_of
from mediakit.engines.rich_text.markdown import parse_markdown
from mediakit.engines.rich_text.rendering import RenderOptions, render
from mediakit.tools.documents.markdown_convert.request import MarkdownConvertRequest, WrittenDocument
from mediakit.tools.documents.markdown_convert.writing import DEFAULT_LANGUAGE, describe


def write_document(request: MarkdownConvertRequest) -> WrittenDocument:
    """Return the text of a request as a Word document."""
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
