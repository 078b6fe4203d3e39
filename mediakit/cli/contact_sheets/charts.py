"""The contact sheet of charts: every type with all sample data sets, at many sizes."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from mediakit.cli.contact_sheets.contact_sheet import ContactSheet, Figure, Section
from mediakit.samples.chart_data import (
    AXIS_DATA_SETS,
    AXIS_TYPES,
    DATA_SETS,
    LARGEST_DATA_SET,
    TYPES,
    VARIANTS,
)
from mediakit.tools.images.chart import chart

SIZES = ((200, 200), (320, 240), (400, 300), (200, 600), (1000, 200), (600, 800), (1200, 630), (2000, 1400))


def _sections() -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """Yield the title of each section, and its calls by caption."""
    for kind in TYPES:
        yield kind, {name: {**data, "type": kind} for name, data in DATA_SETS.items()}
    for kind in AXIS_TYPES:
        yield kind, {name: {**data, "type": kind} for name, data in AXIS_DATA_SETS.items()}
    yield "Options", VARIANTS
    for kind in TYPES:
        yield (
            f"{kind} at every size",
            {
                f"{name}, {width} × {height}": {**DATA_SETS[name], "type": kind, "width": width, "height": height}
                for width, height in SIZES
                for name in ("three series", LARGEST_DATA_SET)
            },
        )


CONTACT_SHEET = ContactSheet(
    name="charts",
    title="Charts",
    description="Every type with all sample data sets, at many sizes.",
    sections=tuple(
        Section(title, tuple(Figure(caption, partial(chart, **call)) for caption, call in calls.items()))
        for title, calls in _sections()
    ),
)
