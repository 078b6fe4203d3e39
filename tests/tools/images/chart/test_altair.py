"""`.to_altair()`: the same data as an Altair chart, rendered by Vega-Lite."""

import json
import subprocess
import sys
from typing import Any

import pytest
import vl_convert

import mediakit
from mediakit.errors import InvalidInput

HOSTILE = "{datum.x} \"'+alert(1)+'\" ${x}"


def spec_of(kind: str, **options: Any) -> dict[str, Any]:
    series = [{"name": "A", "data": [3, -1, 2]}, {"name": HOSTILE, "data": [1, 2, 3]}]
    chart = mediakit.chart(kind, ["x", HOSTILE, "x"], series, **options)  # type: ignore[arg-type]
    return dict(chart.to_altair().to_dict())


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("bar", {}),
        ("bar", {"stacked": True, "horizontal": True, "title": HOSTILE}),
        ("bar", {"horizontal": True, "number_format": "$,.1f"}),
        ("line", {"theme": "dark"}),
        ("line", {"stacked": True}),
        ("pie", {}),
        ("doughnut", {"palette": ["#ff0000"]}),
    ],
)
def test_vega_lite_renders_the_exported_chart(kind: str, options: dict[str, Any]) -> None:
    spec = spec_of(kind, **options)
    svg = vl_convert.vegalite_to_svg(json.dumps(spec))
    assert svg.startswith("<svg")
    assert "alert(1)" in svg


@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
def test_texts_are_not_vega_expressions(kind: str) -> None:
    spec = spec_of(kind, title=HOSTILE)
    assert '"expr"' not in json.dumps(spec)
    assert '"labelExpr"' not in json.dumps(spec)


def test_equal_labels_stay_distinct() -> None:
    (records,) = spec_of("bar")["datasets"].values()
    labels = [row["label"] for row in records]
    assert len(set(labels)) == 3
    assert [label.replace("\u200b", "") for label in labels[:3]] == ["x", HOSTILE, "x"]


def test_radar_chart_is_rejected() -> None:
    with pytest.raises(InvalidInput, match="Vega-Lite has no radar charts"):
        mediakit.chart("radar", {"a": 1, "b": 2}).to_altair()


def test_result_without_request_is_rejected() -> None:
    result = mediakit.chart("bar", {"a": 1})
    with pytest.raises(InvalidInput, match="the data of this chart is unknown"):
        mediakit.ChartResult(result.content, result.mime_type, result.meta).to_altair()


def test_chart_does_not_import_altair() -> None:
    call = "import sys, mediakit; mediakit.chart('bar', {'a': 1})"
    code = f"{call}; print({{'altair', 'narwhals', 'pandas'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("timeline", {"missing": "gap", "reference_lines": [{"value": 2, "label": HOSTILE}]}),
        ("scatter", {"missing": "gap"}),
        ("area", {"missing": "zero", "stacked": True}),
        ("combo", {"missing": "gap", "reference_lines": [{"value": 2, "color": "tomato"}]}),
        ("bar", {"missing": "gap", "horizontal": True, "reference_lines": [{"value": 2}]}),
    ],
)
def test_vega_lite_renders_charts_on_axes(kind: Any, options: dict[str, Any]) -> None:
    labels = ["2025-01-01", "2025-01-05", "2025-02-01"] if kind != "scatter" else ["1", "2.5", "7"]
    series = [{"name": HOSTILE, "data": [1, None, 3]}, {"name": "B", "data": [2, 2, 2]}]
    spec = mediakit.chart(kind, labels, series, **options).to_altair().to_dict()
    assert vl_convert.vegalite_to_svg(json.dumps(spec)).startswith("<svg")
    assert '"expr"' not in json.dumps(spec)


def test_own_x_values_are_exported() -> None:
    series = [{"name": "A", "x": [1, 2], "data": [3, 4]}, {"name": "B", "x": [5], "data": [6]}]
    (records,) = mediakit.chart("scatter", series=series).to_altair().to_dict()["datasets"].values()
    assert [(row["x"], row["series"], row["value"]) for row in records] == [(1, "A", 3), (2, "A", 4), (5, "B", 6)]
