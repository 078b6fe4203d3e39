"""Pages of a PDF."""

from typing import Any


def pdf_details(content: bytes) -> dict[str, Any]:
    """Return the number of pages; empty where the PDF is damaged or needs a password."""
    import pymupdf

    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            return {} if document.needs_pass else {"pages": document.page_count}
    except Exception:  # noqa: BLE001  # the library raises errors of many classes for damaged files
        return {}
