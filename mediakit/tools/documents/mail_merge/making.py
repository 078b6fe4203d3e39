"""Makes the documents of all rows: pages in the browser, Word files and forms in workers."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from mediakit.core import texts
from mediakit.core.inputs import file_of
from mediakit.core.messages import nearest, quote
from mediakit.engines.browser import shared
from mediakit.engines.browser.html import PrintOptions, render_image, render_pdf
from mediakit.engines.guarded import LONG_PDF, Guard, run_guarded
from mediakit.engines.pdf.forms import FieldInfo, FormOptions, FormOutcome
from mediakit.engines.templates import Page
from mediakit.errors import InvalidInput, NotConvertible, ResourcesTimeout, ServerBusy
from mediakit.tools.documents.mail_merge.request import MailMergeRequest
from mediakit.tools.documents.mail_merge.rows import Document, Row, RowProblem, shown, text_of, without_field

PIXELS_PER_MM = 96 / 25.4

DEFAULT_WIDTH, DEFAULT_HEIGHT = 1200, 630
"""Viewport for `html`, in CSS pixels."""

MAX_TOTAL_BYTES = 150_000_000
"""Bytes of all documents of a call."""

ROWS_PER_JOB, PAGES_PER_JOB = 5, 50
"""Rows that a worker fills before other calls have their turn; pages of HTML take a thousandth of a second each."""

PARALLEL_JOBS = 2

DOCUMENTS = Guard(seconds=60)

T = TypeVar("T")

PageOf = Callable[[Row], Page]


async def in_parallel(work: Sequence[Awaitable[T]]) -> list[T]:
    """Return the results of all; the first error cancels the others and is raised."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def render_rows(request: MailMergeRequest, rows: Sequence[Row]) -> list[Document]:
    """Render the document of each row; that of a row that failed says why.

    Raises:
        InvalidInput: The template or the HTML cannot be used with these rows, or a row failed and the first one ends
            the call.
        NotConvertible: The documents are too large.
        ResourcesTimeout: A site that all rows need did not respond.
        ServerBusy: The queue was full at the first render, or no browser works.
    """
    page_of = _template_pages(request, rows) if request.selected_template else await _html_pages(request, rows)
    page_source = texts.text_of(request.html or "")
    documents: dict[int, Document] = {}
    total = 0

    async def make(row: Row) -> Document:
        nonlocal total
        document = await _in_turn(lambda: _rendered(request, page_of(row)), waits=lambda: total > 0)
        total += len(document.content)
        if total > MAX_TOTAL_BYTES:
            raise NotConvertible(f"The documents have more than {MAX_TOTAL_BYTES // 10**6} MB; send fewer rows.")
        return document

    async def work(waiting: Iterator[Row]) -> None:
        for row in waiting:
            try:
                document = await make(row)
            except (RowProblem, InvalidInput, ResourcesTimeout) as error:
                if isinstance(error, ResourcesTimeout) and any(host in page_source for host in error.hosts):
                    raise  # all rows need the site
                document = Document(b"", error=without_field(str(error)))
            documents[row.index] = _reported(request, row, document)

    waiting = iter(rows)
    # As many as the browser renders at the same time: renders of other calls wait for one of these at most.
    await in_parallel([work(waiting) for _ in range(shared().slots.slots)])
    return [documents[row.index] for row in rows]


async def _in_turn(render: Callable[[], Awaitable[Document]], *, waits: Callable[[], bool]) -> Document:
    """Render a document. Once others of the call are made, wait for a free place instead of losing the work."""
    while True:
        try:
            return await render()
        except ServerBusy as error:
            if type(error) is not ServerBusy or not waits():
                raise
        await asyncio.sleep(0.3)


async def _rendered(request: MailMergeRequest, page: Page) -> Document:
    defaults_used = page.meta.get("defaults_used", [])
    if request.target == "png":
        image = await render_image(page.html, width=page.width, height=page.height, layout_script=page.fitting)
        return Document(image.content, None, page.meta_of(image.layout).get("fitted", []), defaults_used)
    printed = await render_pdf(page.html, PrintOptions(layout=request.layout), layout_script=page.fitting)
    return Document(printed.content, printed.pages, page.meta_of(printed.layout).get("fitted", []), defaults_used)


def _size(request: MailMergeRequest) -> tuple[float, float]:
    """Return the size of a page in CSS pixels."""
    if request.target == "pdf":
        width, height = request.layout.content_size
        return width * PIXELS_PER_MM, height * PIXELS_PER_MM
    template = request.selected_template
    width = request.width or (template.width if template else DEFAULT_WIDTH)
    return width, request.height or (template.height if template else DEFAULT_HEIGHT)


