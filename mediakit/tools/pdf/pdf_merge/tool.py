"""The tool `pdf_merge`: its request and result."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.inputs import ImagesOrPdfs, files_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.page_ranges import OrderedPageRangeOrAll, Passwords
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import LANDSCAPE, LOGO, REPORT


def _check_title(title: str) -> str:
    if any(ord(character) < 32 for character in title):
        raise ValueError("must be one line of text without control characters.")
    return title


Title = Annotated[str, Field(max_length=200), AfterValidator(_check_title)]

BookmarkMode = Literal["files", "keep", "none"]
PageSize = Literal["keep", "first", "A4", "A3", "A5", "Letter", "Legal", "Tabloid"]


@request
class PdfMergeRequest:
    """Files and how to merge them."""

    files: ImagesOrPdfs
    """PDFs and images (PNG, JPEG, WebP, AVIF, GIF, and TIFF with all its frames), in the order of the result."""
    _: KW_ONLY
    pages: Annotated[list[OrderedPageRangeOrAll] | None, Synonyms("page_ranges, ranges")] = None
    """A page range for each file, such as `1-3,5`, `7-` (to the last page) or `5-1` (backwards); empty for all pages.
    The order counts, and a page can be repeated."""
    bookmarks: Annotated[BookmarkMode, Synonyms("outline, outlines")] = "files"
    """`files` adds a bookmark for each file, with the bookmarks of the file below it; `keep` keeps only the bookmarks
    of the files; `none` leaves all bookmarks out."""
    titles: list[Title] | None = None
    """A title for each file, for bookmarks and the contents page; empty for the default: the file name without its
    extension, else the title of the PDF, else `Document 2`."""
    toc: Annotated[bool, Synonyms("contents, table_of_contents, index")] = False
    """Add a contents page in front: titles and first-level bookmarks, with page numbers and links."""
    toc_title: Annotated[Title, Field(min_length=1, max_length=100)] = "Contents"
    """Heading of the contents page."""
    page_size: Annotated[PageSize, Synonyms("size, format, paper, paper_size")] = "keep"
    """Paper size of all pages: `keep` their own, that of the `first` page, or a named size. Pages are scaled in
    proportion and centered, and each keeps its orientation. With `keep`, an image has the size of its stored
    resolution (150 dpi if it has none), at most 1,000 mm a side."""
    double_sided: bool = False
    """Add a blank page after each file with an odd number of pages, so that each begins on a right-hand page."""
    password: Passwords | None = None
    """A password, or several, to try on encrypted files."""

    @model_validator(mode="after")
    def _check_lengths(self) -> Self:
        count = len(files_of(self.files))
        for name, noun, values in (("pages", "page range", self.pages), ("titles", "title", self.titles)):
            if values is not None and len(values) != count:
                files = "the file" if count == 1 else f"each of the {count} files"
                raise ValueError(f"{name}: needs one {noun} for {files}, got {len(values)}.")
        return self


META: Mapping[str, meta_schemas.Schema] = {
    "pages": meta_schemas.integer("Number of pages.", 4),
    "files": {
        "type": "array",
        "description": "The files in their order, with their first page in the result.",
        "items": {
            "type": "object",
            "required": ["name", "kind", "pages", "first_page", "title"],
            "properties": {
                "name": {"type": "string"},
                "kind": {"type": "string", "enum": ["pdf", "image"]},
                "pages": {"type": "integer"},
                "first_page": {"type": "integer"},
                "title": {"type": "string"},
            },
        },
        "examples": [[{"name": "report.pdf", "kind": "pdf", "pages": 3, "first_page": 1, "title": "report"}]],
    },
    "renamed_fields": {
        "type": "object",
        "description": "New names of form fields whose name two files have.",
        "additionalProperties": {"type": "string"},
        "examples": [{}],
    },
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfMergeRequest,
    tag="PDF",
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": "`toc=True`"},
    examples=[
        Example("A PDF and an image", {"files": [REPORT, LANDSCAPE]}),
        Example(
            "A contents page, chosen pages, one paper size",
            {
                "files": [REPORT, LANDSCAPE, LOGO],
                "pages": ["3,1", "", ""],
                "titles": ["The year in chapters", "A lake at dusk", ""],
                "toc": True,
                "page_size": "A5",
            },
        ),
    ],
)
async def pdf_merge(request: PdfMergeRequest) -> PdfResult:
    """Merge PDFs and images into one PDF.

    Everything that belongs to the pages is kept, of every file: bookmarks, links, named destinations, page labels,
    form fields, annotations, attachments, layers and tags. Title, language and viewer preferences are those of the
    first file. Form fields and named destinations whose name is taken get a new one (`total` becomes `total_2`).
    Digital signatures are removed, because a merged file would break them. `meta.warnings` names everything that
    could not be kept. Equal input gives equal bytes.

    Raises:
        InvalidInput: A file is neither a PDF nor an image, is encrypted or damaged, or the result has more than 500
            pages.
        NotConvertible: The merge took longer than 30 seconds.
    """
    made = await run_guarded("mediakit.tools.pdf.pdf_merge.merging:merge", request, returns=MadePdf, guard=PDF)
    return PdfResult(made.content, "application/pdf", made.meta)
