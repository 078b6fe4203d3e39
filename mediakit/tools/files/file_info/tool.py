"""The tool `file_info`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.samples import LANDSCAPE, REPORT, SALES
from mediakit.tools.files.file_info.request import FileInfoRequest, Inspected
from mediakit.tools.files.file_info.result import FileInfo

META: Mapping[str, meta_schemas.Schema] = {
    "warnings": meta_schemas.texts("What may not be as expected, such as an extension of another type."),
}


@tool(
    FileInfoRequest,
    tag="Files",
    raw={"application/octet-stream": "file", "*/*": "file"},
    produces={"json": "application/json"},
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": "PDFs"},
    examples=[
        Example("What a file is", {"file": LANDSCAPE}),
        Example("Several hashes", {"file": REPORT, "hashes": ["md5", "sha256", "crc32c"], "filename": "report.pdf"}),
        Example("Charset and lines of a text", {"file": SALES, "hashes": []}),
        Example("An extension to check", {"file": REPORT, "filename": "report.docx"}),
    ],
)
async def file_info(request: FileInfoRequest) -> FileInfo:
    """Identify a file by its content: media type, details, hashes, entropy.

    The content alone decides; the name only chooses between kinds of text that look alike, and is checked against the
    type. Archives are judged by their directory: a Word document is not just a ZIP file. `alternatives` are the types
    that the file is as well, as an image that has a ZIP archive behind it. Nothing in the file is run or unpacked.

    Raises:
        InvalidInput: The file is empty.
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.files.file_info.inspection:inspect_file", Guard("file", seconds=10)
    found = await run_guarded(work, request, returns=Inspected, guard=guard)
    return FileInfo(**found.fields, meta={"warnings": found.warnings})
