"""A whole file read: what a worker is asked to do."""

import time
from typing import Any

from PIL import Image

from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.tools.images.code_reader import documents, look, pictures, symbols
from mediakit.tools.images.code_reader.ballot import Candidate
from mediakit.tools.images.code_reader.ladder import PATIENCE, Ladder
from mediakit.tools.images.code_reader.sighting import Point
from mediakit.tools.images.code_reader.wish import Wish

FINE = 4.0
"""Scale at which a page is drawn once more when nothing was found: small print needs 288 pixels an inch."""

LONGEST = 6.0
"""Seconds of processor time for all looks at a PDF beyond the first at each page, from the first page on."""


def read(content: bytes, wish: Wish, patience: float = PATIENCE) -> dict[str, Any]:
    """Read the codes of a picture or a PDF.

    Args:
        content: The file.
        wish: What to read in it.
        patience: Seconds of processor time for a picture or a page beyond its first look.

    Returns:
        The fields of the answer: `codes`, `count`, `truncated` and `meta`.

    Raises:
        InvalidInput: It is neither a picture nor a PDF that can be read, or too large.
    """
    if documents.is_pdf(content):
        codes, meta = _read_pdf(content, wish, patience)
    else:
        codes, meta = _read_picture(content, wish, patience)
    codes.sort(key=symbols.reading_order)
    kept = codes[: wish.max_codes]
    meta |= {"effort": "normal", "formats": list(wish.formats) or ["AllReadable"]}
    return {"codes": kept, "count": len(kept), "truncated": len(codes) > len(kept), "meta": meta}


def _read_picture(content: bytes, wish: Wish, patience: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    image = pictures.opened(content)
    reading = Ladder(image, wish.formats, patience=patience).climb()
    codes = _described(image, reading.found, wish, page=None)
    size = {"width": image.width, "height": image.height}
    return codes, {"kind": "image", **size, "pages_read": None, "passes": reading.looks}


def _read_pdf(content: bytes, wish: Wish, most: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    codes: list[dict[str, Any]] = []
    passes = 0
    with documents.opened(content) as document:
        numbers = document.chosen(wish.pages)
        for number in numbers:
            document.check(number, wish.scale)
        until = time.thread_time() + LONGEST
        for place, number in enumerate(numbers):
            patience = min(most, max(0.0, until - time.thread_time()) / (len(numbers) - place))
            found, looks = _read_page(document, number, wish, patience)
            codes += found
            passes += looks
        first = document.size(numbers[0], wish.scale)
    return codes, {"kind": "pdf", "width": first[0], "height": first[1], "pages_read": numbers, "passes": passes}


def _read_page(
    document: documents.Document, number: int, wish: Wish, patience: float
) -> tuple[list[dict[str, Any]], int]:
    """Read a page at the scale that was asked for, and where nothing is found once more, finely drawn."""
    fine = patience > 0 and wish.scale < FINE and document.pixels(number, FINE) <= MAX_PIXELS
    image = document.drawn(number, wish.scale)
    reading = Ladder(image, wish.formats, patience=0 if fine else patience).climb()
    if reading.found or not fine or not _has_ink(image):
        return _described(image, reading.found, wish, page=number), reading.looks
    image = document.drawn(number, FINE)
    again = Ladder(image, wish.formats, patience=patience).climb()
    found = [_scaled(candidate, wish.scale / FINE) for candidate in again.found]
    return _described(None, found, wish, page=number), reading.looks + 1 + again.looks


def _has_ink(image: Image.Image) -> bool:
    low, high = image.getextrema()
    return bool(low != high)


def _scaled(candidate: Candidate, scale: float) -> Candidate:
    def back(point: Point) -> Point:
        return point[0] * scale, point[1] * scale

    return Candidate(candidate.sighting.moved(back), candidate.votes, candidate.passes)


def _described(
    image: Image.Image | None, found: list[Candidate], wish: Wish, *, page: int | None
) -> list[dict[str, Any]]:
    books = [each for each in found if each.sighting.format in ("EAN13", "UPCA", "ISBN")]
    beside = look.add_on(image) if books and image else []
    codes = []
    for candidate in found:
        mine = [each for each in beside if each.text.startswith(f"{candidate.sighting.text} ")]
        digits = mine[0].text.partition(" ")[2] if mine else None
        codes.append(symbols.described(candidate, wish.formats, page=page, add_on=digits))
    return codes
