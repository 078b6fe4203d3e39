"""The tool `pdf_pages`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import REPORT
from mediakit.tools.pdf.pdf_pages.request import Arranged, PdfPagesRequest

META: Mapping[str, meta_schemas.Schema] = {
    "pages": meta_schemas.integer("Number of pages.", 2),
    "original_pages": meta_schemas.integer("Number of pages of the file.", 3),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfPagesRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("The last page first, the rest after it", {"file": REPORT, "pages": "3,1-2"}),
        Example("Without the first page, turned to landscape", {"file": REPORT, "remove": "1", "rotate": 90}),
        Example("Four pages on a sheet of A4", {"file": REPORT, "n_up": 4, "paper": "A4"}),
    ],
)
async def pdf_pages(request: PdfPagesRequest) -> PdfResult:
    """Select, reorder, remove, rotate, crop and resize the pages of a PDF, and put several on a sheet.

    The options are applied in this order: `pages` or `remove`, `rotate`, `crop`, `paper`, `n_up`. Everything that
    belongs to the pages is kept: bookmarks, links, named destinations, page labels, form fields, annotations,
    attachments, layers and tags, and also encryption, passwords and permissions. A repeated page has its own
    annotations, and its form fields get new names (`total` becomes `total_2`). On sheets (`n_up`), links and bookmarks
    lead to the new places, and form fields become content. Digital signatures are removed, because a change breaks
    them. `meta.warnings` names everything that could not be kept.

    Raises:
        InvalidInput: The file is not a PDF, is encrypted or damaged, or does not have the pages.
        NotConvertible: The work took longer than 30 seconds.
    """
    work = "mediakit.tools.pdf.pdf_pages.arranging:arrange"
    arranged = await run_guarded(work, request, returns=Arranged, guard=PDF)
    meta = {"pages": arranged.pages, "original_pages": arranged.original_pages, "warnings": arranged.warnings}
    return PdfResult(arranged.content, "application/pdf", meta)
