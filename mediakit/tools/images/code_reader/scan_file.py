"""The scan of a whole file, as it runs in a worker, and the response fields of its codes."""

import base64
import math
import time
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from mediakit.core.inputs import file_of
from mediakit.engines import gs1
from mediakit.engines.raster import structure
from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning
from mediakit.tools.images.code_reader import decoder, inputs
from mediakit.tools.images.code_reader.bar_profiles import UprightRegion
from mediakit.tools.images.code_reader.decoder import Detection
from mediakit.tools.images.code_reader.image_passes import unchanged
from mediakit.tools.images.code_reader.payload_parser import parse_payload
from mediakit.tools.images.code_reader.regions import Region
from mediakit.tools.images.code_reader.scanner import EXTRA_SECONDS, Scanner
from mediakit.tools.images.code_reader.tool import CodeReaderRequest
from mediakit.tools.images.code_reader.voting import REQUIRED_VOTES, UNCHANGED_VIEW, Candidate

ADD_ON_REACH_MODULES = 72
"""Modules beside a retail code in which its add-on is; the gap and five digits have up to 60."""

ADD_ON_INSET = -0.2
"""What is searched above and below a retail code for an add-on, relative to its height."""

THIRD_DIGIT_MODULES = 27, 42
"""Modules after a retail code where there are bars if five digits are beside it, and a quiet zone if two are."""

MIN_QUIET_MODULES = 4.5
"""Modules without bars that end an add-on. Inside it are at most four."""

Codes = list[dict[str, Any]]

PageResult = tuple[Codes, int, tuple[int, int]]
"""The codes of a page, the number of passes after the first, and the size of the page in pixels."""

COMMON_NAMES = {"QRCodeModel2": "QRCode", "AztecCode": "Aztec", "ISBN": "EAN13"}

CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")

HIGH_CONFIDENCE_VOTES = 2 * REQUIRED_VOTES
"""Votes at which a code of additional passes has high confidence."""

MIN_SPARE_CORRECTION = 0.2
"""Unused share of error correction above which a code has high confidence."""


def fields_of(
    candidate: Candidate, formats: tuple[str, ...], *, page: int | None, add_on: str | None
) -> dict[str, Any]:
    """Return the response fields of a code."""
    detection = candidate.detection
    (x, y), (to_x, to_y) = detection.quad[:2]
    degrees = round(math.degrees(math.atan2(to_y - y, to_x - x)))
    name, text = _name_and_text(detection, formats)
    across, down = zip(*detection.quad, strict=True)
    left, top = math.floor(min(across)), math.floor(min(down))
    elements = gs1.read_elements(detection.text) if detection.content_type == "gs1" else None
    gtin = next((each.value for each in elements or [] if each.identifier == "01"), None)
    if name in ("EAN13", "EAN8", "UPCA", "UPCE", "ITF14"):
        gtin = detection.text.zfill(14)
    return {
        "format": name,
        "text": text,
        "bytes_base64": base64.b64encode(detection.content).decode(),
        "content_type": detection.content_type,
        "symbology_identifier": detection.symbology_identifier,
        "page": page,
        "position": {corner: [round(x), round(y)] for corner, (x, y) in zip(CORNERS, detection.quad, strict=True)},
        "box": {"x": left, "y": top, "width": math.ceil(max(across)) - left, "height": math.ceil(max(down)) - top},
        "orientation": 180 if degrees == -180 else degrees,
        "ec_level": detection.ec_level or None,
        "version": str(detection.extra["Version"]) if "Version" in detection.extra else None,
        "gtin": gtin,
        "add_on": add_on,
        "gs1": elements and [{"ai": each.identifier, "title": each.title, "value": each.value} for each in elements],
        "parsed": parse_payload(text),
        "confidence": "high" if _is_certain(candidate) else "medium",
    }


def _name_and_text(detection: Detection, formats: tuple[str, ...]) -> tuple[str, str]:
    """Return the common name of the symbology, by the requested formats, and the text as printed below the code."""
    from biip import checksums

    name, text = COMMON_NAMES.get(detection.format, detection.format), detection.text
    if name == "EAN13" and len(text) == 13 and text.startswith("0") and ("EAN13" not in formats or "UPCA" in formats):
        return "UPCA", text[1:]
    if name == "UPCA":
        return name, text[-12:]
    if name == "UPCE":
        return name, str(detection.extra.get("UPCE", text))
    if name == "ITF" and len(text) == 14 and str(checksums.gs1_standard_check_digit(text[:-1])) == text[-1]:
        return "ITF14", text
    return name, text


