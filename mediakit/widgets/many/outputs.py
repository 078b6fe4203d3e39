"""The results of a batch as one file to download."""

import io
from collections.abc import Sequence
from typing import Any

from mediakit.batches import BatchResult
from mediakit.batches.targets.combined import write_zip
from mediakit.core.inputs import MAX_FILES, FileBytes
from mediakit.results.files import FileResult
from mediakit.results.result import saved_file
from mediakit.tools.pdf.pdf_merge import pdf_merge

ZIP, PDF = "ZIP archive", "One PDF"
OUTPUTS = (ZIP, PDF)


async def combined(results: BatchResult[Any], output: str, name: str) -> FileResult:
    """Return the results as a ZIP archive, or merged into one PDF with a bookmark for each result.

    Args:
        results: The results, with at least one item.
        output: `ZIP archive` or `One PDF`.
        name: Name of the file, without its suffix.

    Raises:
        InvalidInput: A result cannot be part of a PDF, or the PDF would have more than 500 pages.
    """
    if output == ZIP:
        buffer = io.BytesIO()
        write_zip(buffer, results)
        return FileResult(buffer.getvalue(), "application/zip", f"{name}.zip", {"files": len(results)})
    files = [FileBytes.named(result.file, f"{key}.{saved_file(result).extension}") for key, result in results.items()]
    merged = await _merged(files)
    return FileResult(merged, "application/pdf", f"{name}.pdf", {"files": len(results)})


async def _merged(files: Sequence[FileBytes]) -> bytes:
    """Return all files as one PDF. The tool merges a limited number of files, so parts are merged first."""
    parts = [files[start : start + MAX_FILES] for start in range(0, len(files), MAX_FILES)]
    merged = [(await pdf_merge.aio(files=part)).content for part in parts]
    while len(merged) > 1:
        groups = [merged[start : start + MAX_FILES] for start in range(0, len(merged), MAX_FILES)]
        merged = [(await pdf_merge.aio(files=group, bookmarks="keep")).content for group in groups]
    return merged[0]
