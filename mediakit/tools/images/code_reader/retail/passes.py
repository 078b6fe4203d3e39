"""Passes over the lines of a region: each tries to read an EAN-13 or UPC-A by its most likely digits."""

from collections.abc import Iterator

from mediakit.tools.images.code_reader.bar_profiles import UprightRegion
from mediakit.tools.images.code_reader.detection import Detection, Quad
from mediakit.tools.images.code_reader.retail.reading import Reading, read_line
from mediakit.tools.images.code_reader.retail.search import count_edges
from mediakit.tools.images.code_reader.retail.symbol_model import MODULES

MIN_MODULE_PIXELS = 0.8
"""Minimum width of a module in pixels of the image."""

MARGIN = 0.3
"""Margin on both sides relative to the length of a region; the search for regions misses the ends of blurred codes."""

MIN_EDGES, MAX_EDGES = 12, 85
"""Limits for the edges of a region. A symbol has 60; blur merges bars, and a region may contain half of it, or text."""

FIRST_LINES = (0, 1, 2)
"""Lines that are read first: all rows of a region, and its halves."""

FURTHER_LINES = (4, 5)
"""The two inner quarters of a region."""

OTHER_LINES = {0: (1, 2), 1: (2, 5), 2: (1, 4), 4: (5, 3), 5: (4, 6)}
"""Lines through other rows, or part of the rows, that confirm a reading."""


def may_be_retail(upright: UprightRegion) -> bool:
    """Return whether a region is long enough for an EAN-13, and has a plausible number of edges."""
    if upright.length < MIN_MODULE_PIXELS * MODULES / 1.6:
        return False
    edges = count_edges(upright.lines[0], upright.span)
    return MIN_EDGES <= edges <= MAX_EDGES


def read(upright: UprightRegion, index: int) -> Iterator[tuple[Detection, str]]:
    """Yield the number of a line, and again for each line that confirms it, with the name of the line."""
    reading = read_line(upright.lines[index], upright.span, MIN_MODULE_PIXELS * upright.magnification)
    if reading is None or not reading.reliable:
        return
    detection = _detection(reading, upright)
    yield detection, f"digits {index}"
    for other in OTHER_LINES[index]:
        if reading.repeated_on(upright.lines[other]):
            yield detection, f"digits {other}"


def _detection(reading: Reading, upright: UprightRegion) -> Detection:
    first, last = reading.ends(upright.width)
    top, bottom = (1.0, 0.0) if reading.upside_down else (0.0, 1.0)
    quad: Quad = ((first, top), (last, top), (last, bottom), (first, bottom))
    return Detection("EAN13", reading.text, reading.text.encode(), upright.back(quad), "text", "]E0", "")
