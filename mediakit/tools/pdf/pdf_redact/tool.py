"""The tool `pdf_redact`."""

from collections.abc import Mapping
from typing import Any, get_args

from mediakit.core import meta_schemas
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import LONG_PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PDF
from mediakit.samples import CONTRACT
from mediakit.tools.pdf.pdf_redact.kinds import Kind
from mediakit.tools.pdf.pdf_redact.request import Match, PdfRedactRequest, RedactCall, Redacted, SearchCall
from mediakit.tools.pdf.pdf_redact.result import PdfMatches, RedactedPdf

DEADLINE_SECONDS = 90
"""Longer than the work may take, and a wait for a worker."""

NUMBER: Mapping[str, Any] = {"type": "number"}
PAGES: Mapping[str, Any] = {"type": "array", "items": {"type": "integer"}}

META: Mapping[str, meta_schemas.Schema] = {
    "pages": meta_schemas.integer("Number of pages.", 2),
    "found": meta_schemas.integer("Places on pages where something was found; one over two lines counts once.", 1),
    "matches": {
        "type": "array",
        "description": "The boxes of what was found, in points of the page as it is seen, from its top left corner.",
        "items": {
            "type": "object",
            "required": ["page", "x0", "y0", "x1", "y1", "kind"],
            "properties": {
                "page": {"type": "integer"},
                **dict.fromkeys(("x0", "y0", "x1", "y1"), NUMBER),
                "kind": {"type": "string", "enum": ["word", "pattern", *get_args(Kind)]},
                "text": {"type": "string", "description": "What was found; only with `find_only`."},
            },
        },
        "examples": [[{"page": 1, "x0": 72.0, "y0": 90.5, "x1": 140.2, "y1": 104.0, "kind": "word"}]],
    },
    "not_found": meta_schemas.texts("Words and patterns that are not in the PDF."),
    "pages_touched": {**PAGES, "description": "Pages from which something was removed.", "examples": [[1]]},
    "pages_as_images": {**PAGES, "description": "Pages that became images.", "examples": [[]]},
    "pages_without_text": {
        **PAGES,
        "description": "Pages that are images without text, such as scans: words cannot be found there.",
        "examples": [[]],
    },
    "verified": meta_schemas.optional(
        meta_schemas.boolean(
            "The result was read again in three ways, and nothing that was to be removed was found. If it is false, "
            "`warnings` names the places.",
            example=True,
        )
    ),
    "warnings": meta_schemas.texts("What was dropped, or may not be as expected."),
}


def _media_type(values: Mapping[str, Any]) -> str:
    return "application/json" if values.get("find_only") else PDF


@overloads(RedactCall, RedactedPdf, SearchCall, PdfMatches)
@tool(
    PdfRedactRequest,
    tag="PDF",
    raw={PDF: "file"},
    produces=(PDF,),
    media_type_of=_media_type,
    meta=META,
    errors=[NotConvertible],
    deadline_seconds=DEADLINE_SECONDS,
    licensed_packages={"PyMuPDF": ""},
    examples=[
        Example("A name and personal data", {"file": CONTRACT, "words": ["Nora Feldmann"], "kinds": ["email", "iban"]}),
        Example(
            "A pattern and an area, with a label",
            {
                "file": CONTRACT,
                "patterns": [r"EUR [\d,.]+"],
                "boxes": [{"page": 2, "x0": 60, "y0": 560, "x1": 300, "y1": 640}],
                "label": "REDACTED",
            },
        ),
        Example("Only find", {"file": CONTRACT, "kinds": ["phone", "email"], "find_only": True}),
    ],
)
async def pdf_redact(request: PdfRedactRequest) -> RedactedPdf | PdfMatches:
    """Remove words, personal data and areas from a PDF, and verify that they are gone.

    Content is removed, never merely covered: letters, the parts of vectors and the pixels of images under each box.
    The same words go from everything else in the file: annotations, form values, bookmarks, destinations, links, page
    labels, document information, tags, hidden layers, invisible text and scripts. Attachments, thumbnails and earlier
    revisions go as a whole. Then the result is read again by other libraries, and all its strings and streams are
    searched. A page on which anything is still found becomes an image, and if that does not help, the call fails and
    returns no file. `verified` is false if something is still found in other data, such as a font, or if a part of the
    file cannot be decoded; a warning names it. Letters that lie only partly in a box go if more than a fifth of them is
    in it. Annotations that lie in a box go as a whole.

    Raises:
        InvalidInput: The file is not a PDF, nothing is found in it, or something cannot be removed with certainty.
        NotConvertible: It took longer than 60 seconds.
    """
    work = "mediakit.tools.pdf.pdf_redact.redaction:redact"
    done = await run_guarded(work, request, returns=Redacted, guard=LONG_PDF)
    meta: dict[str, Any] = {
        "pages": done.pages,
        "found": done.found,
        "matches": [_match(match, with_text=request.find_only) for match in done.matches],
        "not_found": done.not_found,
        "pages_touched": done.pages_touched,
        "pages_as_images": done.pages_as_images,
        "pages_without_text": done.pages_without_text,
        "warnings": done.warnings,
    }
    if request.find_only:
        return PdfMatches(meta={"size_bytes": 0, **meta})
    return RedactedPdf(done.content, PDF, {**meta, "verified": done.verified})


def _match(match: Match, *, with_text: bool) -> dict[str, Any]:
    area = match.area
    found = {"page": area.page, "x0": area.x0, "y0": area.y0, "x1": area.x1, "y1": area.y1, "kind": match.kind}
    return {**found, "text": match.text} if with_text else found