def _is_certain(candidate: Candidate) -> bool:
    detection = candidate.detection
    if not detection.linear:
        return detection.spare_correction is None or detection.spare_correction > MIN_SPARE_CORRECTION
    required = REQUIRED_VOTES if UNCHANGED_VIEW in candidate.passes else HIGH_CONFIDENCE_VOTES
    return candidate.votes >= required


FINE_SCALE = 4.0
"""Scale at which a page without codes is rendered again; small print needs 288 dpi."""

MAX_PAGES_SECONDS = 6.0
"""Processor time for all additional passes over the pages of a file together."""


def scan(request: CodeReaderRequest, extra_seconds: float = EXTRA_SECONDS) -> dict[str, Any]:
    """Return the response fields of a file; `extra_seconds` are those for an image or a page beyond its first pass.

    Raises:
        InvalidInput: The file is neither a readable image nor a readable PDF, or it is too large.
    """
    content = file_of(request.file)
    scan_content = _scan_pdf if inputs.is_pdf(content) else _scan_image
    codes, meta = scan_content(content, request, extra_seconds)
    codes.sort(key=lambda code: (code["page"] or 0, code["box"]["y"], code["box"]["x"]))
    kept = codes[: request.max_codes]
    meta |= {"effort": "normal", "formats": list(request.formats or ["AllReadable"])}
    return {"codes": kept, "count": len(kept), "truncated": len(codes) > len(kept), "meta": meta}


def _scan_image(content: bytes, request: CodeReaderRequest, extra_seconds: float) -> tuple[Codes, dict[str, Any]]:
    header = inputs.read_header(content)
    count = structure.page_count(content) if header.format == "tiff" else 1

    def read(number: int, seconds: float) -> PageResult:
        image = inputs.decode(header) if count == 1 else inputs.decode_tiff_page(content, number)
        allowed = 0.0 if count > 1 and _is_blank(image) else seconds  # blank pages are common in scans
        candidates, passes = Scanner(image, tuple(request.formats or ()), extra_seconds=allowed).scan()
        codes = _fields(image, candidates, request, page=number if count > 1 else None)
        return codes, passes, image.size

    numbers = inputs.select_pages(request.pages, count, "TIFF") if count > 1 else [1]
    codes, meta = _scan_pages("image", numbers, read, extra_seconds)
    if count > 1:
        return codes, meta
    meta |= {"pages_read": None, "warnings": [each for each in header.warnings if each["code"] != "first_page_only"]}
    if header.animated:
        message = f"file: is an animation of {header.frames} frames; only the first is read."
        meta["warnings"].append({"code": "first_frame_only", "message": message})
    return codes, meta


def _scan_pdf(content: bytes, request: CodeReaderRequest, extra_seconds: float) -> tuple[Codes, dict[str, Any]]:
    with inputs.open_pdf(content) as document:
        numbers = inputs.select_pages(request.pages, document.page_count, "PDF")
        for number in numbers:
            inputs.check_size(document[number - 1], request.scale)
        return _scan_pages(
            "pdf", numbers, lambda number, seconds: _scan_page(document[number - 1], request, seconds), extra_seconds
        )


def _scan_pages(
    kind: str, numbers: list[int], read: Callable[[int, float], PageResult], extra_seconds: float
) -> tuple[Codes, dict[str, Any]]:
    """Return the codes of all pages and the facts about them; damaged pages are skipped with a warning."""
    codes: Codes = []
    warnings: list[ResultWarning] = []
    passes, size = 0, (0, 0)
    deadline = time.thread_time() + MAX_PAGES_SECONDS
    for index, number in enumerate(numbers):
        share = max(0.0, deadline - time.thread_time()) / (len(numbers) - index)
        try:
            found, page_passes, page_size = read(number, min(extra_seconds, share))
        except InvalidInput as error:
            if len(numbers) == 1:
                raise
            message = error.message.replace("file:", f"file: page {number}", 1)
            warnings.append({"code": "page_not_read", "message": message})
            continue
        codes += found
        passes += page_passes
        size = size if any(size) else page_size
    sizes = {"width": size[0], "height": size[1]}
    return codes, {"kind": kind, **sizes, "pages_read": numbers, "passes": passes, "warnings": warnings}


