"""Notebook display of what a file is: a table of facts."""

from collections.abc import Iterator

from mediakit.core.messages import readable_size
from mediakit.display.tables import facts_html
from mediakit.results.result import Bundle
from mediakit.tools.files.file_info.result import Details, FileInfo

_HIGH_ENTROPY = 7.5


def bundle(info: FileInfo) -> Bundle:
    """Return the facts of a file; those that it does not have are omitted."""
    return {"text/html": facts_html(info.description, info.mime_type, _facts(info), info.meta["warnings"])}, {}


def _facts(info: FileInfo) -> Iterator[tuple[str, str]]:
    yield "Size", f"{readable_size(info.size_bytes)} ({info.size_bytes:,} bytes)"
    yield "Extension", info.extension
    yield from _details(info.details)
    yield "Encrypted", {True: "yes", False: "no", None: ""}[info.encrypted]
    yield "Also", ", ".join(info.alternatives)
    note = ", like compressed or encrypted data" if info.entropy > _HIGH_ENTROPY else ""
    yield "Entropy", f"{info.entropy:.2f} of 8 bits per byte{note}"
    for name, value in info.hashes.items():
        yield name.upper(), value


def _details(details: Details) -> Iterator[tuple[str, str]]:
    if "width" in details:
        yield "Pixels", f"{details['width']:,} × {details['height']:,}"
    if details.get("frames", 1) > 1:
        yield "Frames", f"{details['frames']:,}"
    if "pages" in details:
        yield "Pages", f"{details['pages']:,}"
    if "entries" in details:
        yield "Entries", f"{details['entries']:,}, unpacked {readable_size(details['unpacked_bytes'])}"
    if "charset" in details:
        yield "Charset", details["charset"]
        yield "Lines", f"{details['lines']:,}" + (f" ({details['newline']})" if details["newline"] else "")
    if "duration_seconds" in details:
        minutes, seconds = divmod(details["duration_seconds"], 60)
        yield "Duration", f"{int(minutes)}:{seconds:04.1f}" if minutes else f"{seconds:.1f} s"
