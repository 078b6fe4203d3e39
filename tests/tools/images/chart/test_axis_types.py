"""Timelines, scatter charts, area charts and bars with lines, checked by their SVG elements and pixels."""

import datetime as dt
import math
import re
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.tools.images.chart.theme import THEMES
from tests.support.chart_geometry import has_only_numbers, line_texts, outside, overlaps, parsed, placed

BLUE, ORANGE = THEMES["light"].palette[:2]
DAYS = [(dt.date(2024, 1, 1) + dt.timedelta(days=day)).isoformat() for day in range(5000)]
WAVE = [round(math.sin(day / 30) * 40 + day / 100, 2) for day in range(5000)]
LONG_TEXT = "Offshore wind parks of the northern regions, measured where they meet the grid, month after month!!"
NEW_TYPES = ["timeline", "scatter", "area", "combo"]


def render(kind: str, labels: Any, *data: Any, **options: Any) -> ImageResult:
    series = [{"name": name, "data": list(values)} for name, values in zip("ABCDEFGHIJ", data, strict=False)]
    return mediakit.chart(kind, labels, series, **options)  # type: ignore[arg-type]  # the kind is a plain string here


def svg(kind: str, labels: Any, *data: Any, **options: Any) -> bytes:
    return render(kind, labels, *data, format="svg", **options).content


def paths(content: bytes, color: str, attribute: str = "stroke") -> list[str]:
    """Return the paths of a color; of strokes without the swatches of the legend."""
    found = (each.get("d", "") for each in parsed(content).iter() if each.get(attribute) == color)
    return [path for path in found if path and (attribute == "fill" or "L" in path)]


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)]


def test_distances_on_a_timeline_are_proportional_to_time() -> None:
    (path,) = paths(svg("timeline", ["2025-01-01", "2025-01-02", "2025-01-11"], [1, 2, 3]), BLUE)
    (first, _), (second, _), (third, _) = points(path)
    assert (third - first) / (second - first) == pytest.approx(10, rel=0.01)


def test_labels_of_a_timeline_are_sorted() -> None:
    (path,) = paths(svg("timeline", ["2025-03", "2025-01", "2025-02"], [3, 1, 2]), BLUE)
    xs, ys = zip(*points(path), strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys, reverse=True)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (DAYS[:366], ["Jan", "Feb", "Dec", "2024"]),
        (DAYS, ["2024", "2025", "2037"]),
        (DAYS[:20], ["Jan 1", "2024"]),
        (["2025-03-01T07:00", "2025-03-01T19:00"], ["08:00", "Mar 1, 2025"]),
        (["1960", "1980", "2020"], ["1960", "1980", "2020"]),
        ([0, 500_000, 2_000_000], ["0.0", "1.0M", "2.0M"]),
        (["2025-03-31"], ["Mar 31, 2025"]),
        ([0.001, 0.002], ["0.0010", "0.0020"]),
    ],
)
def test_ticks_suit_the_range(labels: list[Any], expected: list[str]) -> None:
    texts = line_texts(svg("timeline", labels, WAVE[: len(labels)]))
    assert set(expected) <= set(texts)


@pytest.mark.parametrize("kind", NEW_TYPES)
@pytest.mark.parametrize(("width", "height"), [(200, 200), (320, 200), (800, 500), (2000, 1200)])
def test_texts_stay_inside_and_apart(kind: str, width: int, height: int) -> None:
    labels = DAYS[:48] if kind != "combo" else [f"{number} {LONG_TEXT}"[:100] for number in range(48)]
    lines = [{"value": value, "label": f"{LONG_TEXT} {value}"[:100]} for value in (-3, 0, 10.5, 11, 40)]
    data = [[round(value * factor, 1) for value in WAVE[:48]] for factor in (1, 1.1, -0.7)]
    found = placed(
        svg(kind, labels, *data, values=True, reference_lines=lines, title=LONG_TEXT, width=width, height=height)
    )
    assert list(overlaps(found)) == []
    assert list(outside(found, width, height)) == []


@pytest.mark.parametrize("kind", NEW_TYPES)
def test_one_point_is_drawn(kind: str) -> None:
    for value in (5, 0, -3, 1e300, 1e-300):
        result = render(kind, ["2025-01-01"], [value], values=True)
        assert result.to_pil().size == (800, 500)


@pytest.mark.parametrize("kind", NEW_TYPES)
@pytest.mark.parametrize("values", [[1e300, -1e300, 0], [1e-300, 2e-300, 3e-300], [0, 0, 0], [1e15, 1e15 + 1, 1e15]])
def test_extreme_numbers_are_drawn(kind: str, values: list[float]) -> None:
    labels = [str(value) for value in values] if kind != "combo" else ["a", "b", "c"]
    assert has_only_numbers(svg(kind, labels, values, values=True))


