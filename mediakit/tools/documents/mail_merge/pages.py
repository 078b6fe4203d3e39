"""Documents of a template or of own HTML, which the browser renders."""

from collections.abc import Callable, Sequence

from mediakit.core import texts
from mediakit.core.fields import MAX_HTML_BYTES
from mediakit.core.messages import nearest, quote
from mediakit.engines.browser import shared
from mediakit.engines.browser.html import PrintOptions, render_image, render_pdf
from mediakit.engines.templates import Page, Template
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.tools.documents.mail_merge.html_template import parse_html
from mediakit.tools.documents.mail_merge.making import Maker
from mediakit.tools.documents.mail_merge.outcome import Document, Outcome
from mediakit.tools.documents.mail_merge.request import MailMergeRequest
from mediakit.tools.documents.mail_merge.row import Row, RowProblem, text_of

PIXELS_PER_MM = 96 / 25.4

DEFAULT_WIDTH, DEFAULT_HEIGHT = 1200, 630
"""Viewport for `html`, in CSS pixels."""

MAX_TOTAL_BYTES = 150_000_000
"""Bytes of all documents of a call."""

PageOf = Callable[[Row], Page]


async def render_rows(request: MailMergeRequest, rows: Sequence[Row], names: Sequence[str]) -> list[Outcome]:
    """Render the document of each row.

    Raises:
        InvalidInput: The template or the HTML cannot be used with these rows.
        NotConvertible: The documents are too large.
    """
    page_of = _template_pages(request, rows) if request.selected_template else _html_pages(request, rows)
    total = 0

    async def make(row: Row) -> Document:
        nonlocal total
        document = await _rendered(request, page_of(row))
        total += len(document.content)
        if total > MAX_TOTAL_BYTES:
            raise NotConvertible(f"The documents have more than {MAX_TOTAL_BYTES // 10**6} MB; send fewer rows.")
        return document

    maker = Maker(make, names, stops=request.on_error == "stop", page_source=texts.text_of(request.html or ""))
    # As many as the browser renders at the same time: renders of other calls wait for one of these at most.
    return await maker.all(rows, shared().slots.slots)


async def _rendered(request: MailMergeRequest, page: Page) -> Document:
    fitted, defaults_used = page.meta.get("fitted", []), page.meta.get("defaults_used", [])
    if request.target == "png":
        image = await render_image(page.html, width=page.width, height=page.height)
        return Document(image.content, None, fitted, defaults_used)
    printed = await render_pdf(page.html, PrintOptions(layout=request.layout))
    return Document(printed.content, printed.pages, fitted, defaults_used)


def _size(request: MailMergeRequest) -> tuple[float, float]:
    """Return the size of a page in CSS pixels."""
    if request.target == "pdf":
        width, height = request.layout.content_size
        return width * PIXELS_PER_MM, height * PIXELS_PER_MM
    template = request.selected_template
    width = request.width or (template.width if template else DEFAULT_WIDTH)
    return width, request.height or (template.height if template else DEFAULT_HEIGHT)


def _html_pages(request: MailMergeRequest, rows: Sequence[Row]) -> PageOf:
    template = parse_html(texts.text_of(request.html or ""))
    for row in rows:
        for column in template.columns:
            row.require(column)
    width, height = map(round, _size(request))

    def page(row: Row) -> Page:
        html = template.fill(row)
        if len(html.encode("utf-8", "replace")) > MAX_HTML_BYTES:
            raise RowProblem("its HTML must have at most 5 MB.")
        return Page(html, width, height)

    return page


def _template_pages(request: MailMergeRequest, rows: Sequence[Row]) -> PageOf:
    template = request.selected_template
    assert template  # noqa: S101  # the caller checks it
    _check_common(template, rows[0])
    main = [key.name for key in template.keys if key.main]
    for row in rows:
        for name in main:
            row.require(name)
    width, height = _size(request)

    def page(row: Row) -> Page:
        texts = _texts(template, row)
        for name in main:
            if not texts[name].strip():
                raise RowProblem(f"{name} must not be empty.")
        return template.fill(texts, request.lang, style=request.style, width=width, height=height)

    return page


def _check_common(template: Template, row: Row) -> None:
    """Check the names in `data`; columns of the rows may have other names."""
    for name in row.common:
        if name not in template.by_name:
            hint = nearest(name, list(template.by_name))
            raise InvalidInput(f"data: {quote(name)} is not a key of {template.name}; {hint}")


def _texts(template: Template, row: Row) -> dict[str, str]:
    texts = {name: text_of(name, value) for name, value in row.merged.items() if name in template.by_name}
    for name, text in texts.items():
        if problem := template.by_name[name].problem(text):
            raise RowProblem(f"{name} {problem}")
    return texts
