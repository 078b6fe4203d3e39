"""`.to_altair()`: the same data as an Altair chart, drawn by Vega-Lite itself."""

import json
import subprocess
import sys
from typing import Any

import pytest
import vl_convert

import mediakit
from mediakit.errors import InvalidInput

EVIL = "{datum.x} \"'+alert(1)+'\" ${x}"


def made(kind: str, **options: Any) -> dict[str, Any]:
    series = [{"name": "A", "data": [3, -1, 2]}, {"name": EVIL, "data": [1, 2, 3]}]
    chart = mediakit.chart(kind, ["x", EVIL, "x"], series, **options)  # type: ignore[arg-type]
    return dict(chart.to_altair().to_dict())


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("bar", {}),
        ("bar", {"stacked": True, "horizontal": True, "title": EVIL}),
        ("bar", {"horizontal": True, "number_format": "$,.1f"}),
        ("line", {"theme": "dark"}),
        ("line", {"stacked": True}),
        ("pie", {}),
        ("doughnut", {"palette": ["#ff0000"]}),
    ],
)
def test_vega_lite_draws_it(kind: str, options: dict[str, Any]) -> None:
    spec = made(kind, **options)
    drawn = vl_convert.vegalite_to_svg(json.dumps(spec))
    assert drawn.startswith("<svg")
    assert "alert(1)" in drawn


@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
def test_no_text_becomes_an_expression(kind: str) -> None:
    spec = made(kind, title=EVIL)
    assert '"expr"' not in json.dumps(spec)
    assert '"labelExpr"' not in json.dumps(spec)


def test_equal_labels_stay_apart() -> None:
    (records,) = made("bar")["datasets"].values()
    labels = [row["label"] for row in records]
    assert len(set(labels)) == 3
    assert [label.replace("\u200b", "") for label in labels[:3]] == ["x", EVIL, "x"]


def test_says_that_there_are_no_radars_in_vega_lite() -> None:
    with pytest.raises(InvalidInput, match="Vega-Lite has no radar charts"):
        mediakit.chart("radar", {"a": 1, "b": 2}).to_altair()


def test_says_that_data_are_not_known() -> None:
    drawn = mediakit.chart("bar", {"a": 1})
    with pytest.raises(InvalidInput, match="the data of this chart are not known"):
        mediakit.ChartResult(drawn.content, drawn.mime_type, drawn.meta).to_altair()


def test_altair_is_imported_only_then() -> None:
    draw = "import sys, mediakit; mediakit.chart('bar', {'a': 1})"
    code = f"{draw}; print({{'altair', 'narwhals', 'pandas'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