def test_equal_x_values_are_drawn() -> None:
    for labels in (["7", "7"], ["0", "0"], ["2025-01-01", "2025-01-01"], ["0001-01-01", "9999-12-31"]):
        for kind in ("timeline", "scatter", "area"):
            assert has_only_numbers(svg(kind, labels, [1, 2]))


def test_five_thousand_points_of_ten_series_are_drawn() -> None:
    data = [[value + 10 * number for value in WAVE] for number in range(10)]
    result = render("timeline", DAYS, *data)
    assert result.meta["type"] == "timeline"
    assert result.alt.startswith("Timeline. 5000 points, from 2024-01-01 to 2037-09-08. A: lowest")
    assert len(svg("timeline", DAYS, WAVE)) < 200_000


def test_simplified_line_covers_extremes() -> None:
    values = [0.0] * 5000
    values[2345] = 100
    (path,) = paths(svg("timeline", DAYS, values), BLUE)
    (other,) = paths(svg("timeline", DAYS[:3], [0, 100, 0]), BLUE)
    assert min(y for _, y in points(path)) == min(y for _, y in points(other))


def test_too_many_points_are_rejected() -> None:
    with pytest.raises(InvalidInput, match="labels: must have at most 5000 items, got 5001"):
        render("timeline", [*DAYS, "2040-01-01"], [1] * 5001)
    with pytest.raises(InvalidInput, match="labels: must have at most 50 items, got 51"):
        render("combo", DAYS[:51], [1] * 51)
    with pytest.raises(InvalidInput, match="labels: must have at most 50 items, got 51"):
        render("area", [f"Label {number}" for number in range(51)], [1] * 51)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"labels": ["2025-01-01", "soon"]}, 'labels[1]: must be a date or a time like the first label, got "soon".'),
        ({"labels": ["soon", "2025"]}, 'labels[0]: must be a date, a time or a number, got "soon".'),
        ({"labels": ["1", "2025-01-01"]}, 'labels[1]: must be a number like the first label, got "2025-01-01".'),
        ({"labels": ["2025-02-30", "2025-03-01"]}, "labels[0]: must be a date, a time or a number"),
        ({"labels": ["1e999", "2"]}, "labels[0]: must be a date, a time or a number"),
        ({"labels": []}, "labels: must have at least 1 item."),
        ({"labels": [1, 2], "series": [{"data": [1, 2], "x": [1, 2]}]}, "series[0].x: requires type scatter"),
        ({"labels": [1, 2], "series": [{"data": [1, 2], "type": "bar"}]}, "series[0].type: requires type combo"),
        ({"labels": [1, 2, 3]}, "series[0].data: must have a number for each of the 3 labels, got 2."),
    ],
)
def test_invalid_labels_are_rejected(values: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(words)):
        mediakit.chart.validate({"type": "timeline", "series": [{"data": [1, 2]}], **values})


def test_scatter_series_have_their_own_x_values() -> None:
    series = [{"name": "A", "x": [1, 2, 4], "data": [1, 2, 3]}, {"name": "B", "x": [10], "data": [5]}]
    content = mediakit.chart("scatter", series=series, format="svg").content
    dots = max(paths(content, BLUE, "fill"), key=len)  # the other one is the mark in the legend
    first, second, third = (x for x, _ in points(dots))
    assert (third - first) / (second - first) == pytest.approx(3, rel=0.01)
    assert len(paths(content, ORANGE, "fill")) == 2


def test_scatter_needs_labels_or_x_values() -> None:
    with pytest.raises(InvalidInput, match=r"labels: is required\."):
        mediakit.chart("scatter", series=[{"data": [1]}])
    with pytest.raises(InvalidInput, match="must be numbers or dates like the other x values"):
        mediakit.chart("scatter", series=[{"x": [1], "data": [1]}, {"x": ["2025-01-01"], "data": [1]}])
    with pytest.raises(InvalidInput, match="must have a number for each of the 2 x values, got 1"):
        mediakit.chart("scatter", series=[{"x": [1, 2], "data": [1]}])


def test_dense_scatter_chart_is_translucent() -> None:
    sparse, dense = svg("scatter", [1, 2], [1, 2]), svg("scatter", list(range(500)), WAVE[:500])
    assert b"stroke-opacity" not in sparse
    assert b"stroke-opacity" in dense


def test_areas_overlap_or_stack() -> None:
    overlapping, stacked = (svg("area", ["a", "b"], [2, 3], [1, 1], stacked=stacked) for stacked in (False, True))
    assert overlapping.count(b"fill-opacity") == 2
    assert b"fill-opacity" not in stacked
    assert render("area", ["a", "b"], [2, 3], stacked=True).alt.startswith("Stacked area chart.")