def _scan_page(page: Any, request: CodeReaderRequest, extra_seconds: float) -> PageResult:
    """Read a page of a PDF at the requested scale, and if no code is found again at `FINE_SCALE`."""
    formats, number, scale = tuple(request.formats or ()), page.number + 1, request.scale
    size = (round(page.rect.width * scale), round(page.rect.height * scale))
    can_refine = extra_seconds > 0 and scale < FINE_SCALE and inputs.pixels(page, FINE_SCALE) <= MAX_PIXELS
    image = inputs.render(page, scale)
    candidates, passes = Scanner(image, formats, extra_seconds=0 if can_refine else extra_seconds).scan()
    if candidates or not can_refine or _is_blank(image):
        return _fields(image, candidates, request, page=number), passes, size
    image = inputs.render(page, FINE_SCALE)
    candidates, further_passes = Scanner(image, formats, extra_seconds=extra_seconds).scan()
    codes = _fields(image, candidates, request, page=number, scale=scale / FINE_SCALE)
    return codes, passes + 1 + further_passes, size


def _is_blank(image: Image.Image) -> bool:
    low, high = image.convert("L").getextrema()
    return bool(low == high)


def _fields(
    image: Image.Image, candidates: list[Candidate], request: CodeReaderRequest, *, page: int | None, scale: float = 1.0
) -> list[dict[str, Any]]:
    """Return the response fields of codes; `scale` is the factor from the image to the page at the requested scale."""
    with_add_on = [each.detection for each in candidates if each.detection.format in decoder.WITH_ADD_ON]
    found = decoder.find_add_ons(image) if with_add_on else []
    codes = []
    for candidate in candidates:
        detection = candidate.detection
        add_on = _add_on(image, detection, found) if detection in with_add_on else None
        candidate.detection = detection.mapped(lambda point: (point[0] * scale, point[1] * scale))
        codes.append(fields_of(candidate, tuple(request.formats or ()), page=page, add_on=add_on))
    return codes


def _add_on(image: Image.Image, detection: Detection, found: list[Detection]) -> str | None:
    """Return the digits beside a retail code: among those found in the image, or in its surroundings turned upright.

    A line that leaves the bars of a tilted add-on reads two of five digits, so two digits need a quiet zone.
    """
    modules = 51 if detection.format == "UPCE" else 95
    region = Region.around(detection.along_bars)
    margin = ADD_ON_REACH_MODULES / modules
    upright = UprightRegion(image.convert("L"), region, margin=margin, inset=ADD_ON_INSET)
    views = (upright.area(scale).image for scale in (1.0, 1.5))
    beside = (decoder.find_add_ons(change(view)) for view in views for change in (unchanged, ImageOps.invert))
    seen: list[str] = []
    for number, each in enumerate(chain([found], beside)):
        digits = decoder.add_on_of(detection, each)
        if digits and (
            len(digits) > 2 or (digits in seen and _ends_after_two_digits(upright.area(1.0).image, modules))
        ):
            return digits
        seen += [digits] if digits else []
        if number == 2 and not seen:
            break  # The enlarged view only confirms what was seen.
    return None


def _ends_after_two_digits(view: Image.Image, modules: int) -> bool:
    """Return whether there is a quiet zone where a third digit would be, in the surroundings of a code."""
    pixels = np.asarray(view, np.float32)
    module = view.width / (modules + 2 * ADD_ON_REACH_MODULES)
    start, end = round(ADD_ON_REACH_MODULES * module), round((ADD_ON_REACH_MODULES + modules) * module)
    outside = round(view.height * ADD_ON_INSET / (2 * ADD_ON_INSET - 1))
    pixels = pixels[outside : view.height - outside]
    low, high = np.percentile(pixels[:, start:end], (5, 95))
    gap = np.median(pixels[:, end + round(module) : end + round(5 * module)])
    first, last = (end + round(place * module) for place in THIRD_DIGIT_MODULES)
    bars = (np.abs(pixels[:, first:last] - gap) > 0.4 * (high - low)).mean(axis=0) > 0.1
    longest = max(map(len, "".join("#" if is_bar else " " for is_bar in bars).split("#")))
    return longest >= MIN_QUIET_MODULES * module
