"""Numbers and points in the syntax of SVG."""

from hypothesis import given
from hypothesis import strategies as st

from mediakit.engines.drawing.drawing import svg_point, svg_points

COORDINATES = st.floats(-5000, 5000) | st.integers(-50_000, 50_000).map(lambda tenths: tenths / 10) | st.just(-0.001)


@given(st.lists(st.tuples(COORDINATES, COORDINATES)))
def test_points_are_written_like_single_points(points: list[tuple[float, float]]) -> None:
    assert svg_points(points, "L") == "L".join(svg_point(x, y) for x, y in points)


def test_points_are_rounded_without_trailing_zeros() -> None:
    assert svg_points([(10, 0.5), (-0.004, 100.006), (0.1, -3.10)], "L") == "10 0.5L0 100.01L0.1 -3.1"
