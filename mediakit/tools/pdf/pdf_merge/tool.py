"""The tool `pdf_merge`."""

from collections.abc import Mapping
from dataclasses import asdict

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import LANDSCAPE, LOGO, REPORT
from mediakit.tools.pdf.pdf_merge.request import Merged, PdfMergeRequest

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
    merged = await run_guarded("mediakit.tools.pdf.pdf_merge.merging:merge", request, returns=Merged, guard=PDF)
    meta = {
        "pages": merged.pages,
        "files": [asdict(file) for file in merged.files],
        "renamed_fields": merged.renamed_fields,
        "warnings": merged.warnings,
    }
    return PdfResult(merged.content, "application/pdf", meta)
