"""The sizes of the pages, with the names of paper sizes."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from mediakit.engines.pdf.geometry import seen_size
from mediakit.engines.pdf.source import Source

MM_PER_POINT = 25.4 / 72

TOLERANCE_MM = 1.5
"""Distance up to which a page has a paper size; writers round to points and to millimeters."""

PAPER_SIZES_MM: Mapping[str, tuple[float, float]] = {
    "A4": (210, 297), "Letter": (215.9, 279.4), "Legal": (215.9, 355.6), "Tabloid": (279.4, 431.8),
    "A0": (841, 1189), "A1": (594, 841), "A2": (420, 594), "A3": (297, 420), "A5": (148, 210), "A6": (105, 148),
    "A7": (74, 105), "A8": (52, 74), "A9": (37, 52), "A10": (26, 37),
    "B0": (1000, 1414), "B1": (707, 1000), "B2": (500, 707), "B3": (353, 500), "B4": (250, 353), "B5": (176, 250),
    "B6": (125, 176), "JIS B4": (257, 364), "JIS B5": (182, 257), "C4": (229, 324), "C5": (162, 229), "C6": (114, 162),
    "DL": (110, 220), "Executive": (184.2, 266.7), "Half Letter": (139.7, 215.9), "Government Letter": (203.2, 266.7),
    "ANSI C": (431.8, 558.8), "ANSI D": (558.8, 863.6), "ANSI E": (863.6, 1117.6), "Arch A": (228.6, 304.8),
    "Arch B": (304.8, 457.2), "Arch C": (457.2, 609.6), "Arch D": (609.6, 914.4), "Arch E": (914.4, 1219.2),
    "Slide 4:3": (190.5, 254), "Slide 16:9": (190.5, 338.67),
}  # fmt: skip
"""Width and height in portrait orientation (ISO 216, ISO 269, JIS P 0138, ANSI/ASME Y14.1); slides of PowerPoint."""


def read_page_sizes(source: Source) -> list[dict[str, Any]]:
    """Return each size of a page as it is seen, with the number of its pages, in the order of their first page."""
    sizes: Counter[tuple[float, float, int]] = Counter()
    for page in source.pdf.pages:
        width, height = (round(side * MM_PER_POINT, 1) for side in seen_size(page))
        sizes[width, height, page.rotation % 360] += 1
    return [
        {"width": width, "height": height, "rotate": rotate, "count": count, "name": paper_name(width, height)}
        for (width, height, rotate), count in sizes.items()
    ]


def paper_name(width: float, height: float) -> str | None:
    """Return the name of a paper size in either orientation, such as `A4`; None if there is none."""
    short, long = sorted((width, height))
    for name, (across, up) in PAPER_SIZES_MM.items():
        if abs(short - across) <= TOLERANCE_MM and abs(long - up) <= TOLERANCE_MM:
            return name
    return None
