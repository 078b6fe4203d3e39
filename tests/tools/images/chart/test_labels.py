"""What charts say: value labels, ticks that suit the data, wrapped and right-to-left texts, and missing fonts."""

import datetime as dt
import html
import re
from typing import Any

import pytest

import mediakit
from mediakit.engines.drawing import svg as drawn_svg
from mediakit.engines.drawing.number_format import value_format
from mediakit.engines.drawing.text import MIRRORED, text_runs, visual_order


def texts(kind: Any, labels: Any, data: Any, **options: Any) -> list[str]:
    """Return the texts of a chart, without tooltips."""
    series = data if isinstance(data[0], dict) else [{"name": "Series", "data": data}]
    drawn = mediakit.chart(kind, labels, series, format="svg", **options).content.decode()
    found = re.findall(r"<text[^>]*>(.*?)</text>", drawn, re.DOTALL)
    return [html.unescape(re.sub(r"<title>.*?</title>", "", text)) for text in found]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([7, 36, 7800, 1_000_000], ["7", "36", "7,800", "1M"]),
        ([0.004, 0.4, 120], ["0.004", "0.4", "120.0"]),
        ([1_001_000, 1_002_000, 1_003_000], ["1.001M", "1.002M", "1.003M"]),
        ([3_500_000_000, 1_200], ["3.5B", "1,200"]),
        ([-0.05, 250], ["−0.05", "250.0"]),
        ([99.95, 100.05], ["99.95", "100.05"]),
        ([1e-9, 5], ["1e−9", "5"]),
        ([12.5, 14, 13.25], ["12.5", "14.0", "13.2"]),
        ([1 / 3, 2000], ["0.333", "2,000.0"]),
        ([0, 0], ["0", "0"]),
    ],
)
def test_each_value_label_says_its_value(values: list[float], expected: list[str]) -> None:
    write = value_format(values)
    assert [write(value) for value in values] == expected


@pytest.mark.parametrize("kind", ["bar", "line", "combo", "timeline", "scatter", "pie", "doughnut"])
def test_labels_of_all_types_and_alt_say_small_and_large_values(kind: str) -> None:
    labels = ["2025-01", "2025-02", "2025-03"] if kind in ("timeline", "scatter") else ["a", "b", "c"]
    found = texts(kind, labels, [7, 7800, 2_000_000], values=True)
    assert {"7", "7,800"} <= {part for text in found for part in text.split()}


def test_alt_text_says_small_values() -> None:
    alt = mediakit.chart("bar", {"a": 7, "b": 1_000_000}).meta["alt"]
    assert "lowest 7 (a), highest 1M (b)" in alt


MARCH = [dt.date(2025, 3, day) for day in range(1, 32)]


@pytest.mark.parametrize("kind", ["timeline", "scatter", "area"])
@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (MARCH[:2], ["Mar 1", "Mar 2"]),
        (MARCH[:7:2], ["Mar 1", "Mar 3", "Mar 5", "Mar 7"]),
        (MARCH[1:30:7], ["Mar 2", "Mar 9", "Mar 16", "Mar 23", "Mar 30"]),
        (["2025-01", "2025-02", "2025-03"], ["Jan", "Feb", "Mar"]),
        (["2024-Q3", "2024-Q4", "2025-Q1"], ["Q3", "Q4", "Q1"]),
        (["2024-02-01", "2024-05-01", "2024-08-01"], ["Feb", "May", "Aug"]),
        (["2024-01-31", "2024-02-29", "2024-03-31"], ["Jan", "Feb", "Mar"]),
        (["2022-12-31", "2023-12-31", "2024-12-31"], ["2022", "2023", "2024"]),
        (["2022-01-01", "2023-01-01"], ["2022", "2023"]),
        (["2000-01-01", "2025-01-01"], ["2000", "2025"]),
        (["2025-01-15", "2025-02-15", "2025-03-15"], ["Jan", "Feb", "Mar"]),
        (["2025-03-01T12:00", "2025-03-02T12:00", "2025-03-03T12:00"], ["Mar 1", "Mar 2", "Mar 3"]),
        (["2025-03-01T00:00", "2025-03-01T06:00", "2025-03-01T12:00"], ["00:00", "06:00", "12:00"]),
    ],
)
def test_ticks_are_never_finer_than_the_data(kind: str, labels: list[Any], expected: list[str]) -> None:
    found = texts(kind, list(map(str, labels)), list(range(1, len(labels) + 1)))
    assert set(expected) <= set(found)
    finer = [text for text in found if ":" in text or re.fullmatch(r"[A-Z][a-z]{2}( \d+)?", text)]
    assert set(finer) <= set(expected) or all(text.endswith(":00") for text in expected)


LONG = ["Department of Environment, Food and Rural Affairs", "Foreign, Commonwealth and Development Office", "Treasury"]