def test_last_series_of_a_combo_chart_is_a_line() -> None:
    content = svg("combo", ["a", "b"], [1, 2], [3, 4])
    bars_and_swatch, lines = paths(content, BLUE, "fill"), paths(content, ORANGE)
    assert (len(bars_and_swatch), len(lines)) == (3, 1)


def test_types_of_series_choose_bars_and_lines() -> None:
    series = [{"data": [1, 2], "type": "line"}, {"data": [2, 3], "type": "bar"}]
    content = mediakit.chart("combo", ["a", "b"], series, format="svg").content
    bars_and_swatch, lines = paths(content, ORANGE, "fill"), paths(content, BLUE)
    assert (len(bars_and_swatch), len(lines)) == (3, 1)
    only = mediakit.chart("combo", ["a"], [{"data": [1], "type": "line"}], values=True)
    assert only.alt.startswith("Combo chart.")


@pytest.mark.parametrize("kind", [*NEW_TYPES, "bar", "line"])
def test_reference_line_is_at_its_value_and_labeled(kind: str) -> None:
    line = {"value": 10, "label": "Target", "color": "crimson"}
    content = svg(kind, ["1", "2"], [4, 8], reference_lines=[line])
    (dashes,) = (each for each in parsed(content).iter() if each.get("stroke-dasharray"))
    assert dashes.get("stroke") == "#dc143c"
    assert "Target" in line_texts(content)
    (_, top), (_, same) = points(dashes.get("d", ""))
    assert top == same


def test_reference_line_extends_the_axis() -> None:
    assert "200" in line_texts(svg("bar", ["a"], [4], reference_lines=[{"value": 190}]))


@pytest.mark.parametrize("kind", ["pie", "doughnut", "radar"])
def test_reference_line_requires_a_value_axis(kind: str) -> None:
    with pytest.raises(InvalidInput, match="reference_lines: requires a chart with a value axis, got type"):
        render(kind, ["a", "b"], [4, 5], reference_lines=[{"value": 1}])


@pytest.mark.parametrize("kind", NEW_TYPES)
def test_texts_of_all_scripts_are_drawn(kind: str) -> None:
    lines = [{"value": 3, "label": "目標 הגבול"}]
    result = render(kind, ["1", "2", "3"], [1, 5, 3], title="言語 לשונות", reference_lines=lines, theme="dark")
    assert result.to_pil().size == (800, 500)


@pytest.mark.parametrize("kind", [*NEW_TYPES, "bar", "line"])
def test_axes_have_titles_above_and_below_the_plot(kind: str) -> None:
    lines = {line.content: line for line in placed(svg(kind, ["1", "2"], [4, 8], x_title="Height", y_title="Weight"))}
    others = [corner[1] for name, line in lines.items() if name not in ("Height", "Weight") for corner in line.corners]
    assert max(corner[1] for corner in lines["Weight"].corners) <= min(others) + 3
    assert min(corner[1] for corner in lines["Height"].corners) >= max(others) - 3


def test_titles_of_axes_require_axes() -> None:
    with pytest.raises(InvalidInput, match="x_title: requires a chart with a value axis, got type pie"):
        render("pie", ["a", "b"], [4, 5], x_title="Share")


def test_titles_of_the_call_replace_the_columns_of_a_table() -> None:
    rows = {"height": [1, 2, 3], "weight": [5, 7, 6]}
    texts = line_texts(mediakit.chart("scatter", rows, x_title="Height in m", format="svg").content)
    assert {"Height in m", "weight"} <= set(texts)
    assert "height" not in texts


def test_long_name_of_a_column_is_cut_in_the_title_of_an_axis() -> None:
    assert mediakit.chart("scatter", {"x" * 101: [1, 2, 3], "weight": [5, 7, 6]}).meta["type"] == "scatter"


def test_each_group_of_a_scatter_chart_may_have_as_many_points_as_an_axis() -> None:
    count = 6000
    rows = {"x": list(range(count)), "y": list(range(count)), "group": ["a", "b"] * (count // 2)}
    assert f"{count} points" in mediakit.chart("scatter", rows, format="svg").meta["alt"]


def test_columns_of_a_table_are_the_titles_of_the_axes_of_a_scatter_chart() -> None:
    frame = {"height (cm)": [1, 2, 3, 4], "weight (kg)": [3, 4, 5, 6], "kind": ["a", "b", "a", "b"]}
    titles = {"height (cm)", "weight (kg)"}
    assert titles <= set(line_texts(mediakit.chart("scatter", frame, format="svg").content))
    assert mediakit.chart.build("bar", frame).x_title is None
