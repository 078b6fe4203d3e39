"""Sizes and offsets of all fits and positions."""

import pytest

from mediakit.core.fields import Position as FixedPosition
from mediakit.engines.raster.geometry import (
    Fit,
    Plan,
    Position,
    Size,
    crop_offset,
    letterbox_offset,
    plan,
)


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (300, None, (300, 200)),
        (None, 300, (450, 300)),
        (None, None, (1200, 800)),
        (7, None, (7, 5)),
        (5000, None, (5000, 3333)),
    ],
)
def test_plan_keeps_aspect_ratio_when_one_side_is_given(
    width: int | None, height: int | None, expected: tuple[int, int]
) -> None:
    assert plan(Size(1200, 800), width, height, "fill").output == expected


@pytest.mark.parametrize(
    ("fit", "scaled", "output"),
    [
        ("cover", (450, 300), (200, 300)),
        ("contain", (200, 133), (200, 300)),
        ("fill", (200, 300), (200, 300)),
        ("inside", (200, 133), (200, 133)),
        ("outside", (450, 300), (450, 300)),
    ],
)
def test_plan_of_a_wide_image_in_a_tall_box(fit: Fit, scaled: tuple[int, int], output: tuple[int, int]) -> None:
    assert plan(Size(1200, 800), 200, 300, fit) == Plan(Size(*scaled), Size(*output))


def test_plan_rounds_half_up() -> None:
    assert plan(Size(10, 5), 5, None, "cover").output == (5, 3)


@pytest.mark.parametrize(
    ("source", "width", "height", "expected"),
    [
        ((400, 300), None, 30, (40, 30)),
        ((1000, 750), 100, None, (100, 75)),
        ((2000, 1500), 387, 154, (205, 154)),
        ((3000, 2000), None, 1, (2, 1)),
        ((8000, 3), 1000, None, (1000, 1)),
    ],
)
def test_plan_keeps_exact_aspect_ratio(
    source: tuple[int, int], width: int | None, height: int | None, expected: tuple[int, int]
) -> None:
    assert plan(Size(*source), width, height, "inside").output == expected


def test_plan_keeps_at_least_one_pixel_per_side() -> None:
    assert plan(Size(8000, 2), 10, 10, "inside").output == (10, 1)


@pytest.mark.parametrize(
    ("position", "crop", "letterbox"),
    [
        ("center", (8, 13), (7, 12)),
        ("top", (8, 0), (7, 0)),
        ("right top", (15, 0), (15, 0)),
        ("right", (15, 13), (15, 12)),
        ("right bottom", (15, 25), (15, 25)),
        ("bottom", (8, 25), (7, 25)),
        ("left bottom", (0, 25), (0, 25)),
        ("left", (0, 13), (0, 12)),
        ("left top", (0, 0), (0, 0)),
    ],
)
def test_position_sets_offset_of_crop_and_letterbox(
    position: FixedPosition, crop: tuple[int, int], letterbox: tuple[int, int]
) -> None:
    small, large = Size(85, 75), Size(100, 100)
    assert crop_offset(Plan(scaled=large, output=small), position) == crop
    assert letterbox_offset(Plan(scaled=small, output=large), position) == letterbox


@pytest.mark.parametrize("strategy", ["entropy", "attention"])
def test_strategies_center_the_letterboxed_image(strategy: Position) -> None:
    assert letterbox_offset(Plan(scaled=Size(10, 10), output=Size(30, 20)), strategy) == (10, 5)
