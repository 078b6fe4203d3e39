"""Charts of every type, shape of data and size: no text leaves the picture, none covers another."""

import re
from itertools import product
from typing import Any

import pytest

from mediakit.cli.sheets.charts import SHAPES, TYPES, VARIANTS
from mediakit.tools.images.chart import chart
from tests.support.chart_geometry import outside, overlaps, placed

SIZES = ((200, 200), (320, 240), (800, 500), (200, 2000), (2000, 200), (2000, 2000))
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"values": True, "number_format": "$,.2f"}, {"legend": "right"})


def check(call: dict[str, Any]) -> None:
    lines = placed(chart(**{**call, "format": "svg"}).content)
    assert not list(overlaps(lines))
    assert not list(outside(lines, call["width"], call["height"]))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", TYPES)
def test_texts_stay_inside_and_apart(kind: str, shape: str) -> None:
    for (width, height), options in product(SIZES, OPTIONS):
        check({**SHAPES[shape], "type": kind, "width": width, "height": height, **options})


@pytest.mark.parametrize("variant", VARIANTS)
def test_texts_stay_inside_and_apart_with_options(variant: str) -> None:
    for width, height in SIZES:
        check({**VARIANTS[variant], "width": width, "height": height})


@pytest.mark.parametrize("kind", ["bar", "line"])
def test_the_plot_keeps_its_share_of_the_most_crowded_picture(kind: str) -> None:
    lines = placed(chart(**{**SHAPES["the most"], "type": kind, "format": "svg"}).content)
    ticks = [line.corners[0][1] for line in lines if re.fullmatch(r"−?\d+", line.content)]
    assert max(ticks) - min(ticks) > 500 * 0.25
