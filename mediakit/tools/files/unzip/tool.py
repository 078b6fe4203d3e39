"""The tool `unzip`."""

from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.samples import ARCHIVE
from mediakit.tools.files.unzip.request import Unpacked, UnzipRequest
from mediakit.tools.files.unzip.result import UnzippedFiles, unzipped

UNPACKING = Guard("archive", seconds=10)

RAW_TYPES = ("application/zip", "application/x-zip-compressed", "application/gzip", "application/x-tar")

META = {
    "entries": meta_schemas.integer("Number of entries.", 1),
    "warnings": meta_schemas.texts("What was omitted, renamed, or may not be as expected."),
}


def _media_type(values: Mapping[str, Any]) -> str:
    """Return the media type of the file that a call saves: the list, or an archive of the files."""
    return "application/json" if values.get("list_only") else "application/zip"


@tool(
    UnzipRequest,
    tag="Files",
    raw=dict.fromkeys(RAW_TYPES, "file"),
    produces=("application/json", "application/octet-stream"),
    media_type_of=_media_type,
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("One file", {"file": ARCHIVE, "names": ["data/cities.csv"]}),
        Example("All files", {"file": ARCHIVE}),
        Example("The list of the entries", {"file": ARCHIVE, "list_only": True}),
        Example("All CSV files, in every folder", {"file": ARCHIVE, "names": ["*.csv"]}),
    ],
)
async def unzip(request: UnzipRequest) -> UnzippedFiles:
    """List and unpack a ZIP, TAR, TAR.GZ or GZ file, and relatives of ZIP such as DOCX, XLSX, EPUB and JAR.

    Decompression bombs are refused before they use memory: 100 MB in all, 20 MB a file, 200 times the packed size.
    Unsafe entries, such as `../x`, absolute paths and links, are listed with the reason and never unpacked. Names in
    the charsets of Windows are detected; `name_encoding` sets their charset. ZipCrypto and AES are decrypted with
    `password`. Archives inside the archive are files like others.

    Raises:
        InvalidInput: The file is not an archive, is damaged, encrypted or a decompression bomb, or a name is not in it.
        NotConvertible: It took longer than 10 seconds.
    """
    work = "mediakit.tools.files.unzip.unpacking:unpack"
    unpacked = await run_guarded(work, request, returns=Unpacked, guard=UNPACKING)
    return unzipped(unpacked, has_files=not request.list_only)
