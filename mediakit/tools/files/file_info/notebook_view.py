"""Notebook display of what a file is: a table of facts."""

from collections.abc import Iterator, Mapping
from typing import Any

from mediakit.core.messages import readable_size
from mediakit.display.tables import facts_html

_HIGH_ENTROPY = 7.5


def html(fields: Mapping[str, Any], meta: Mapping[str, Any]) -> str:
    """Return the facts of a file; those that it does not have are omitted."""
    return facts_html(fields["description"], fields["mime_type"], _facts(fields), meta["warnings"])


def _facts(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Size", f"{readable_size(fields['size_bytes'])} ({fields['size_bytes']:,} bytes)"
    yield "Extension", fields["extension"]
    yield from _details(fields["details"])
    yield "Encrypted", {True: "yes", False: "no", None: ""}[fields["encrypted"]]
    yield "Also", ", ".join(fields["alternatives"])
    note = ", like compressed or encrypted data" if fields["entropy"] > _HIGH_ENTROPY else ""
    yield "Entropy", f"{fields['entropy']:.2f} of 8 bits per byte{note}"
    for name, value in fields["hashes"].items():
        yield name.upper(), value


def _details(details: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
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
