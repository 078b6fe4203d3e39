"""The tool `pdf_stamp`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import LOGO, REPORT
from mediakit.tools.pdf.pdf_stamp.request import PdfStampRequest, Stamped

META: Mapping[str, meta_schemas.Schema] = {
    "pages": meta_schemas.integer("Number of pages.", 3),
    "stamped": meta_schemas.integer("Number of pages that have the stamp.", 3),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfStampRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": "`text` and `qr`"},
    examples=[
        Example(
            "A watermark across the page",
            {"file": REPORT, "text": "DRAFT", "rotate": -45, "opacity": 0.15, "color": "#b91c1c"},
        ),
        Example(
            "Page numbers",
            {
                "file": REPORT,
                "text": "Page {page} of {pages}",
                "position": "left bottom",
                "size": 9,
                "color": "#4b5563",
            },
        ),
        Example(
            "A logo on the first page",
            {"file": REPORT, "image": LOGO, "position": "right top", "size": 14, "pages": "1"},
        ),
        Example(
            "A QR code for each page",
            {"file": REPORT, "qr": "https://example.com/report?page={page}", "position": "right bottom", "size": 18},
        ),
    ],
)
async def pdf_stamp(request: PdfStampRequest) -> PdfResult:
    """Stamp a PDF with text, an image, a QR code or another PDF.

    Use it for watermarks, page numbers, Bates numbers, headers and footers, a logo, or letterhead. The stamp is upright
    and inside the visible area on rotated and cropped pages too. It is drawn once, however many pages show it, and
    marked as an artifact, which screen readers skip. Text in all scripts is shaped and can be searched and copied.
    Everything else in the PDF is kept, and an encrypted file stays encrypted with the same passwords. Digital
    signatures are removed, because a change breaks them. `meta.warnings` names what may not be as expected. Equal input
    gives equal bytes, except in encrypted files.

    Raises:
        InvalidInput: A file is of another kind, is encrypted or damaged, a page does not exist, no font has a character
            of the text, or the QR code cannot be read back.
        NotConvertible: The work took longer than 30 seconds.
    """
    stamped = await run_guarded("mediakit.tools.pdf.pdf_stamp.stamping:stamp", request, returns=Stamped, guard=PDF)
    meta = {"pages": stamped.pages, "stamped": stamped.stamped, "warnings": stamped.warnings}
    return PdfResult(stamped.content, "application/pdf", meta)