async def _html_pages(request: MailMergeRequest, rows: Sequence[Row]) -> PageOf:
    """Return a function for the page of a row; all pages are filled before the first one is rendered."""
    filled = await _filled(request, [row.merged for row in rows])
    for row, document in zip(rows, filled, strict=True):
        if document.missing:
            row.require(document.missing)
    if sum(len(document.content) for document in filled) > MAX_TOTAL_BYTES:
        raise NotConvertible(f"The pages have more than {MAX_TOTAL_BYTES // 10**6} MB; send fewer rows.")
    width, height = map(round, _size(request))

    def page(row: Row) -> Page:
        document = filled[row.index]
        if document.error:
            raise RowProblem(document.error)
        return Page(document.content.decode(), width, height)

    return page


def _template_pages(request: MailMergeRequest, rows: Sequence[Row]) -> PageOf:
    template = request.selected_template
    assert template  # noqa: S101  # the caller checks it
    for name in rows[0].common:  # the names in `data`; columns of the rows may have other names
        if name not in template.by_name:
            hint = nearest(name, list(template.by_name))
            raise InvalidInput(f"data: {quote(name)} is not a key of {template.name}; {hint}")
    main = [key.name for key in template.keys if key.main]
    for row in rows:
        for name in main:
            row.require(name)
    width, height = _size(request)

    def page(row: Row) -> Page:
        texts = {name: text_of(name, value) for name, value in row.merged.items() if name in template.by_name}
        for name, text in texts.items():
            if problem := template.by_name[name].problem(text):
                raise RowProblem(f"{name} {problem}")
        for name in main:
            if not texts[name].strip():
                raise RowProblem(f"{name} must not be empty.")
        return template.fill(texts, request.lang, style=request.style, width=width, height=height)

    return page


async def fill_rows(request: MailMergeRequest, rows: Sequence[Row]) -> list[Document]:
    """Fill the document of each row; that of a row that failed says why.

    Raises:
        InvalidInput: The file cannot be used with these rows, or a row failed and the first one ends the call.
    """
    if request.source == "word":
        documents = await _filled(request, [row.merged for row in rows])
    else:
        work, content = "mediakit.engines.pdf.forms.filling:work", file_of(request.file or b"")
        form = await run_guarded(work, content, FormOptions(), returns=FormOutcome, guard=LONG_PDF)
        documents = await _filled(request, _form_values(form.fields, rows))
    for row, document in zip(rows, documents, strict=True):
        if document.missing:
            row.require(document.missing)
    return [_reported(request, row, made) for row, made in zip(rows, documents, strict=True)]


def _reported(request: MailMergeRequest, row: Row, made: Document) -> Document:
    """Return a document, or why there is none, unless that ends the call."""
    if made.error and request.on_error == "stop":
        raise row.error(made.error)
    return made


async def _filled(request: MailMergeRequest, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Return what workers make of rows: a file or a page for each, or why there is none."""
    source = texts.text_of(request.html) if request.html is not None else file_of(request.file or b"")
    work = f"mediakit.tools.documents.mail_merge.filling:fill_{request.source}"
    guard = LONG_PDF if request.source == "form" else DOCUMENTS
    size = PAGES_PER_JOB if request.source == "html" else ROWS_PER_JOB
    chunks = [rows[at : at + size] for at in range(0, len(rows), size)]
    made: dict[int, list[Document]] = {}

    async def fill(waiting: Iterator[int]) -> None:
        for number in waiting:
            made[number] = await run_guarded(
                work, source, chunks[number], returns=list[Document], guard=guard, field=request.field
            )

    waiting = iter(range(len(chunks)))
    await in_parallel([fill(waiting) for _ in range(PARALLEL_JOBS)])
    return [document for number in range(len(chunks)) for document in made[number]]


def _form_values(fields: Sequence[FieldInfo], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the values of fields for each row, without null: such fields stay as they are in the form."""
    if not fields:
        raise InvalidInput("file: has no form fields.")
    names = {field.name for field in fields}
    last = {name.rpartition(".")[2] for name in names}
    known = names | last | {name.partition("[")[0] for name in last}
    found = [{name: value for name, value in row.merged.items() if name in known} for row in rows]
    if not any(found):
        columns = list(dict.fromkeys(name for row in rows for name in row.merged))
        raise InvalidInput(
            f"rows: no column is a field of the form. The fields are {shown([each.name for each in fields])}; the "
            f"columns are {shown(columns)}."
        )
    return [{name: value for name, value in row.items() if value is not None} for row in found]
