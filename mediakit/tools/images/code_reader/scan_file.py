"""The scan of a whole file, as it runs in a worker."""

import time
from typing import Any

from PIL import Image

from mediakit.core.inputs import file_of
from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.tools.images.code_reader import code_fields, decoder, image_input, pdf_input
from mediakit.tools.images.code_reader.detection import Point
from mediakit.tools.images.code_reader.request import CodeReaderRequest
from mediakit.tools.images.code_reader.scanner import EXTRA_SECONDS, Scanner
from mediakit.tools.images.code_reader.voting import Candidate

FINE_SCALE = 4.0
"""Scale at which a page without codes is rendered again; small print needs 288 dpi."""

MAX_PDF_SECONDS = 6.0
"""Processor time for all additional passes over a PDF together."""


def scan(request: CodeReaderRequest, extra_seconds: float = EXTRA_SECONDS) -> dict[str, Any]:
    """Read the codes of an image or a PDF.

    Args:
        request: The file, and what to read in it.
        extra_seconds: Processor time for an image or a page beyond its first pass.

    Returns:
        The fields of the response: `codes`, `count`, `truncated` and `meta`.

    Raises:
        InvalidInput: The file is neither a readable image nor a readable PDF, or it is too large.
    """
    content = file_of(request.file)
    scan_content = _scan_pdf if pdf_input.is_pdf(content) else _scan_image
    codes, meta = scan_content(content, request, extra_seconds)
    codes.sort(key=code_fields.reading_order)
    kept = codes[: request.max_codes]
    meta |= {"effort": "normal", "formats": list(request.formats or ["AllReadable"])}
    return {"codes": kept, "count": len(kept), "truncated": len(codes) > len(kept), "meta": meta}


def _scan_image(
    content: bytes, request: CodeReaderRequest, extra_seconds: float
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    image = image_input.decode(content)
    result = Scanner(image, tuple(request.formats or ()), extra_seconds=extra_seconds).scan()
    codes = _fields(image, result.candidates, request, page=None)
    size = {"width": image.width, "height": image.height}
    return codes, {"kind": "image", **size, "pages_read": None, "passes": result.extra_passes}


def _scan_pdf(
    content: bytes, request: CodeReaderRequest, max_page_seconds: float
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    codes: list[dict[str, Any]] = []
    passes = 0
    with pdf_input.open_pdf(content) as document:
        numbers = document.page_numbers(request.pages)
        for number in numbers:
            document.check_size(number, request.scale)
        deadline = time.thread_time() + MAX_PDF_SECONDS
        for index, number in enumerate(numbers):
            share = max(0.0, deadline - time.thread_time()) / (len(numbers) - index)
            found, page_passes = _scan_page(document, number, request, min(max_page_seconds, share))
            codes += found
            passes += page_passes
        first = document.size(numbers[0], request.scale)
    return codes, {"kind": "pdf", "width": first[0], "height": first[1], "pages_read": numbers, "passes": passes}


def _scan_page(
    document: pdf_input.Document, number: int, request: CodeReaderRequest, extra_seconds: float
) -> tuple[list[dict[str, Any]], int]:
    """Read a page at the requested scale, and if no code is found again at `FINE_SCALE`."""
    can_refine = extra_seconds > 0 and request.scale < FINE_SCALE and document.pixels(number, FINE_SCALE) <= MAX_PIXELS
    image = document.render(number, request.scale)
    result = Scanner(image, tuple(request.formats or ()), extra_seconds=0 if can_refine else extra_seconds).scan()
    if result.candidates or not can_refine or _is_blank(image):
        return _fields(image, result.candidates, request, page=number), result.extra_passes
    image = document.render(number, FINE_SCALE)
    refined = Scanner(image, tuple(request.formats or ()), extra_seconds=extra_seconds).scan()
    candidates = [_rescaled(candidate, request.scale / FINE_SCALE) for candidate in refined.candidates]
    return _fields(None, candidates, request, page=number), result.extra_passes + 1 + refined.extra_passes


def _is_blank(image: Image.Image) -> bool:
    low, high = image.getextrema()
    return bool(low == high)


def _rescaled(candidate: Candidate, scale: float) -> Candidate:
    def back(point: Point) -> Point:
        return point[0] * scale, point[1] * scale

    return Candidate(candidate.detection.mapped(back), candidate.votes, candidate.passes)


def _fields(
    image: Image.Image | None, candidates: list[Candidate], request: CodeReaderRequest, *, page: int | None
) -> list[dict[str, Any]]:
    may_have_add_on = any(each.detection.format in ("EAN13", "UPCA", "ISBN") for each in candidates)
    add_ons = decoder.decode_with_add_ons(image) if may_have_add_on and image else []
    codes = []
    for candidate in candidates:
        own = [each for each in add_ons if each.text.startswith(f"{candidate.detection.text} ")]
        digits = own[0].text.partition(" ")[2] if own else None
        codes.append(code_fields.fields_of(candidate, tuple(request.formats or ()), page=page, add_on=digits))
    return codes
