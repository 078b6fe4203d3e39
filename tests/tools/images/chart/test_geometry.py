"""Charts of every type, data set and size: no text leaves the image or overlaps another."""

import re
from itertools import product
from typing import Any

import pytest

from mediakit.tools.images.chart import chart
from tests.support.chart_data import DATA_SETS, LARGEST_DATA_SET, TYPES, VARIANTS
from tests.support.chart_geometry import outside, overlaps, placed

SIZES = ((200, 200), (320, 240), (800, 500), (200, 2000), (2000, 200), (2000, 2000))
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"values": True, "number_format": "$,.2f"}, {"legend": "right"})


def check_geometry(call: dict[str, Any]) -> None:
    lines = placed(chart(**{**call, "format": "svg"}).content)
    assert not list(overlaps(lines))
    assert not list(outside(lines, call["width"], call["height"]))


@pytest.mark.parametrize("data_set", DATA_SETS)
@pytest.mark.parametrize("kind", TYPES)
def test_texts_do_not_overlap_or_leave_the_image(kind: str, data_set: str) -> None:
    for (width, height), options in product(SIZES, OPTIONS):
        check_geometry({**DATA_SETS[data_set], "type": kind, "width": width, "height": height, **options})


@pytest.mark.parametrize("variant", VARIANTS)
def test_texts_with_options_do_not_overlap_or_leave_the_image(variant: str) -> None:
    for width, height in SIZES:
        check_geometry({**VARIANTS[variant], "width": width, "height": height})


@pytest.mark.parametrize("kind", ["bar", "line"])
def test_plot_of_the_largest_data_set_keeps_a_quarter_of_the_height(kind: str) -> None:
    lines = placed(chart(**{**DATA_SETS[LARGEST_DATA_SET], "type": kind, "format": "svg"}).content)
    ticks = [line.corners[0][1] for line in lines if re.fullmatch(r"−?\d+", line.content)]
    assert max(ticks) - min(ticks) > 500 * 0.25
