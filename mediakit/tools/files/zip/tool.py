"""The tool `zip`."""

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import ServerBusy
from mediakit.results.files import FileResult
from mediakit.samples import LOGO, REPORT, SALES
from mediakit.tools.files.zip.request import ZipRequest
from mediakit.tools.files.zip.worker_jobs import pack

ZIP = "application/zip"

PACKING = Guard(
    "archive", seconds=50, took_too_long=(ServerBusy, "The archive could not be written in time. Try again.")
)
"""50 MB take a few seconds, so only a machine that is overloaded needs longer."""

META = {
    "original_bytes": meta_schemas.integer("Size of the files.", 46210),
    "ratio": {
        "type": "number",
        "description": "Size of the archive divided by the size of the files.",
        "examples": [0.72],
    },
    "entries": meta_schemas.integer("Number of files.", 3),
    "encryption": {"type": "string", "enum": ["none", "aes256"], "examples": ["none"]},
    "stored": meta_schemas.texts("Names of files that were not compressed.", "logo.png"),
    "warnings": meta_schemas.texts("What may not be as expected."),
}

NAMES_WARNING = "The names of the files are not encrypted."


@tool(
    ZipRequest,
    tag="Files",
    produces=(ZIP,),
    meta=META,
    examples=[
        Example("Three files", {"files": [SALES, REPORT, LOGO]}),
        Example("In a folder, as small as possible", {"files": [SALES, REPORT], "folder": "2024", "level": 9}),
        Example(
            "Encrypted with AES-256",
            {"files": [SALES], "password": "correct horse", "filename": "sales.zip"},
        ),
    ],
)
async def zip(request: ZipRequest) -> FileResult:  # noqa: A001  # the name of the tool
    """Pack files into a ZIP file, optionally encrypted with AES-256.

    The archive opens with Windows, macOS, 7-Zip and unzip. Names are UTF-8; names that one of these cannot have, or
    that would overwrite each other, are refused. All dates are 1980-01-01, so that equal files are equal bytes, except
    with a password. Files that do not shrink, such as images, are stored.

    Raises:
        InvalidInput: A name is not allowed, or stands twice.
    """
    job = request.job
    written = await run_guarded(pack, job, guard=PACKING, field="files")
    original = sum(len(entry.content) for entry in job.entries)
    meta = {
        "original_bytes": original,
        "ratio": round(len(written.content) / original, 4) if original else 1.0,
        "entries": len(job.entries),
        "encryption": "aes256" if request.password else "none",
        "stored": written.stored,
        "warnings": [NAMES_WARNING] if request.password else [],
    }
    return FileResult(written.content, ZIP, request.filename, meta)
