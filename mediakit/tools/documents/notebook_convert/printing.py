"""Print a notebook's page to PDF."""

from mediakit.engines.browser.html import PrintedPdf, PrintOptions, render_pdf
from mediakit.engines.paper import PageLayout
from mediakit.errors import InvalidInput

FOOTER = (
    '<div style="text-align:center;font-size:8pt;color:#626b7a"><span class="pageNumber"></span> / '
    '<span class="totalPages"></span></div>'
)


async def print_notebook(page: str, layout: PageLayout, *, page_numbers: bool) -> PrintedPdf:
    """Return a PDF with tags, an outline and links.

    Raises:
        InvalidInput: The notebook took too long, or needs too much memory.
        ServerBusy: All render slots are taken and the queue is full.
        RenderFailed: The browser could not render the notebook.
        BrowserMissing: No working Chromium was found.
    """
    options = PrintOptions(layout=layout, footer=FOOTER if page_numbers else "", outline=True, tagged=True)
    try:
        return await render_pdf(page, options)
    except InvalidInput as error:
        reason = str(error).removeprefix("html: ").partition(" Make it shorter")[0]
        raise InvalidInput(f"file: {reason} Use hide_outputs, or divide the notebook.") from error
