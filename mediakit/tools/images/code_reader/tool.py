"""The `code_reader` tool: find and decode the codes of an image or a PDF."""

from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import InvalidInput
from mediakit.samples import LABEL
from mediakit.tools.images.code_reader.request import CodeReaderRequest
from mediakit.tools.images.code_reader.result import META, CodesResult, codes_result

SCANNING = Guard(
    "code",
    seconds=20,
    memory=2_000_000_000,
    took_too_long=(InvalidInput, "{field}: takes more than {seconds:.0f} seconds to read. Send a simpler file."),
    out_of_memory=(InvalidInput, "{field}: needs too much memory. Send a smaller file."),
    crashed=(InvalidInput, "{field}: is damaged and cannot be decoded."),
)
"""50 megapixels of WebP take 800 MB to decode."""


@tool(
    CodeReaderRequest,
    tag="Images",
    raw={"image/*": "file", "application/pdf": "file"},
    produces=("application/json",),
    meta=META,
    licensed_packages={"PyMuPDF": "PDFs"},
    examples=[
        Example("Every code on a label", {"file": LABEL}),
        Example("Only the retail code", {"file": LABEL, "formats": ["AllRetail"], "max_codes": 1}),
    ],
)
async def code_reader(request: CodeReaderRequest) -> CodesResult:
    """Find and decode every QR code and barcode in an image or a PDF.

    Blurred, bent, torn, tilted and faint codes get additional passes. A reading that only one of these passes finds is
    not returned. All pages of a PDF or TIFF are read, and the first frame of an animation. A file without codes returns
    an empty list. No data leaves the machine.

    Raises:
        InvalidInput: The file is neither an image nor a PDF, or it is damaged, encrypted or too large.
    """
    work = "mediakit.tools.images.code_reader.scan_file:scan"
    found = await run_guarded(work, request, returns=dict, guard=SCANNING)
    return codes_result(found)
