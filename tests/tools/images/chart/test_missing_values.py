"""Missing values: an error, a gap or zero, in every type of chart."""

from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from tests.support.chart_geometry import has_only_numbers, line_texts, parsed

TYPES = ["bar", "line", "pie", "doughnut", "radar", "timeline", "scatter", "area", "combo"]
LABELS = ["1", "2", "3", "4", "5"]
every_type = pytest.mark.parametrize("kind", TYPES)


def render(kind: str, *data: Any, **options: Any) -> Any:
    return mediakit.chart(kind, LABELS, [{"data": list(values)} for values in data], **options)  # type: ignore[arg-type]


@every_type
def test_null_is_an_error_by_default(kind: str) -> None:
    with pytest.raises(InvalidInput, match=r"series\[0\].data\[1\]: must be a number, got null"):
        render(kind, [1, None, 3, 4, 5])


@every_type
def test_zero_draws_the_same_as_a_number(kind: str) -> None:
    assert render(kind, [1, None, 3, 4, 5], missing="zero").content == render(kind, [1, 0, 3, 4, 5]).content


@every_type
@pytest.mark.parametrize("options", [{}, {"values": True}, {"format": "svg", "values": True}])
def test_gap_is_drawn_without_a_value(kind: str, options: Any) -> None:
    for data in ([1, None, 3, 4, 5], [None, 2, None, 4, None], [None, None, None, None, 7]):
        result = render(kind, data, [5, 4, 3, 2, 1], missing="gap", **options)
        assert "format" not in options or has_only_numbers(result.content)
        assert "nan" not in result.alt


@pytest.mark.parametrize("kind", ["line", "timeline", "area"])
def test_gap_interrupts_the_line(kind: str) -> None:
    content = render(kind, [1, 2, None, 4, 5], missing="gap", format="svg").content
    paths = [each.get("d", "") for each in parsed(content).iter() if each.get("stroke-linejoin") == "round"]
    assert max(path.count("M") for path in paths) == 2


@pytest.mark.parametrize("kind", ["bar", "line", "area"])
def test_gaps_of_stacks_add_nothing(kind: str) -> None:
    stacked = {"stacked": True, "missing": "gap"}
    assert render(kind, [1, None, 3, 4, 5], [1, 1, 1, 1, 1], **stacked).alt.startswith("Stacked")


def test_missing_slice_is_listed_without_a_number() -> None:
    assert "–" in line_texts(render("pie", [1, None, 3, 4, 5], missing="gap", format="svg").content)


def test_series_without_numbers_are_rejected() -> None:
    with pytest.raises(InvalidInput, match="series: must have at least one number"):
        render("bar", [None] * 5, missing="gap")
    assert "no values" in render("bar", [None] * 5, [1] * 5, missing="gap").alt
