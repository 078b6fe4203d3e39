"""The tool `pdf_compress`."""

from collections.abc import Mapping
from dataclasses import asdict

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import LONG_PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import REPORT
from mediakit.tools.pdf.pdf_compress.request import Compressed, PdfCompressRequest

META: Mapping[str, meta_schemas.Schema] = {
    "original_bytes": meta_schemas.integer("Size of the input in bytes.", 812_345),
    "ratio": {
        "type": "number",
        "description": "Size of the result divided by the size of the input; 1 if it is unchanged.",
        "examples": [0.42],
    },
    "pages": meta_schemas.integer("Number of pages.", 12),
    "images": {
        "type": "array",
        "description": "The images by the kind of their data in the input.",
        "items": {
            "type": "object",
            "required": ["kind", "count", "recompressed"],
            "properties": {
                "kind": {"type": "string", "enum": ["ccitt", "jbig2", "jpeg", "jpeg2000", "lossless", "other"]},
                "count": {"type": "integer"},
                "recompressed": {"type": "integer"},
            },
        },
        "examples": [[{"kind": "jpeg", "count": 9, "recompressed": 7}]],
    },
    "level_used": meta_schemas.text(
        "The level; with `max_bytes` `lossless` or a resolution such as `150 dpi`; `unchanged` for the input itself.",
        "medium",
    ),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfCompressRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    deadline_seconds=110,
    licensed_packages={"PyMuPDF": ""},
    examples=[
        Example("A report", {"file": REPORT}),
        Example("At most 20 kB, in gray", {"file": REPORT, "max_bytes": 20_000, "grayscale": True}),
        Example("Without any loss", {"file": REPORT, "level": "lossless"}),
    ],
)
async def pdf_compress(request: PdfCompressRequest) -> PdfResult:
    """Make a PDF smaller; the result is never larger than the input.

    Images are reduced to the resolution at which they are drawn; scans of one bit stay as they are, and images that
    would become larger too. Fonts lose the characters that the PDF does not show, streams are compressed better, and
    equal objects are stored once. Text, links, bookmarks, forms, tags, attachments and metadata are kept. If no
    smaller file can be made, the input is returned, and `meta.level_used` is `unchanged`.

    Raises:
        InvalidInput: The file is not a PDF, is encrypted or damaged, or `max_bytes` cannot be reached.
        NotConvertible: The compression took longer than 60 seconds.
    """
    work = "mediakit.tools.pdf.pdf_compress.compressing:compress"
    result = await run_guarded(work, request, returns=Compressed, guard=LONG_PDF)
    original_bytes = len(file_of(request.file))
    meta = {
        "original_bytes": original_bytes,
        "ratio": round(len(result.content) / original_bytes, 4),
        "pages": result.pages,
        "images": [asdict(count) for count in result.images],
        "level_used": result.level_used,
        "warnings": result.warnings,
    }
    return PdfResult(result.content, "application/pdf", meta)
