"""The tool `pdf_split`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult, ZipResult
from mediakit.samples import REPORT
from mediakit.tools.pdf.pdf_split.request import PdfSplitRequest, Split, SplitPart

META: Mapping[str, meta_schemas.Schema] = {
    "parts": {
        "type": "array",
        "description": "The parts in their order, with their pages in the file.",
        "items": {
            "type": "object",
            "required": ["name", "pages", "page_count", "size_bytes", "title"],
            "properties": {
                "name": {"type": "string"},
                "pages": {"type": "string"},
                "page_count": {"type": "integer"},
                "size_bytes": {"type": "integer"},
                "title": {"type": "string"},
            },
        },
        "examples": [
            [{"name": "report-1.pdf", "pages": "1-3", "page_count": 3, "size_bytes": 20480, "title": "Introduction"}]
        ],
    },
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfSplitRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/zip",),
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": '`mode="blank"`'},
    examples=[
        Example("Every page", {"file": REPORT}),
        Example("A part for each bookmark", {"file": REPORT, "mode": "bookmarks", "filename": "{n:02} {title}"}),
        Example("Two parts", {"file": REPORT, "ranges": ["1", "2-"]}),
    ],
)
async def pdf_split(request: PdfSplitRequest) -> ZipResult[PdfResult]:
    """Split a PDF into several: by number of pages, page ranges, file size, bookmarks or blank pages.

    Everything that belongs to the pages of a part is kept: bookmarks, links, named destinations, page labels, form
    fields, annotations, layers and tags. Attachments stay with the first part. Nothing of other pages stays in a part.
    Links to pages of other parts are removed, and so are digital signatures, because a change breaks them.
    `meta.warnings` names everything that could not be kept. Equal input gives equal bytes.

    Raises:
        InvalidInput: The file is not a PDF, is encrypted or damaged, has no such pages or no bookmarks, or makes more
            than 200 parts.
        NotConvertible: The work took longer than 30 seconds.
    """
    made = await run_guarded("mediakit.tools.pdf.pdf_split.splitting:split", request, returns=Split, guard=PDF)
    meta = {"parts": [_described(part) for part in made.parts], "warnings": made.warnings}
    return ZipResult([_result(part) for part in made.parts], f"{request.stem}.zip", meta)


def _described(part: SplitPart) -> dict[str, str | int]:
    return {
        "name": part.name,
        "pages": part.pages,
        "page_count": part.page_count,
        "size_bytes": len(part.content),
        "title": part.title,
    }


def _result(part: SplitPart) -> PdfResult:
    result = PdfResult(part.content, "application/pdf", {"pages": part.page_count, "warnings": []})
    result.filename = part.name
    return result
