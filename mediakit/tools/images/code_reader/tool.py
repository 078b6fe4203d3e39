"""The `code_reader` tool: find and decode the codes of an image or a PDF."""

from mediakit.core.inputs import file_of
from mediakit.core.tool import Example, tool
from mediakit.engines import workers
from mediakit.errors import InvalidInput
from mediakit.samples import LABEL
from mediakit.tools.images.code_reader import worker_jobs
from mediakit.tools.images.code_reader.request import CodeReaderRequest
from mediakit.tools.images.code_reader.result import CodesResult
from mediakit.tools.images.code_reader.scan_options import ScanOptions

TIMEOUT_SECONDS = 20.0
"""Time limit for one file."""

MAX_WORKER_BYTES = 2_000_000_000
"""Memory limit for one file; 50 megapixels of WebP take 800 MB to decode."""


@tool(
    CodeReaderRequest,
    tag="Images",
    raw={"image/*": "file", "application/pdf": "file"},
    produces=("application/json",),
    licensed_packages={"PyMuPDF": "PDFs"},
    examples=[
        Example("Every code on a label", {"file": LABEL}),
        Example("Only the retail code", {"file": LABEL, "formats": ["AllRetail"], "max_codes": 1}),
    ],
)
async def code_reader(request: CodeReaderRequest) -> CodesResult:
    """Find and decode every QR code and barcode in an image or a PDF.

    Blurred, bent, torn, tilted and faint codes get additional passes. A reading that only one of these passes finds is
    not returned. A file without codes returns an empty list. No data leaves the machine.

    Raises:
        InvalidInput: The file is neither an image nor a PDF, or it is damaged, encrypted or too large.
    """
    options = ScanOptions(tuple(request.formats or ()), request.max_codes, request.pages, request.scale)
    return CodesResult.from_fields(await _scan(file_of(request.file), options))


async def _scan(content: bytes, options: ScanOptions) -> dict[str, object]:
    try:
        return await workers.run(
            worker_jobs.scan_file, content, options, seconds=TIMEOUT_SECONDS, memory=MAX_WORKER_BYTES
        )
    except workers.TookTooLong:
        message = f"file: takes more than {TIMEOUT_SECONDS:.0f} seconds to read. Send a simpler file."
        raise InvalidInput(message) from None
    except workers.OutOfMemory:
        raise InvalidInput("file: needs too much memory. Send a smaller file.") from None
    except workers.Crashed:
        raise InvalidInput("file: is damaged and cannot be decoded.") from None
