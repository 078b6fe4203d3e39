"""The rasterizer of PNG charts draws what the SVG of the same drawing shows."""

import io
from collections.abc import Callable

import numpy as np
import pytest
import vl_convert
from PIL import Image

from mediakit.engines.drawing.drawing import Box, Corners, Drawing, polyline_path
from mediakit.engines.drawing.rasterizer import path_operators, rasterize
from mediakit.engines.drawing.svg import outlined_text
from mediakit.engines.drawing.text import Text

SIZE = (160, 120)
OVERSAMPLING = 8
BLUE, GREEN, RED, WHITE = "#3e5afa", "#37a773", "#77252c", "#ffffff"


def rectangles() -> Drawing:
    drawing = Drawing()
    drawing.fill_rectangle(Box(10.3, 10.4, 60.5, 50.7), BLUE, 0, Corners.NONE)
    drawing.fill_rectangle(Box(70.2, 10.6, 120.4, 50.5), GREEN, 8, Corners.TOP)
    drawing.fill_rectangle(Box(70.2, 60.6, 120.4, 110.5), RED, 60, Corners.ALL)
    return drawing


def lines() -> Drawing:
    drawing = Drawing()
    drawing.stroke_lines(["M10 10.5L150 10.5", "M10 20L150 50"], BLUE, 1)
    drawing.stroke_path("M10 60L60 110L80 62.5L110 108", GREEN, 5)
    drawing.stroke_dashes("M10 55.5H150", RED, 2, (6, 4))
    return drawing


def dots() -> Drawing:
    drawing = Drawing()
    drawing.fill_dots([(20, 20), (40.5, 30.25)], 6, BLUE, WHITE)
    drawing.fill_circle(70, 30, 12.5, RED)
    return drawing


def slices() -> Drawing:
    drawing = Drawing()
    drawing.fill_path("M80 60L80 10A50 50 0 0 1 130 60z", BLUE)
    drawing.fill_path("M80 60L130 60A50 50 0 1 1 80 10z", GREEN, 0.4)
    drawing.fill_path("M80 35A25 25 0 0 0 55 60L80 60z", RED)
    return drawing


def texts() -> Drawing:
    drawing = Drawing()
    drawing.fill_rectangle(Box(0, 40, 160, 80), BLUE, 0, Corners.NONE)
    drawing.add_text(Text(10, 25, "Will Ålesund 147", 15, RED, 400))
    drawing.add_text(Text(150, 65, "1,117", 14, RED, 600, "end", halo=WHITE, tabular=True))
    drawing.add_text(Text(40, 115, "rotated", 12, GREEN, 600, "middle", rotation=-40))
    return drawing


def translucent_dots() -> Drawing:
    drawing = Drawing()
    for number, diameter in enumerate((1.6, 4.2, 7.7, 16)):
        points = [(20.3 + 24 * number, 20.4), (22.3 + 24 * number, 60.7), (30.1 + 24 * number, 100.2)]
        drawing.stroke_points(points, diameter, (BLUE, GREEN)[number % 2], 0.55)
    return drawing


def polygons() -> Drawing:
    drawing = Drawing()
    drawing.fill_path("M10 10L150 20.5L80 110zM100 30L120 60L90 70z", BLUE, 0.18)
    drawing.stroke_path("M20 100L80 15L140 100z", RED, 2.4)
    drawing.stroke_lines(["M15 60L150 60", "M10 10L10 110L150 110"], GREEN, 1)
    return drawing


def oversampled(drawing: Drawing) -> Image.Image:
    """Return the drawing as another renderer draws it eight times as large, reduced by averaging."""
    elements = [*(shape.element for shape in drawing.shapes), *map(outlined_text, drawing.texts)]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE[0]}" height="{SIZE[1]}">'
        f'<rect width="{SIZE[0]}" height="{SIZE[1]}" fill="{WHITE}"/>{"".join(elements)}</svg>'
    )
    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=OVERSAMPLING))) as image:
        return image.convert("RGB").reduce(OVERSAMPLING)


@pytest.mark.parametrize("draw", [rectangles, lines, dots, translucent_dots, polygons, slices, texts])
def test_pixels_are_those_of_an_oversampled_svg(draw: Callable[[], Drawing]) -> None:
    drawing = draw()
    drawn = np.asarray(rasterize(SIZE, WHITE, drawing.shapes, drawing.texts), np.int16)
    difference = np.abs(drawn - np.asarray(oversampled(drawing), np.int16))
    assert difference.max() < 45
    assert difference.mean() < 0.6


def test_dots_have_the_area_of_circles() -> None:
    for radius in (0.8, 1.7, 3.3, 9.0):
        drawing = Drawing()
        drawing.stroke_points([(40.3, 60.2), (110.4, 60.7)], 2 * radius, "#000000", 0.999)
        coverage = 255 - np.asarray(rasterize(SIZE, WHITE, drawing.shapes, []).convert("L"), np.float64)
        assert coverage.sum() / 255 == pytest.approx(2 * np.pi * radius**2, rel=0.03)


def test_columns_keep_dense_lines_as_dark_as_they_are() -> None:
    drawing = Drawing()
    heights = np.random.default_rng(3).uniform(10, 110, 900)
    drawing.stroke_path(polyline_path([(10 + index * 0.15, y) for index, y in enumerate(heights)]), BLUE, 1.5)
    exact = np.asarray(oversampled(drawing), np.int16)
    differences = [
        np.abs(np.asarray(rasterize(SIZE, WHITE, drawing.shapes, [], columns=columns), np.int16) - exact).mean()
        for columns in (1, 2, 4)
    ]
    assert differences == sorted(differences, reverse=True)
    assert differences[-1] < differences[0] / 3


@pytest.mark.parametrize("path", ["M1 1C2 2 3 3 4 4", "M1 1A5 6 0 0 1 9 9", "M1 1L2"])
def test_paths_that_cannot_be_converted_raise_value_error(path: str) -> None:
    with pytest.raises(ValueError, match="path: "):
        path_operators(path)
