"""Print a document to PDF. Contents take two passes: the first one finds the pages of the headings."""

from mediakit.core.messages import quote
from mediakit.engines.browser.html import PrintedPdf, PrintOptions, render_pdf
from mediakit.engines.guarded import run_guarded
from mediakit.errors import InvalidInput
from mediakit.tools.documents.markdown_convert.pages import html_page
from mediakit.tools.documents.markdown_convert.request import MarkdownConvertRequest, WrittenText

FOOTER = '<div style="text-align:center;font-size:8.5pt;color:#5c6370"><span class="pageNumber"></span></div>'

MAX_NAMED_IMAGES = 3

PLACEHOLDER_PAGE = "00"
"""Stands for a page number in the first pass."""


async def print_document(text: WrittenText, request: MarkdownConvertRequest) -> PrintedPdf:
    """Return a PDF with tags, an outline and links.

    Raises:
        InvalidInput: The document took too long, or needs too much memory.
        ResourcesTimeout: An image did not finish loading in time.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found.
    """
    try:
        return await _print(text, request)
    except InvalidInput as error:
        raise _of_markdown(error) from error


def local_image_warnings(text: WrittenText) -> list[str]:
    """Return a sentence about images that a PDF cannot load."""
    if not text.local_images:
        return []
    names = ", ".join(quote(address) for address in text.local_images[:MAX_NAMED_IMAGES])
    more = f" and {len(text.local_images) - MAX_NAMED_IMAGES} more" if len(text.local_images) > MAX_NAMED_IMAGES else ""
    return [f"Local images are not loaded: {names}{more}. Use data: URIs or public addresses."]


def _of_markdown(error: InvalidInput) -> InvalidInput:
    """Return an error of the browser about HTML as one about the field of the request."""
    return InvalidInput(str(error).replace("html:", "markdown:", 1))


async def _print(text: WrittenText, request: MarkdownConvertRequest) -> PrintedPdf:
    options = PrintOptions(
        layout=request.layout, footer=FOOTER if request.page_numbers else "", outline=True, tagged=True
    )
    if not request.toc:
        return await render_pdf(html_page(text, request, "print"), options)
    placeholders = {heading.anchor: PLACEHOLDER_PAGE for heading in text.headings}
    draft = await render_pdf(html_page(text, request, "print", placeholders), options)
    work = "mediakit.tools.documents.markdown_convert.writing:find_heading_pages"
    found = await run_guarded(work, draft.content, returns=dict[str, int], field="markdown")
    pages = {heading.anchor: str(found.get(heading.anchor, "")) for heading in text.headings}
    return await render_pdf(html_page(text, request, "print", pages), options)
