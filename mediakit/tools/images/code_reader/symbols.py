"""A code as it is answered: its symbology's own text, its number for trade, its place."""

import base64
import math
from typing import Any

from mediakit.tools.images.code_reader import gs1
from mediakit.tools.images.code_reader.ballot import ENOUGH, Candidate
from mediakit.tools.images.code_reader.payloads import parsed
from mediakit.tools.images.code_reader.sighting import Quad, Sighting

PLAIN_NAMES = {"QRCodeModel2": "QRCode", "AztecCode": "Aztec", "ISBN": "EAN13"}

CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")

SURE = 2 * ENOUGH
"""Votes that make a retried reading sure."""

UNSPENT = 0.2
"""Share of error correction left with which a reading is sure."""


def described(
    candidate: Candidate, formats: tuple[str, ...], *, page: int | None, add_on: str | None
) -> dict[str, Any]:
    """Give a code's fields."""
    sighting = candidate.sighting
    name, text = _named(sighting, formats)
    elements = gs1.elements(sighting.text) if sighting.content_type == "gs1" else None
    return {
        "format": name,
        "text": text,
        "bytes_base64": base64.b64encode(sighting.content).decode(),
        "content_type": sighting.content_type,
        "symbology_identifier": sighting.symbology_identifier,
        "page": page,
        "position": {corner: [round(x), round(y)] for corner, (x, y) in zip(CORNERS, sighting.quad, strict=True)},
        "box": _box(sighting.quad),
        "orientation": _orientation(sighting.quad),
        "ec_level": sighting.ec_level or None,
        "version": str(sighting.extra["Version"]) if "Version" in sighting.extra else None,
        "gtin": _gtin(name, sighting, elements),
        "add_on": add_on,
        "gs1": elements,
        "parsed": parsed(text),
        "confidence": "high" if _sure(candidate) else "medium",
    }


def reading_order(code: dict[str, Any]) -> tuple[int, int, int]:
    """Order codes by page, then from top to bottom and left to right."""
    return code["page"] or 0, code["box"]["y"], code["box"]["x"]


def _named(sighting: Sighting, formats: tuple[str, ...]) -> tuple[str, str]:
    """Name the symbology as what was asked for does, with the digits that are printed below it."""
    name, text = PLAIN_NAMES.get(sighting.format, sighting.format), sighting.text
    if name == "EAN13" and len(text) == 13 and text.startswith("0") and ("EAN13" not in formats or "UPCA" in formats):
        return "UPCA", text[1:]
    if name == "UPCA":
        return name, text[-12:]
    if name == "UPCE":
        return name, str(sighting.extra.get("UPCE", text))
    if name == "ITF" and len(text) == 14 and check_digit(text[:-1]) == text[-1]:
        return "ITF14", text
    return name, text


def check_digit(digits: str) -> str:
    """Compute the last digit of a GTIN (GS1 General Specifications, 7.9.1)."""
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def _gtin(name: str, sighting: Sighting, elements: list[dict[str, str | None]] | None) -> str | None:
    if name in ("EAN13", "EAN8", "UPCA", "UPCE", "ITF14"):
        return sighting.text.zfill(14)
    return next((element["value"] for element in elements or [] if element["ai"] == "01"), None)


def _box(quad: Quad) -> dict[str, int]:
    left, right = min(x for x, _ in quad), max(x for x, _ in quad)
    top, bottom = min(y for _, y in quad), max(y for _, y in quad)
    x, y = math.floor(left), math.floor(top)
    return {"x": x, "y": y, "width": math.ceil(right) - x, "height": math.ceil(bottom) - y}


def _orientation(quad: Quad) -> int:
    """Give the degrees by which the code is turned clockwise, from -179 to 180."""
    (x, y), (to_x, to_y) = quad[0], quad[1]
    degrees = round(math.degrees(math.atan2(to_y - y, to_x - x)))
    return 180 if degrees == -180 else degrees


def _sure(candidate: Candidate) -> bool:
    sighting = candidate.sighting
    if not sighting.linear:
        return sighting.spare_correction is None or sighting.spare_correction > UNSPENT
    return candidate.votes >= SURE or ("plain" in candidate.passes and candidate.votes >= ENOUGH)
