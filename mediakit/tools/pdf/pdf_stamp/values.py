"""Values of placeholders for each page."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.labels import read_labels
from mediakit.engines.pdf.numbering import NumberFormat, format_number
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_stamp.placeholders import expand, uses
from mediakit.tools.pdf.pdf_stamp.request import PdfStampRequest

_STYLES: dict[str, NumberFormat] = {"/D": "1", "/r": "i", "/R": "I", "/a": "a", "/A": "A"}


def page_texts(text: str, source: Source, indices: Sequence[int], request: PdfStampRequest) -> dict[int, str]:
    """Return the text of each page, by its index.

    Args:
        text: Text with placeholders.
        source: The PDF.
        indices: The pages that get the stamp, from 0.
        request: File name, date and numbers.
    """
    fixed = {
        "pages": format_number(len(source.pages), request.number_format),
        "filename": file_of(request.file).name,
        "date": datetime.now(UTC).date().isoformat(),
        "title": document_title(source) if uses(text, "title") else "",
    }
    for name, words in (("title", "title"), ("filename", "file name")):
        if uses(text, name) and not fixed[name].strip():
            source.warn(f"{{{name}}} is empty, because the PDF has no {words}.")
    labels = page_labels(source) if uses(text, "label") else [""] * len(source.pages)
    return {
        index: expand(
            text,
            fixed
            | {
                "page": format_number(request.start + index - indices[0], request.number_format),
                "label": labels[index],
            },
            request.start + count,
        )
        for count, index in enumerate(indices)
    }


def page_labels(source: Source) -> list[str]:
    """Return the label of each page as viewers show it."""
    tree = source.root.get(Name.PageLabels)
    count = len(source.pages)
    if not isinstance(tree, Dictionary):
        return [str(number) for number in range(1, count + 1)]
    return [
        str(String(label.prefix))
        + (format_number(label.number, _STYLES[label.style]) if label.style in _STYLES else "")
        for label in read_labels(tree, count)
    ]


def document_title(source: Source) -> str:
    """Return the title of a PDF on one line, or nothing if it has none."""
    info = source.pdf.trailer.get(Name.Info)
    title = info.get(Name.Title) if isinstance(info, Dictionary) else None
    found = str(title) if isinstance(title, String) else ""
    return " ".join((found.strip() or _xmp_title(source.pdf)).split())


def _xmp_title(pdf: pikepdf.Pdf) -> str:
    try:
        return str(pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False).get("dc:title", ""))
    except (pikepdf.PdfError, ValueError, RuntimeError, TypeError):  # damaged metadata
        return ""
