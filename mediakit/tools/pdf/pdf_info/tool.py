"""The tool `pdf_info`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import REPORT
from mediakit.tools.pdf.pdf_info.request import Described, PdfInfoRequest
from mediakit.tools.pdf.pdf_info.result import PdfInfo

META: Mapping[str, meta_schemas.Schema] = {
    "size_bytes": meta_schemas.integer("Size of the PDF: the changed one, where something was written.", 20335),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfInfoRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces={"json": "application/json", "pdf": "application/pdf"},
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": ""},
    examples=[
        Example("What a PDF contains", {"file": REPORT}),
        Example(
            "A title and an author",
            {"file": REPORT, "metadata": {"title": "The year in the garden", "author": "Ada Lovelace"}},
        ),
        Example(
            "Nothing hidden, before a file is sent",
            {"file": REPORT, "remove": ["metadata", "javascript", "attachments", "annotations"]},
        ),
    ],
)
async def pdf_info(request: PdfInfoRequest) -> PdfInfo:
    """Describe a PDF, or write its metadata, outline, attachments and page labels.

    Without changes, the file is only read: properties, page sizes, outline, attachments, fonts, form, signatures,
    scripts, layers and claimed standards. With changes, the fields describe the changed PDF, which is in `pdf`.
    `remove` takes everything of a kind out, before anything is written. Signatures are listed, but never verified:
    trust is not judged. Nothing in the file is run or followed.

    Raises:
        InvalidInput: The file is not a PDF, needs a password or is damaged beyond repair, or a change does not fit it.
        NotConvertible: It took longer than 30 seconds.
    """
    work = "mediakit.tools.pdf.pdf_info.description:describe"
    described = await run_guarded(work, request, returns=Described, guard=PDF)
    size = len(file_of(request.file) if described.content is None else described.content)
    meta = {"size_bytes": size, "warnings": described.warnings}
    pages = {**meta, "pages": described.fields["pages"]}
    pdf = None if described.content is None else PdfResult(described.content, meta=pages)
    return PdfInfo(**described.fields, pdf=pdf, meta=meta)
