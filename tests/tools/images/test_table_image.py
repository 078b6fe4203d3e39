"""The tool `table_image`: what an image of a table says and how it looks."""

import base64
import io
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pymupdf
import pytest
from PIL import Image

import mediakit
from mediakit.engines.colors import contrast_ratio
from mediakit.engines.drawing.text import Text
from mediakit.errors import InvalidInput
from mediakit.samples import SALES
from mediakit.tools.images.table_image.content import content_of
from mediakit.tools.images.table_image.output import largest_scale
from mediakit.tools.images.table_image.painting import TableDrawing
from mediakit.tools.images.table_image.theme import THEMES, ThemeName, text_on
from mediakit.tools.images.table_image.tool import read_table
from tests.conftest import Api

pytestmark = pytest.mark.anyio

ROWS = [
    {"city": "Oslo", "visitors": 1204, "share": 0.5},
    {"city": "Lisbon", "visitors": None, "share": 12.25},
    {"city": "A Coruña", "visitors": 88, "share": -3},
]
LONG = "A long sentence that does not fit into one line of a column and goes on for quite some time. " * 4


BAR = {"name": "city", "bar": True}
WIDE = [{"name": "city", "width_pct": 60}, {"name": "share", "width_pct": 60}]


def texts_of(rows: Any, **options: Any) -> list[Text]:
    """Return the lines of text of an image, with their places."""
    request = mediakit.table_image.build(rows, **options)
    content = content_of(read_table(request.table, request.reading)[0], request)
    return TableDrawing(content, THEMES[request.theme], request.accent, request.width).drawing.texts


def words(rows: Any, **options: Any) -> list[str]:
    return [text.content for text in texts_of(rows, **options)]


def svg(rows: Any, **options: Any) -> str:
    content: bytes = mediakit.table_image(rows, format="svg", **options).content
    return content.decode()