@pytest.mark.parametrize(("count", "height"), [(3, 300), (6, 400), (2, 200)])
def test_labels_of_horizontal_bars_are_complete_where_there_is_room(count: int, height: int) -> None:
    labels = (LONG * 2)[:count]
    found = texts("bar", labels, list(range(1, count + 1)), horizontal=True, width=500, height=height)
    assert not any("…" in text for text in found)
    words = " ".join(found)
    assert all(word in words for label in labels for word in label.split())


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("דוח (גרסה 2)", "(2 הסרג) חוד"),
        ("Report: שלום עולם 123!", "Report: 123 םלוע םולש!"),
        ("מחיר 50% (נטו)", "(וטנ) 50% ריחמ"),
        ("السعر 12.5 دولار", "رالود 12.5 رعسلا"),
        ("iPhone הגיע ל-2025", "iPhone 2025-ל עיגה"),
        ("שלום abc def עולם", "םלוע abc def םולש"),
        ("הוצאות [א] 1,000 ₪", "₪ 1,000 [א] תואצוה"),
        ("(שלום)", "(םולש)"),
        ("a (שלום) b", "a (םולש) b"),
    ],
)
def test_texts_are_seen_in_the_order_of_the_bidirectional_algorithm(text: str, seen: str) -> None:
    order = visual_order(list(text))
    assert "".join(text[place].translate(MIRRORED) if back else text[place] for place, back in order) == seen


def test_right_to_left_runs_are_in_reading_order_for_renderers() -> None:
    runs = text_runs("דוח (גרסה 2)", 400)
    assert [run.text for run in runs] == ["(2 ", "דוח (גרסה"]


def test_svg_states_the_direction_of_right_to_left_texts() -> None:
    drawn = mediakit.chart("bar", ["שלום (1)"], [{"data": [1]}], title="דוח (גרסה 2)", format="svg").content.decode()
    (title,) = re.findall(r"<text([^>]*)>דוח", drawn)
    assert 'direction="rtl"' in title
    assert 'text-anchor="end"' in title


def test_characters_without_a_font_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_svg, "_is_missing", lambda char, _script: "\u0e00" <= char <= "\u0e7f")
    result = mediakit.chart("bar", ["กข", "한국"], [{"data": [1, 2]}])
    (warning,) = result.meta["warnings"]
    assert warning["code"] == "missing_font"
    assert '"กข" (Thai)' in warning["message"]
    assert "warnings" not in mediakit.chart("bar", ["กข"], [{"data": [1]}], format="svg").meta


def test_unassigned_character_has_no_font_and_hebrew_has_its_own_shapes() -> None:
    assert drawn_svg._is_missing("\u0378", "other")


@pytest.mark.parametrize("kind", ["pie", "doughnut"])
def test_pie_of_two_series_says_that_it_shows_the_first(kind: Any) -> None:
    series = [{"name": "2024", "data": [1, 2]}, {"name": "2025", "data": [3, 4]}]
    (warning,) = mediakit.chart(kind, ["a", "b"], series).meta["warnings"]
    assert warning["code"] == "first_series_only"
    assert '"2024"' in warning["message"]
    assert '"2025"' in warning["message"]


@pytest.mark.parametrize("values", [[997, 3], [9999, 1], [99_999, 1, 1]])
def test_part_of_a_pie_is_never_all_of_it(values: list[float]) -> None:
    result = mediakit.chart("pie", list("abc")[: len(values)], [{"data": values}], format="svg")
    assert "100%" not in result.content.decode()


def test_slices_with_room_have_their_names_beside_them() -> None:
    drawn = mediakit.chart("pie", {"Rent": 5, "Food": 3, "Travel": 2}, format="svg").content.decode()
    assert drawn.count("<rect") == 1  # the background; a legend would have swatches
    assert all(f">{name}<" in drawn for name in ("Rent", "Food", "Travel"))


def test_one_series_has_no_legend() -> None:
    with_title = texts("bar", ["a"], [{"name": "Sales", "data": [1]}], title="Orders")
    assert "Sales" not in with_title
    assert "Sales" in texts("bar", ["a"], [{"name": "Sales", "data": [1]}])
    assert "Sales" in texts("bar", ["a"], [{"name": "Sales", "data": [1]}], title="Orders", legend="top")


def test_line_of_many_dates_is_a_timeline() -> None:
    days = [dt.date(2025, 1, 1) + dt.timedelta(7 * week) for week in range(52)]
    result = mediakit.chart("line", days, [{"name": "Orders", "data": list(range(52))}])
    assert result.meta["type"] == "timeline"


def test_values_of_stacked_areas_are_inside_their_own_areas() -> None:
    rows = {"low": [43, 43, 43, 43], "high": [29, 1, 29, 29]}
    chart = mediakit.chart("area", list("abcd"), rows, stacked=True, values=True, format="svg")
    found = re.findall(r'<text[^>]*? y="([\d.]+)"[^>]*>(43|29|1)</text>', chart.content.decode())
    heights = {value: [float(y) for y, text in found if text == value] for value in ("43", "29", "1")}
    assert [len(each) for each in heights.values()] == [4, 3, 0]
    assert max(heights["29"]) < min(heights["43"])


def test_alt_text_rounds_long_fractions() -> None:
    points = [{"x": [0.12345678901234, 2.98765432109876], "data": [1, 2]}]
    assert "from 0.123457 to 2.98765" in mediakit.chart("scatter", series=points).meta["alt"]
