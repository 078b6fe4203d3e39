"""The tool `pdf_pages`: its request and result."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.page_ranges import Numbers, OrderedPageRange, PageRange
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import REPORT

Millimeters = Annotated[float, Field(ge=0, le=1000)]


@request
class PdfPagesRequest:
    """A PDF, and what becomes of its pages."""

    file: PdfFile
    """A PDF."""
    pages: Annotated[OrderedPageRange | None, Synonyms("select, order, reorder, extract, page, range, keep")] = None
    """Pages of the result in their order, such as `3,1-2,2,9-5` or `7-` (to the last page); default: all. A page can
    be repeated, and `9-5` is backwards."""
    _: KW_ONLY
    remove: Annotated[PageRange | None, Synonyms("delete, exclude, drop")] = None
    """Pages to leave out, such as `1-3,5`; not together with `pages`."""
    rotate: Annotated[int, Numbers(0, 90, 180, 270), Synonyms("rotation, angle, degrees, turn")] = 0
    """Degrees to rotate pages clockwise, on top of their present rotation."""
    rotate_pages: PageRange | None = None
    """Pages to rotate, by their numbers in the file; default: all."""
    n_up: Annotated[int, Numbers(1, 2, 4, 6, 9, 16), Synonyms("nup, per_sheet, pages_per_sheet")] = 1
    """Pages on a sheet, from left to right and from top to bottom. The sheet is turned so that pages are largest."""
    paper: Annotated[
        Literal["A4", "A3", "A5", "Letter", "Legal", "Tabloid", "first"] | None,
        Synonyms("page_size, format, size, paper_size"),
    ] = None
    """Paper size of all pages, or `first` for the size of the first page. Pages are scaled in proportion and centered,
    and each keeps its orientation. With `n_up`: size of the sheets, by default that of the first page."""
    crop: Annotated[list[Millimeters], Field(min_length=4, max_length=4)] | None = None
    """Millimeters to cut off at the top, right, bottom and left of each page as it is seen. The content there is
    hidden, not deleted."""
    password: Password | None = None
    """Password of an encrypted file."""

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        if self.pages is not None and self.remove is not None:
            raise ValueError("remove: cannot be combined with pages.")
        if self.rotate_pages is not None and not self.rotate:
            raise ValueError("rotate_pages: requires rotate.")
        chosen = (self.pages, self.remove, self.crop, self.paper)
        if all(option is None for option in chosen) and not self.rotate and self.n_up == 1:
            raise ValueError("At least one of pages, remove, rotate, n_up, paper and crop is required.")
        return self


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
    made = await run_guarded(work, request, returns=MadePdf, guard=PDF)
    return PdfResult(made.content, "application/pdf", made.meta)