def boxes(texts: list[Text]) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of lines of text."""
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}
    return [
        (left, text.y - 0.75 * text.size, left + text.width, text.y + 0.2 * text.size)
        for text in texts
        for left in [text.x - shift[text.anchor] * text.width]
    ]


@pytest.mark.parametrize(("kind", "signature"), [("png", "PNG"), ("webp", "WEBP")])
def test_image_has_the_size_in_meta(kind: Any, signature: str) -> None:
    result = mediakit.table_image(ROWS, format=kind, device_scale_factor=3)
    with Image.open(io.BytesIO(result.content)) as image:
        assert (image.format, image.size) == (signature, (result.meta["width"], result.meta["height"]))
    assert result.pixel_ratio == 3
    small = mediakit.table_image(ROWS, device_scale_factor=1)
    assert (result.width, result.height) == (small.width * 3, small.height * 3)


def test_width_sets_the_width_of_the_image() -> None:
    assert mediakit.table_image(ROWS, width=777, device_scale_factor=1).width == 777


def test_default_width_is_that_of_the_content_and_at_most_1600() -> None:
    assert mediakit.table_image(ROWS, device_scale_factor=1).width < 320
    wide = [{f"column {number}": LONG for number in range(12)}]
    assert mediakit.table_image(wide, device_scale_factor=1).width == 1600


def test_columns_that_do_not_fit_are_refused_with_the_width_they_need() -> None:
    rows = [{str(number): 123456789.25 for number in range(30)}]
    with pytest.raises(
        InvalidInput, match=r"^width: the columns do not fit 300 pixels; it must be at least (\d+)"
    ) as caught:
        mediakit.table_image(rows, width=300)
    needed = int(re.findall(r"least (\d+)", str(caught.value))[0])
    assert mediakit.table_image(rows, width=needed, device_scale_factor=1).width == needed


def test_numbers_align_on_the_decimal_mark_with_tabular_figures() -> None:
    texts = [text for text in texts_of([{"n": n} for n in (1.5, 111.25, -20.75)]) if text.tabular]
    heads = [text for text in texts if text.anchor == "end"]
    tails = [text for text in texts if text.anchor == "start"]
    assert [text.content for text in heads] == ["1", "111", "−20"]
    assert [text.content for text in tails] == [".50", ".25", ".75"]
    assert len({text.x for text in texts}) == 1
    assert len({text.width for text in tails}) == 1


def test_decimal_marks_align_in_formats_with_different_places() -> None:
    texts = [text for text in texts_of([{"n": n} for n in (1.5, 20, 3.125)], number_format=",.3~f") if text.tabular]
    assert [text.content for text in texts] == ["1", ".5", "20", "3", ".125"]
    assert len({text.x for text in texts}) == 1


def test_nulls_are_an_en_dash() -> None:
    assert words(ROWS).count("–") == 1
    assert words([{"a": ""}, {"a": "x"}]).count("–") == 1


def test_long_text_has_three_lines_and_an_ellipsis_and_its_whole_text_as_title() -> None:
    lines = [text for text in texts_of([{"note": LONG}], width=300) if text.size == 14]
    assert len(lines) == 3
    assert lines[-1].content.endswith("…")
    result = mediakit.table_image([{"note": LONG}], width=300, format="svg")
    assert f"<title>{LONG.strip()}</title>" in result.content.decode()
    (warning,) = result.meta["warnings"]
    assert warning.startswith('rows: 1 text is cut after 3 lines in column "note".')


@pytest.mark.parametrize(
    "rows",
    [
        [{"note": LONG}],
        [{"name": "a", "note": LONG + LONG[:60]}, {"name": "b", "note": "short"}],
        [{"Satisfied with the service of our support (%)": 93.2, "b": 1}],
        [{"Name of the responsible department or agency": "x", "Another header that is quite long": 1}],
        [{f"Column number {n} with a long header": n for n in range(8)}],
        [{"note": "x" * 180}],
    ],
)
def test_nothing_is_cut_while_the_table_may_grow(rows: Any) -> None:
    result = mediakit.table_image(rows, format="svg")
    assert "…" not in result.content.decode().partition("</desc>")[2]
    assert result.meta["warnings"] == []


def test_headers_are_complete_in_a_narrow_table() -> None:
    header = "Share of people who are satisfied with the service of our support in the last quarter"
    assert (
        "".join(words([{header: 1.5, ("b"): "x" * 30}], width=240))
        .replace(" ", "")
        .startswith(header.replace(" ", "")[:60])
    )


def test_word_without_spaces_is_broken() -> None:
    lines = [text for text in texts_of([{"note": "x" * 100}], width=300) if text.size == 14]
    assert "".join(text.content for text in lines) in ("x" * 100, *("x" * n + "…" for n in range(100)))
    assert all(right <= 300 for _, _, right, _ in boxes(lines))


CASES: dict[str, dict[str, Any]] = {
    "plain": {"rows": ROWS, "title": "Title " * 12, "subtitle": "Sub", "source": "S " * 60, "total": "sum"},
    "long": {"rows": [{"a": LONG, "b": LONG, "c": 1.5, "d": LONG}], "width": 500},
    "wide": {"rows": [{f"column {n}": n * 1000.5 for n in range(20)}]},
    "narrow": {"rows": [{"text": LONG, "n": 5}], "width": 200, "title": "A title of several words"},
    "groups": {
        "rows": [{"g": LONG, "n": 1, "t": "x"}, {"g": "b", "n": 2, "t": LONG}],
        "group_by": "g",
        "total": "mean",
    },
    "cjk": {"rows": [{"都市": "東京" * 60, "人口": 13960000}, {"都市": "大阪", "人口": 2691000}], "title": "東" * 100},
    "rtl": {"rows": [{"المدينة": "الرياض (العاصمة)", "السكان": 7676654, "البلد": "السعودية"}], "title": "مدن"},
    "emoji": {"rows": [{"m": "😀" * 50, "f": "🇪🇸", "s": 9}]},
    "options": {
        "rows": [{"p": "Union", "s": 208, "c": -12, "t": [1, 2, None, 3]}, {"p": "Left", "s": 1, "c": 25, "t": [5]}],
        "columns": [
            {"name": "p", "spanner": "A header that is wider than its columns"},
            {"name": "s", "bar": True, "unit": "of a parliament that has 598 seats", "label": "Seats " * 9},
            {"name": "c", "bar": True, "align": "left", "prefix": "€", "suffix": " p.p."},
            {"name": "t", "sparkline": True, "align": "center"},
        ],
        "footnotes": ["one", {"text": "two", "column": "s", "row": 1}, {"text": "three", "column": "p"}],
    },
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_or_overlaps(case: str, theme: ThemeName) -> None:
    request = {**CASES[case], "theme": theme}
    texts = texts_of(**request)
    found = boxes(texts)
    image = mediakit.table_image(**request, device_scale_factor=1)
    for left, top, right, bottom in found:
        assert left >= 0
        assert top >= 0
        assert right <= image.width + 0.5
        assert bottom <= image.height
    for place, (left, top, right, bottom) in enumerate(found):
        for other in found[place + 1 :]:
            is_beside = other[0] >= right - 0.5 or other[2] <= left + 0.5
            is_above = other[1] >= bottom - 0.5 or other[3] <= top + 0.5
            assert is_beside or is_above, (texts[place], other)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("accent", ["#2563eb", "#ffff00", "#000000", "#ffffff", "#777777"])
def test_every_text_has_a_contrast_of_4_5(theme: ThemeName, accent: str) -> None:
    look = THEMES[theme]
    body = [color for color in (look.background, look.band, look.group) if color]
    texts = texts_of(**{**CASES["options"], "group_by": "p", "columns": None, "theme": theme, "accent": accent})
    for color in {text.fill for text in texts}:
        assert min(contrast_ratio(color, background) for background in body) >= 4.5
    if look.header:
        assert min(contrast_ratio(color, look.header) for color in (look.strong, look.muted)) >= 4.5


def test_text_on_every_color_of_a_scale_has_a_contrast_of_4_5() -> None:
    levels = range(0, 256, 17)
    for color in ("#" + bytes((red, green, blue)).hex() for red in levels for green in levels for blue in levels):
        assert contrast_ratio(text_on(color), color) >= 4.5


def test_color_scale_fills_cells_from_low_to_high() -> None:
    rows = [{"n": 0}, {"n": 5}, {"n": 10}, {"n": None}]
    drawn = svg(rows, columns=[{"name": "n", "color_scale": ["white", "#0000ff"]}])
    fills = re.findall(r'<path [^>]*fill="(#[0-9a-f]{6})"', drawn)
    assert [color for color in fills if color in ("#8080ff", "#0000ff")] == ["#8080ff", "#0000ff"]


def test_bars_begin_at_zero_and_share_a_scale() -> None:
    from mediakit.engines.drawing.drawing import Box
    from mediakit.tools.images.table_image.painting import bar_box

    columns: Any = [{"name": "n", "bar": True}]
    request = mediakit.table_image.build([{"n": -50}, {"n": 100}], columns=columns)
    column = content_of(read_table(request.table, request.reading)[0], request).columns[0]
    area = Box(0, 0, 150, 10)
    assert bar_box(column, 100, area) == Box(50, 0, 150, 10)
    assert bar_box(column, -50, area) == Box(0, 0, 50, 10)
    assert bar_box(column, 0, area).width == 0


def test_sparklines_take_lists_and_their_text() -> None:
    column: Any = [{"name": "t", "sparkline": True}]
    drawn = {
        svg([{"t": value}], columns=column).split("</desc>")[1] for value in ([1, 3, 2], "1, 3, 2", "[1,3,2]", "1 3 2")
    }
    assert len(drawn) == 1
    assert "stroke-linejoin" in drawn.pop()
    with pytest.raises(InvalidInput, match="sparkline requires lists of numbers"):
        svg([{"t": "many"}], columns=column)


def test_group_by_makes_headings_and_hides_its_column() -> None:
    rows = [{"g": "b", "n": 1}, {"g": "a", "n": 2}, {"g": "b", "n": 3}]
    assert words(rows, group_by="g") == ["n", "b", "1", "3", "a", "2"]


@pytest.mark.parametrize(
    ("total", "lang", "expected"), [("sum", "en", ("Total", "1,292")), ("mean", "es", ("Media", "646"))]
)
def test_total_is_over_all_rows_of_number_columns(total: Any, lang: Any, expected: tuple[str, str]) -> None:
    found = words(ROWS, total=total, lang=lang, max_rows=1, columns=["city", "visitors"])
    assert set(expected) <= set(found)


def test_max_rows_counts_the_rest() -> None:
    rows = [{"n": n} for n in range(80)]
    result = mediakit.table_image(rows)
    assert (result.meta["rows"], result.meta["rows_shown"]) == (80, 50)
    assert "and 30 more rows" in words(rows)
    assert "y 1 fila más" in words(rows, max_rows=79, lang="es")


def test_spanish_has_decimal_commas_and_dates() -> None:
    table = pd.DataFrame({"n": [1234.5], "day": pd.to_datetime(["2026-03-04"]), "ok": [True]})
    assert words(table, lang="es")[3:] == ["1.234", ",5", "4 mar 2026", "Sí"]
    assert words(table)[3:] == ["1,234", ".5", "Mar 4, 2026", "Yes"]


def test_number_formats_are_those_of_charts() -> None:
    rows = [{"n": 0.256, "m": 1234567.0}]
    columns: Any = [{"name": "n", "number_format": ".1%"}, {"name": "m", "number_format": "{,.0f} kg"}]
    assert words(rows, columns=columns)[2:] == ["25", ".6%", "1,234,567", " kg"]


def test_integers_keep_all_digits_and_years_have_no_groups() -> None:
    assert words([{"views": 123456789012345678, "year": 2026}])[2:] == ["123,456,789,012,345,678", "2026"]


@pytest.mark.parametrize(
    "name",
    [
        "id",
        "customer_id",
        "userId",
        "Order No",
        "ZIP",
        "Post code",
        "phone",
        ("Product code"),
        "house number",
        "ISBN",
        "cp",
    ],
)
def test_identifiers_have_no_marks_and_no_total(name: str) -> None:
    rows = [{name: 28001, "visits": 1234}, {name: 38014, "visits": 98765}]
    assert words(rows, total="sum")[2:] == ["28001", "1,234", "38014", "98,765", "Total", "99,999"]


def test_consecutive_numbers_name_their_rows() -> None:
    assert words([{"order": 10001 + n} for n in range(3)])[1:] == ["10001", "10002", "10003"]


@pytest.mark.parametrize("name", ["orders", "visits", "paid", "valid", "episodes", "keys used", "mobile", "VAT"])
def test_quantities_have_marks_between_thousands(name: str) -> None:
    assert words([{name: 28001}, {name: 38014}])[1:] == ["28,001", "38,014"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([2.6e-20, 0.9067], ["2.6e−20", "0.9067"]),
        ([0.00621, 1.5], ["0.00621", "1.50000"]),
        ([41.403629, 2.174356], ["41.403629", "2.174356"]),
        ([1 / 3, 12345.678901234], ["0.333", "12,345.679"]),
        ([0.00001234, 45.2], ["0.0000123", "45.2"]),
        ([12.5, 1234.25, 0.0], ["12.50", "1,234.25", "0.00"]),
        ([3e-9, 1e-12], ["3e−9", "1e−12"]),
        ([0.1 + 0.2, 1.0], ["0.300", "1.000"]),
    ],
)
def test_no_number_is_shown_as_zero_or_far_from_its_value(values: list[float], expected: list[str]) -> None:
    alt = mediakit.table_image([{"p": value} for value in values], format="svg").meta["alt"]
    assert [line.strip("| ") for line in alt.splitlines()[4:]] == expected


def test_degrees_are_shown_to_a_meter() -> None:
    alt = mediakit.table_image([{"lat": 41.40362912345, "mean": 41.40362912345}], format="svg").meta["alt"]
    assert alt.splitlines()[-1] == "| 41.40363 | 41.40 |"


def test_mean_of_integers_has_the_places_that_it_needs() -> None:
    assert words([{"n": 1}, {"n": 2}, {"n": 2}], total="mean")[-2:] == ["1", ".67"]


@pytest.mark.parametrize(
    ("number_format", "expected"),
    [("<.3f", "<0.001"), ("<.1%", "<0.1%"), (".2g", "0.00012"), ("g", "0.00012345"), (".3g", "0.000123")],
)
def test_small_numbers_have_formats(number_format: str, expected: str) -> None:
    alt = mediakit.table_image([{"p": 0.00012345}], number_format=number_format, format="svg").meta["alt"]
    assert alt.splitlines()[-1] == f"| {expected} |"


@pytest.mark.parametrize(
    ("scale", "fills"),
    [
        (["#ff0000", "#0000ff"], ["#ff0000", "#800080", "#0000ff"]),
        (["#ff0000", "#ffffff", "#0000ff"], ["#ff0000", "#ffffff", "#0000ff"]),
        ({"colors": ["#ff0000", "#ffffff", "#0000ff"], "midpoint": 30}, ["#ff0000", "#ffbfbf", "#0000ff"]),
        ({"colors": ["#000000", "#ffffff"], "domain": [10, 20]}, ["#000000", "#ffffff", "#ffffff"]),
        ({"colors": ["#000000", "#ffffff"], "domain": [-20, 60]}, ["#606060", "#8f8f8f", "#bfbfbf"]),
    ],
)
def test_color_scale_has_colors_domain_and_midpoint(scale: Any, fills: list[str]) -> None:
    columns: Any = [{"name": "n", "color_scale": scale}]
    drawn = svg([{"n": 10}, {"n": 25}, {"n": 40}], columns=columns)
    found = re.findall(r'fill="(#[0-9a-f]{6})"', drawn)[1:]  # without the background
    assert [fill for fill in found if fill in fills][: len(fills)] == fills


def test_default_color_scale_separates_losses_and_gains() -> None:
    columns: Any = [{"name": "n", "color_scale": True}]
    losses, gains = svg([{"n": -5}, {"n": 5}], columns=columns), svg([{"n": 1}, {"n": 5}], columns=columns)
    assert "#e0683c" in losses
    assert "#e0683c" not in gains


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ({"domain": [5, 1]}, "columns[0].color_scale.domain: must be two numbers in ascending order, got 5 and 1."),
        ({"domain": [0, 1], "midpoint": 2}, "columns[0].color_scale.midpoint: must be from 0 to 1, got 2."),
    ],
)
def test_invalid_color_scale_is_rejected(scale: Any, message: str) -> None:
    columns: Any = [{"name": "n", "color_scale": scale}]
    with pytest.raises(InvalidInput) as caught:
        mediakit.table_image([{"n": 1}, {"n": 2}], columns=columns)
    assert str(caught.value).startswith(message)


def test_first_rows_of_a_long_table_are_shown() -> None:
    result = mediakit.table_image([{"n": n, "v": 1.5} for n in range(900)], max_rows=3, total="sum", format="svg")
    assert (result.meta["rows"], result.meta["rows_shown"]) == (900, 3)
    assert "and 897 more rows" in result.content.decode()
    assert result.meta["alt"].endswith("(897 more rows)")


def test_levels_of_headers_are_in_the_alt_text() -> None:
    names = pd.MultiIndex.from_tuples([("2024", "Q1"), ("2024", "Q2"), ("2025", "Q1")])
    alt = mediakit.table_image(pd.DataFrame([[1, 2, 3]], columns=names), format="svg").meta["alt"]
    assert "| 2024: Q1 | 2024: Q2 | 2025: Q1 |" in alt


def test_columns_choose_order_and_rename() -> None:
    assert words(ROWS[:1], columns=["visitors", {"name": "city", "label": "Town"}]) == [
        "visitors",
        "Town",
        "1,204",
        "Oslo",
    ]


def test_footnotes_are_numbered_and_marked() -> None:
    notes = [{"text": "Estimate.", "column": "visitors"}, {"text": "Preliminary.", "column": "city", "row": 3}, "Free."]
    found = words(ROWS, footnotes=notes, source="City hall")
    assert {"visitors¹", "A Coruña²", "¹ Estimate.", "² Preliminary.", "Free.", "Source: City hall"} <= set(found)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (ROWS, {"columns": ["city", "share", "amout"]}, 'columns[2]: there is no column "amout"; there are'),
        (ROWS, {"columns": ["city", "visitor"]}, 'columns[1]: there is no column "visitor"; did you mean "visitors"?'),
        (ROWS, {"group_by": "citi"}, 'group_by: there is no column "citi"; did you mean "city"?'),
        (ROWS, {"columns": [BAR]}, 'columns[0].bar: requires a column of numbers; "city" is text.'),
        (ROWS, {"columns": WIDE}, "columns: width_pct must be at most 100 in all, got 120."),
        (ROWS, {"columns": [{"name": "city", "hue": 1}]}, "columns[0].hue: is not a known field."),
        (ROWS, {"number_format": "nope"}, "number_format: must be a number format such as"),
        (ROWS, {"theme": "drak"}, "theme: must be one of"),
        (ROWS, {"max_rows": 201}, "max_rows: must be between 1 and 200, got 201."),
        (ROWS, {"footnotes": [{"text": "x", "column": "c"}]}, "footnotes[0].column: there is no column"),
        ([{"a": "x"}], {"total": "sum"}, "total: sum requires a column of numbers; there is none."),
        ([], {}, "rows: must have 1 to 100,000 rows, got 0."),
        ([{str(n): 1 for n in range(31)}], {}, "rows: must have at most 30 columns, got 31; choose with columns."),
    ],
)  # fmt: skip
def test_invalid_input_names_the_field(rows: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.table_image(rows, **options)
    assert str(caught.value).startswith(message)


def test_rows_and_file_exclude_each_other() -> None:
    with pytest.raises(InvalidInput, match=r"^rows: exactly one of rows and file is required, got none\."):
        mediakit.table_image()
    with pytest.raises(InvalidInput, match=r"^rows: exactly one of rows and file is required, got rows and file\."):
        mediakit.table_image(rows=ROWS, file=SALES)


def test_index_is_shown_if_it_has_a_name_or_is_not_counted_from_zero() -> None:
    frame = pd.DataFrame({"n": [1, 2]})
    assert words(frame) == ["n", "1", "2"]
    assert words(frame.set_axis(["a", "b"])) == ["n", "a", "1", "b", "2"]
    assert words(frame.rename_axis("place")) == ["place", "n", "0", "1", "1", "2"]
    assert words(frame.set_axis(["a", "b"]), columns=["n"]) == ["n", "a", "1", "b", "2"]
    assert words(frame["n"].set_axis([5, 6])) == ["n", "5", "1", "6", "2"]


def test_levels_of_column_names_become_headers_above() -> None:
    names = pd.MultiIndex.from_product([["Spring", "Fall"], ["in", "out"]])
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=names)
    assert words(frame)[:6] == ["Spring", "Fall", "in", "out", "in", "out"]
    assert words(frame, columns=[("Fall", "in")])[:2] == ["Fall", "in"]


def test_takes_polars_dicts_of_lists_and_files(tmp_path: Path) -> None:
    expected = words([{"a": 1, "b": "x"}])
    assert words(pl.DataFrame({"a": [1], "b": ["x"]})) == expected
    assert words({"a": [1], "b": ["x"]}) == expected
    assert words([["a", "b"], [1, "x"]]) == expected
    path = tmp_path / "table.csv"
    path.write_text("a;b\n1;x\n", "utf-8")
    for source in (path, str(path), path.read_bytes(), mediakit.data_convert(path, to="xlsx")):
        assert mediakit.table_image(source).meta["alt"].endswith("| 1 | x |")


def test_alt_is_a_sentence_and_markdown_that_fits_a_header() -> None:
    alt = mediakit.table_image(ROWS, title="Visits").meta["alt"]
    assert alt.splitlines()[0] == "Table: Visits. 3 rows, 3 columns: city, visitors, share."
    assert alt.splitlines()[2:5] == ["| city | visitors | share |", "| --- | ---: | ---: |", "| Oslo | 1,204 | 0.50 |"]
    long = mediakit.table_image([{"text": "東" * 9, "n": n} for n in range(200)], max_rows=200).meta["alt"]
    assert len(json.dumps(long)) < 3500
    assert long.endswith("more rows)")


def test_svg_has_title_description_and_texts() -> None:
    drawn = svg([{"a": "<b>&", "n": 1}], title="T & U")
    assert "<title>T &amp; U</title>" in drawn
    assert "&lt;b&gt;&amp;" in drawn
    assert mediakit.table_image([{"a": "<b>&"}], format="svg").to_pil().size[0] > 10


def test_pdf_has_one_page_of_the_size_of_the_table() -> None:
    result = mediakit.table_image(ROWS, format="pdf")
    assert isinstance(result, mediakit.PdfResult)
    with pymupdf.open(stream=result.content) as opened:  # type: ignore[no-untyped-call]
        assert len(opened) == 1
        assert opened[0].rect.width == pytest.approx(result.meta["width"] * 0.75, abs=1)
        assert opened[0].rect.height == pytest.approx(result.meta["height"] * 0.75, abs=1)


def test_html_is_self_contained_and_escaped() -> None:
    result = mediakit.table_image(
        [{"a": "<script>" + LONG, "n": 1.5}, {"a": None, "n": 20}], title="<i>", format="html"
    )
    assert isinstance(result, mediakit.FileResult)
    assert result.filename == "table.html"
    page = result.text
    assert "<script" not in page
    assert "http" not in page
    assert f"&lt;script&gt;{LONG.strip()}" in page
    assert '<th scope="col" class="r" dir="auto">n</th>' in page


def test_same_input_gives_same_bytes() -> None:
    for kind in ("png", "svg", "webp", "pdf", "html"):
        assert len({mediakit.table_image(ROWS, format=kind).content for _ in range(2)}) == 1


def test_hostile_cells_do_not_break_the_image() -> None:
    rows: list[Any] = [
        {"a": "\x00\x1b[31m\u202egnp.exe", "b": 10**400, "c": 1e308},
        {"a": "\ufdfa" * 300, "b": -(10**400), "c": -1e308},
        {"a": {"deep": [[[1]]]}, "b": 1, "c": 5e-324},
    ]
    assert mediakit.table_image(rows, total="none").meta["rows"] == 3


def test_image_with_too_many_pixels_has_a_lower_scale() -> None:
    small, large, long = (800, 600), (3000, 5000), (300, 9000)
    assert largest_scale(small, 3, "png") == 3
    assert largest_scale(large, 3, "png") == 1
    assert (largest_scale(long, 2, "png"), largest_scale(long, 2, "webp")) == (2, 1)


async def test_json_answers_image_pdf_or_file_by_format(api: Api) -> None:
    for kind, member in (("png", "image"), ("pdf", "pdf"), ("html", "file")):
        body = (await api.json("/table-image", {"rows": ROWS, "format": kind})).json()
        assert body["success"]
        assert base64.b64decode(body[member])
        assert {"width", "height", "format", "rows", "rows_shown", "alt", "size_bytes", "warnings"} <= body[
            "meta"
        ].keys()


async def test_raw_csv_answers_the_image(api: Api) -> None:
    response = await api.raw("/table-image", "city;n\nOslo;1,5\n", "text/csv", theme="dark", format="svg", lang="es")
    assert response.headers["content-type"].startswith("image/svg+xml")
    assert "Oslo" in response.text


async def test_unknown_column_is_a_400(api: Api) -> None:
    columns = [{"name": "city"}, "share", "amout"]
    response = await api.json("/table-image", {"rows": [{"city": 1, "share": 2, "amount": 3}], "columns": columns})
    assert response.status_code == 400
    assert response.json()["error"] == 'columns[2]: there is no column "amout"; did you mean "amount"?'


async def test_output_image_requires_an_image(api: Api) -> None:
    response = await api.json("/table-image", {"rows": ROWS, "format": "pdf", "output": "image"})
    assert response.status_code == 400
    assert response.json()["error"] == 'output: must be json, binary or url, because format is pdf; got "image".'


def pdf_texts(rows: Any, **options: Any) -> list[str]:
    """Return the lines of text of a PDF."""
    content = mediakit.table_image(rows, format="pdf", **options).content
    with pymupdf.open(stream=content) as document:  # type: ignore[no-untyped-call]
        return str(document[0].get_text()).splitlines()


def test_text_of_a_pdf_can_be_searched_and_copied() -> None:
    rows = [{"city": "Málaga", "n": 1234.5}, {"city": "東京 (Tokyo)", "n": -2}, {"city": "قسنطينة", "n": None}]
    lines = pdf_texts(rows, title="Visits & more")
    assert sorted(lines) == sorted(
        ["Visits & more", "city", "n", "Málaga", "1,234.5", "東京", " (Tokyo)", "−2.0", "قسنطينة", "–"]
    )
    content = mediakit.table_image(rows, format="pdf", title="Visits & more").content
    with pymupdf.open(stream=content) as document:  # type: ignore[no-untyped-call]
        (found,) = document[0].search_for("Málaga")
        clip = document[0].get_pixmap(clip=found, dpi=144)
        assert min(clip.samples) < 100  # the word is where it can be seen
        assert not document[0].get_pixmap(dpi=72).is_unicolor


def test_emoji_is_in_a_pdf() -> None:
    lines = pdf_texts([{"mood": "fine 😀"}])
    assert lines == ["mood", "fine 😀"]
    content = mediakit.table_image([{"mood": "fine 😀"}], format="pdf").content
    assert content == mediakit.table_image([{"mood": "fine 😀"}], format="pdf").content
    with pymupdf.open(stream=content) as document:  # type: ignore[no-untyped-call]
        page = document[0].get_pixmap(dpi=144)
    assert min(page.samples) < 100
