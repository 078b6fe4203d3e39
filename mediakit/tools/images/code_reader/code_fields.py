"""Response fields of a code."""

import base64
import math
from typing import Any

from mediakit.engines import gs1
from mediakit.tools.images.code_reader.detection import Detection, Quad
from mediakit.tools.images.code_reader.payload_parser import parse_payload
from mediakit.tools.images.code_reader.voting import REQUIRED_VOTES, UNCHANGED_VIEW, Candidate

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
    name, text = _name_and_text(detection, formats)
    elements = gs1.read_elements(detection.text) if detection.content_type == "gs1" else None
    return {
        "format": name,
        "text": text,
        "bytes_base64": base64.b64encode(detection.content).decode(),
        "content_type": detection.content_type,
        "symbology_identifier": detection.symbology_identifier,
        "page": page,
        "position": {corner: [round(x), round(y)] for corner, (x, y) in zip(CORNERS, detection.quad, strict=True)},
        "box": _box(detection.quad),
        "orientation": _orientation(detection.quad),
        "ec_level": detection.ec_level or None,
        "version": str(detection.extra["Version"]) if "Version" in detection.extra else None,
        "gtin": _gtin(name, detection, elements),
        "add_on": add_on,
        "gs1": elements and [{"ai": each.identifier, "title": each.title, "value": each.value} for each in elements],
        "parsed": parse_payload(text),
        "confidence": "high" if _is_certain(candidate) else "medium",
    }


def reading_order(code: dict[str, Any]) -> tuple[int, int, int]:
    """Return the sort key of a code: page, top to bottom, left to right."""
    return code["page"] or 0, code["box"]["y"], code["box"]["x"]


def _name_and_text(detection: Detection, formats: tuple[str, ...]) -> tuple[str, str]:
    """Return the common name of the symbology, by the requested formats, and the text as printed below the code."""
    from biip.checksums import gs1_standard_check_digit

    name, text = COMMON_NAMES.get(detection.format, detection.format), detection.text
    if name == "EAN13" and len(text) == 13 and text.startswith("0") and ("EAN13" not in formats or "UPCA" in formats):
        return "UPCA", text[1:]
    if name == "UPCA":
        return name, text[-12:]
    if name == "UPCE":
        return name, str(detection.extra.get("UPCE", text))
    if name == "ITF" and len(text) == 14 and str(gs1_standard_check_digit(text[:-1])) == text[-1]:
        return "ITF14", text
    return name, text


def _gtin(name: str, detection: Detection, elements: list[gs1.Element] | None) -> str | None:
    if name in ("EAN13", "EAN8", "UPCA", "UPCE", "ITF14"):
        return detection.text.zfill(14)
    return next((each.value for each in elements or [] if each.identifier == "01"), None)


def _box(quad: Quad) -> dict[str, int]:
    left, right = min(x for x, _ in quad), max(x for x, _ in quad)
    top, bottom = min(y for _, y in quad), max(y for _, y in quad)
    x, y = math.floor(left), math.floor(top)
    return {"x": x, "y": y, "width": math.ceil(right) - x, "height": math.ceil(bottom) - y}


def _orientation(quad: Quad) -> int:
    """Return the clockwise rotation of the code in degrees, -179 to 180."""
    (x, y), (to_x, to_y) = quad[0], quad[1]
    degrees = round(math.degrees(math.atan2(to_y - y, to_x - x)))
    return 180 if degrees == -180 else degrees


def _is_certain(candidate: Candidate) -> bool:
    detection = candidate.detection
    if not detection.linear:
        return detection.spare_correction is None or detection.spare_correction > MIN_SPARE_CORRECTION
    required = REQUIRED_VOTES if UNCHANGED_VIEW in candidate.passes else HIGH_CONFIDENCE_VOTES
    return candidate.votes >= required
