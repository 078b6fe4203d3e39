"""`pdf_merge` compared with pikepdf and pypdf: ten PDFs become one."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import pikepdf

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer
from mediakit.samples import LANDSCAPE, REPORT

FILES = 10


def contents(values: Mapping[str, Any]) -> list[bytes]:
    """Return the files to merge: a report of three pages with bookmarks, or a photo on a page."""
    if values["file"] == "report":
        return [REPORT.read_bytes()] * FILES
    return [mediakit.pdf_merge([LANDSCAPE], bookmarks="none").content] * FILES


def with_mediakit(values: Mapping[str, Any]) -> Job:
    files = contents(values)
    return lambda: mediakit.pdf_merge(files).content


def with_pikepdf(values: Mapping[str, Any]) -> Job:
    files = contents(values)

    def merge() -> bytes:
        merged = pikepdf.Pdf.new()
        for content in files:
            with pikepdf.open(BytesIO(content)) as document:
                merged.pages.extend(document.pages)
        merged.save(output := BytesIO())
        return output.getvalue()

    return merge


def with_pypdf(values: Mapping[str, Any]) -> Job:
    from pypdf import PdfWriter

    files = contents(values)

    def merge() -> bytes:
        writer = PdfWriter()
        for content in files:
            writer.append(BytesIO(content))
        writer.write(output := BytesIO())
        return output.getvalue()

    return merge


def read_back(_case: Case, content: bytes) -> str:
    """Return the number of pages and of bookmarks."""
    with pikepdf.open(BytesIO(content)) as document, document.open_outline() as outline:
        bookmarks = sum(1 + len(item.children) for item in outline.root)
        return f"{len(document.pages)} pages, {bookmarks} bookmarks"


BENCHES = [
    Bench(
        tool="pdf_merge",
        about=f"{FILES} PDFs. pikepdf alone keeps no bookmarks, and neither package parses in a separate process.",
        cases=[Case("reports", {"file": "report"}), Case("photos", {"file": "photo"})],
        ours=ours("bench.pdf_merge:with_mediakit"),
        peers=[
            python_peer("pikepdf", "bench.pdf_merge:with_pikepdf"),
            python_peer("pypdf", "bench.pdf_merge:with_pypdf"),
        ],
        inspect=read_back,
    )
]
