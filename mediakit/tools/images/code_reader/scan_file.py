"""The scan of a whole file, as it runs in a worker."""

import time
from typing import Any

from PIL import Image

from mediakit.core.inputs import file_of
from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning
from mediakit.tools.images.code_reader import code_fields, decoder, inputs
from mediakit.tools.images.code_reader.detection import Point
from mediakit.tools.images.code_reader.request import CodeReaderRequest
from mediakit.tools.images.code_reader.scanner import EXTRA_SECONDS, Scanner
from mediakit.tools.images.code_reader.voting import Candidate

FINE_SCALE = 4.0
"""Scale at which a page without codes is rendered again; small print needs 288 dpi."""

MAX_PAGES_SECONDS = 6.0
"""Processor time for all additional passes over the pages of a file together."""


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
    scan_content = _scan_pdf if inputs.is_pdf(content) else _scan_image
    codes, meta = scan_content(content, request, extra_seconds)
    codes.sort(key=code_fields.reading_order)
    kept = codes[: request.max_codes]
    meta |= {"effort": "normal", "formats": list(request.formats or ["AllReadable"])}
    return {"codes": kept, "count": len(kept), "truncated": len(codes) > len(kept), "meta": meta}


def _scan_image(
    content: bytes, request: CodeReaderRequest, extra_seconds: float
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    header = inputs.read_header(content)
    warnings = [warning for warning in header.warnings if warning["code"] != "first_page_only"]
    if (count := inputs.tiff_page_count(content, header)) > 1:
        return _scan_tiff(content, count, request, extra_seconds)
    if header.animated:
        message = f"file: is an animation of {header.frames} frames; only the first is read."
        warnings.append({"code": "first_frame_only", "message": message})
    image = inputs.decode(header)
    result = Scanner(image, tuple(request.formats or ()), extra_seconds=extra_seconds).scan()
    codes = _fields(image, result.candidates, request, page=None)
    return codes, _meta("image", image.size, None, result.extra_passes, warnings)


def _meta(
    kind: str, size: tuple[int, int], pages: list[int] | None, passes: int, warnings: list[ResultWarning]
) -> dict[str, Any]:
    sizes = {"width": size[0], "height": size[1]}
    return {"kind": kind, **sizes, "pages_read": pages, "passes": passes, "warnings": warnings}


def _scan_tiff(
    content: bytes, count: int, request: CodeReaderRequest, extra_seconds: float
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Read the codes of all pages of a TIFF; blank and unreadable pages of a scan are common."""
    numbers = inputs.select_pages(request.pages, count, "TIFF")
    codes: list[dict[str, Any]] = []
    warnings: list[ResultWarning] = []
    passes, size = 0, (0, 0)
    deadline = time.thread_time() + MAX_PAGES_SECONDS
    for index, number in enumerate(numbers):
        try:
            image = inputs.decode_tiff_page(content, number)
        except InvalidInput as error:
            if len(numbers) == 1:
                raise
            message = error.message.replace("file:", f"file: page {number}", 1)
            warnings.append({"code": "page_not_read", "message": message})
            continue
        size = size if any(size) else image.size
        share = max(0.0, deadline - time.thread_time()) / (len(numbers) - index)
        seconds = 0.0 if _is_blank(image) else min(extra_seconds, share)
        result = Scanner(image, tuple(request.formats or ()), extra_seconds=seconds).scan()
        codes += _fields(image, result.candidates, request, page=number)
        passes += result.extra_passes
    return codes, _meta("image", size, numbers, passes, warnings)


def _scan_pdf(
    content: bytes, request: CodeReaderRequest, max_page_seconds: float
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    codes: list[dict[str, Any]] = []
    passes = 0
    with inputs.open_pdf(content) as document:
        numbers = document.page_numbers(request.pages)
        for number in numbers:
            document.check_size(number, request.scale)
        deadline = time.thread_time() + MAX_PAGES_SECONDS
        for index, number in enumerate(numbers):
            share = max(0.0, deadline - time.thread_time()) / (len(numbers) - index)
            found, page_passes = _scan_page(document, number, request, min(max_page_seconds, share))
            codes += found
            passes += page_passes
        first = document.size(numbers[0], request.scale)
    return codes, _meta("pdf", first, numbers, passes, [])


def _scan_page(
    document: inputs.Document, number: int, request: CodeReaderRequest, extra_seconds: float
) -> tuple[list[dict[str, Any]], int]:
    """Read a page at the requested scale, and if no code is found again at `FINE_SCALE`."""
    can_refine = extra_seconds > 0 and request.scale < FINE_SCALE and document.pixels(number, FINE_SCALE) <= MAX_PIXELS
    image = document.render(number, request.scale)
    result = Scanner(image, tuple(request.formats or ()), extra_seconds=0 if can_refine else extra_seconds).scan()
    if result.candidates or not can_refine or _is_blank(image):
        return _fields(image, result.candidates, request, page=number), result.extra_passes
    image = document.render(number, FINE_SCALE)
    refined = Scanner(image, tuple(request.formats or ()), extra_seconds=extra_seconds).scan()
    codes = _fields(image, refined.candidates, request, page=number, scale=request.scale / FINE_SCALE)
    return codes, result.extra_passes + 1 + refined.extra_passes


def _is_blank(image: Image.Image) -> bool:
    low, high = image.convert("L").getextrema()
    return bool(low == high)


def _rescaled(candidate: Candidate, scale: float) -> Candidate:
    def back(point: Point) -> Point:
        return point[0] * scale, point[1] * scale

    return Candidate(candidate.detection.mapped(back), candidate.votes, candidate.passes)


def _fields(
    image: Image.Image, candidates: list[Candidate], request: CodeReaderRequest, *, page: int | None, scale: float = 1.0
) -> list[dict[str, Any]]:
    """Return the response fields of codes.

    Args:
        image: What was scanned.
        candidates: The codes in it.
        request: The formats.
        page: Number of the page.
        scale: Factor from the image to the page at the requested scale.
    """
    may_have_add_on = any(each.detection.format in decoder.WITH_ADD_ON for each in candidates)
    add_ons = decoder.find_add_ons(image) if may_have_add_on else []
    codes = []
    for candidate in candidates:
        digits = decoder.add_on_of(candidate.detection, add_ons)
        shown = candidate if scale == 1 else _rescaled(candidate, scale)
        codes.append(code_fields.fields_of(shown, tuple(request.formats or ()), page=page, add_on=digits))
    return codes
