"""`chart` accepts dictionaries, Series, DataFrames, arrays and dates in Python."""

import datetime as dt
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.server import Server
from mediakit.tools.images.chart.request import ChartRequest


def read(labels: Any, *series: Any) -> tuple[list[str], list[tuple[str, list[float]]]]:
    """Return the labels of a call's request, then the name and numbers of each series."""
    request: ChartRequest = mediakit.chart.build("bar", labels, *series)
    return list(request.labels), [(each.get("name", ""), each["data"]) for each in request.series]


def test_labels_and_series_are_accepted() -> None:
    assert read(["a", "b"], [{"name": "x", "data": [1, 2]}]) == (["a", "b"], [("x", [1, 2])])


def test_dictionary_of_numbers_is_one_series() -> None:
    assert read({"a": 1, 2: Fraction(1, 2), "c": Decimal("0.25")}) == (["a", "2", "c"], [("", [1, 0.5, 0.25])])


def test_dictionary_of_lists_is_read_as_columns() -> None:
    columns = {"month": ["Jan", "Feb"], "Berlin": [1, 2], "Lisbon": (3, 4)}
    assert read(columns) == (["Jan", "Feb"], [("Berlin", [1, 2]), ("Lisbon", [3, 4])])


def test_dictionary_of_dictionaries_is_read_as_series() -> None:
    nested = {"2024": {"Q1": 1, "Q2": 2}, "2025": {"Q2": 4, "Q1": 3}}
    assert read(nested) == (["Q1", "Q2"], [("2024", [1, 2]), ("2025", [3, 4])])


def test_list_of_numbers_is_one_series() -> None:
    assert read(["a", "b"], [1, 2]) == (["a", "b"], [("", [1, 2])])
    assert read(("a", "b"), (number for number in (1, 2))) == (["a", "b"], [("", [1, 2])])


def test_dictionary_of_series_sets_their_names() -> None:
    assert read(["a", "b"], {"x": [1, 2], "y": [3, 4]}) == (["a", "b"], [("x", [1, 2]), ("y", [3, 4])])


def test_dates_and_numbers_are_converted_to_labels() -> None:
    moments = [dt.date(2025, 1, 2), dt.datetime(2025, 1, 2, 3, 4), dt.datetime(2025, 1, 2)]  # noqa: DTZ001
    assert read([*moments, 2025, 2.0, 2.5], [[1] * 6])[0] == [
        "2025-01-02", "2025-01-02 03:04:00", "2025-01-02", "2025", "2", "2.5",
    ]  # fmt: skip


def test_dictionary_renders_same_chart_as_lists() -> None:
    assert mediakit.chart("bar", {"a": 1, "b": 2}) == mediakit.chart("bar", ["a", "b"], [{"data": [1, 2]}])


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({}, "labels: must have at least 1 item."),
        ({"a": {"x": 1}, "b": {"y": 1}}, "'a' has no number for 'y'"),
        ({"a": [1, 2], "b": [1]}, "must have the same length, got 1, 2"),
        ({"a": ["x"], "b": ["y"]}, "the table must have a column of numbers, got none"),
        ({"a": "x"}, r"series\[0\].data\[0\]: must be a number"),
        (["a"], "series: is required"),
        ("abc", "labels: must be a list"),
        (None, "labels: must be a list"),
        (5, "labels: must be a list"),
    ],
)
def test_invalid_data_is_rejected_with_a_reason(labels: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        read(labels)


SALES = [
    {"region": "North", "quantity": 3, "price": 1.5},
    {"region": "South", "quantity": 4, "price": None},
    {"region": "North", "quantity": 5, "price": 2.5},
]


def test_list_of_dictionaries_is_read_as_a_table() -> None:
    rows = [{"month": "Jan", "x": 1}, {"month": "Feb", "x": 2, "y": 4}]
    assert read(rows) == (["Jan", "Feb"], [("x", [1, 2]), ("y", [None, 4])])


@pytest.mark.parametrize("convert", [str, Path, Path.read_bytes])
def test_table_file_is_read_with_types(convert: Any, tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    file.write_text("city;visits\nBerlin;1.234,5\nLisbon;7\n")
    assert read(convert(file)) == (["Berlin", "Lisbon"], [("visits", [1234.5, 7])])


def test_workbook_is_read_with_types(tmp_path: Path) -> None:
    file = mediakit.data_convert(rows=SALES, to="xlsx").save(tmp_path / "sales.xlsx")
    assert read(file)[1] == [("quantity", [3, 4, 5]), ("price", [1.5, None, 2.5])]


@pytest.mark.parametrize("to", ["json", "csv", "xlsx"])
def test_result_of_a_data_tool_is_read_as_a_table(to: Any) -> None:
    expected = (["North", "South"], [("total", [8, 4])])
    queried = mediakit.data_query(
        rows=SALES, sql="SELECT region, sum(quantity) AS total FROM data GROUP BY 1 ORDER BY 1", format=to
    )
    assert read(queried) == read(mediakit.data_convert(queried, to=to)) == expected


def test_dates_and_exact_numbers_of_a_query_keep_their_types() -> None:
    sql = "SELECT DATE '2026-01-02' AS day, 0.1234567890123456789::DECIMAL(38, 19) AS share, 2 AS n"
    request = mediakit.chart.build("scatter", mediakit.data_query(rows=SALES, sql=sql), x="day", y=["share", "n"])
    assert (request.labels, [each["data"] for each in request.series]) == (["2026-01-02"], [[0.12345678901234568], [2]])


@pytest.mark.parametrize(
    ("aggregate", "y", "expected"),
    [
        ("sum", "quantity", [("quantity", [8, 4])]),
        ("mean", "quantity", [("quantity", [4, 4])]),
        ("median", "quantity", [("quantity", [4, 4])]),
        ("min", "quantity", [("quantity", [3, 4])]),
        ("max", "quantity", [("quantity", [5, 4])]),
        ("sum", None, [("quantity", [8, 4]), ("price", [4, None])]),
        ("count", None, [("count", [2, 1])]),
        ("count", "price", [("price", [2, 0])]),
    ],
)
def test_rows_with_the_same_label_are_aggregated(aggregate: Any, y: Any, expected: Any) -> None:
    columns = {name: [row[name] for row in SALES] for name in SALES[0]}
    for table in (SALES, columns):
        request = mediakit.chart.build("bar", table, x="region", y=y, aggregate=aggregate)
        assert request.labels == ["North", "South"]
        assert [(each["name"], each["data"]) for each in request.series] == expected


def test_table_with_more_rows_than_a_chart_has_labels_can_be_aggregated() -> None:
    rows = [{"region": "NS"[place % 2], "quantity": 0.1} for place in range(6000)]
    request = mediakit.chart.build("bar", rows, x="region", y="quantity", aggregate="sum")
    assert request.series == [{"name": "quantity", "data": [300, 300]}]
    with pytest.raises(InvalidInput, match=r'omit some rows, or group them, such as with x="region"'):
        mediakit.chart("bar", rows)


@pytest.mark.parametrize(
    ("labels", "options", "words"),
    [
        (SALES, {"aggregate": "avg"}, 'aggregate: must be one of sum, mean, median, min, max, count, got "avg".'),
        (["a"], {"aggregate": "sum"}, "aggregate: requires a table: a DataFrame, a list of dictionaries"),
        ("missing.csv", {}, "labels: cannot read 'missing.csv': No such file or directory."),
        (object(), {}, "labels: must be a list of labels, or a DataFrame, a list of dictionaries"),
        (
            mediakit.qr("x"),
            {},
            "labels: must be a table, got ImageResult (a PNG image). mediakit.image_info",
        ),
    ],
)
def test_table_that_cannot_be_read_is_an_error_of_one_line(labels: Any, options: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(words)) as error:
        mediakit.chart("bar", labels, **options)
    assert "\n" not in str(error.value)


def test_numbers_in_both_labels_and_series_are_rejected() -> None:
    with pytest.raises(InvalidInput, match="series: requires a list of labels"):
        read({"a": 1}, [1])


def test_client_sends_dictionary_data(server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        drawn = client.chart("bar", {"a": 1, "b": 2}, width=300, height=200)
    assert drawn == mediakit.chart("bar", ["a", "b"], [{"data": [1, 2]}], width=300, height=200)
    assert (
        drawn.to_altair().to_dict()
        == mediakit.chart("bar", {"a": 1, "b": 2}, width=300, height=200).to_altair().to_dict()
    )


class TestFrames:
    """With pandas, Polars and NumPy, where they are installed."""

    @pytest.fixture
    def pandas(self) -> Any:
        return pytest.importorskip("pandas")

    @pytest.fixture
    def polars(self) -> Any:
        return pytest.importorskip("polars")

    def test_index_of_a_pandas_series_becomes_labels(self, pandas: Any) -> None:
        series = pandas.Series([1, 2.5], index=["a", "b"], name="x")
        assert read(series) == (["a", "b"], [("x", [1, 2.5])])

    def test_index_of_a_pandas_frame_becomes_labels(self, pandas: Any) -> None:
        frame = pandas.DataFrame({"x": [1, 2], "y": [3, 4]}, index=pandas.to_datetime(["2025-01-01", "2025-01-02"]))
        assert read(frame) == (["2025-01-01", "2025-01-02"], [("x", [1, 2]), ("y", [3, 4])])

    def test_first_text_column_becomes_labels(self, pandas: Any, polars: Any) -> None:
        columns = {"city": ["Berlin", "Lisbon"], "x": [1, 2]}
        expected = (["Berlin", "Lisbon"], [("x", [1, 2])])
        assert read(pandas.DataFrame(columns)) == read(polars.DataFrame(columns)) == expected
        assert read(polars.LazyFrame(columns)) == expected

    def test_frame_without_labels_gets_row_numbers(self, polars: Any) -> None:
        assert read(polars.Series("x", [5, 6])) == (["1", "2"], [("x", [5, 6])])

    def test_columns_of_a_frame_are_accepted(self, pandas: Any) -> None:
        frame = pandas.DataFrame({"city": ["a", "b"], "x": [1, 2]})
        assert read(frame["city"], frame["x"]) == (["a", "b"], [("x", [1, 2])])
        assert read(frame["city"].to_list(), frame[["x"]]) == (["a", "b"], [("x", [1, 2])])
        assert read(pandas.Index(["a", "b"]), [1, 2]) == (["a", "b"], [("", [1, 2])])

    def test_numpy_values_are_accepted(self) -> None:
        numpy = pytest.importorskip("numpy")
        assert read(numpy.array(["a", "b"]), numpy.array([1, 2])) == (["a", "b"], [("", [1, 2])])
        assert read({"a": numpy.float32(0.5), "b": numpy.int64(3)}) == (["a", "b"], [("", [0.5, 3])])
        assert read(["a", "b"], [{"name": "x", "data": numpy.array([1.5, 2])}])[1] == [("x", [1.5, 2])]

    @pytest.mark.parametrize("kind", ["float64", "Int64", "object"])
    def test_missing_number_of_a_frame_is_a_gap(self, pandas: Any, polars: Any, kind: str) -> None:
        frame = pandas.DataFrame({"city": ["a", "b"], "x": pandas.Series([1, None], dtype=kind)})
        for table in (frame, polars.DataFrame({"city": ["a", "b"], "x": [1, None]})):
            request = mediakit.chart.build("bar", table)
            assert (request.missing, request.series) == ("gap", [{"name": "x", "data": [1.0, None]}])

    def test_missing_number_is_rejected_on_request(self, pandas: Any) -> None:
        with pytest.raises(InvalidInput, match=r"series\[0\].data\[1\]: must be a number, got null\. Set missing to"):
            mediakit.chart("bar", pandas.Series([1, None], index=["a", "b"]), missing="error")

    def test_gaps_are_counted_in_meta(self, pandas: Any) -> None:
        (warning,) = mediakit.chart("line", pandas.Series([1, None, 2])).meta["warnings"]
        assert warning == {"code": "missing_values", "message": "series: 1 missing value is drawn as a gap."}
        (warning,) = mediakit.chart("line", pandas.Series([1, None, None, 2])).meta["warnings"]
        assert warning["message"] == "series: 2 missing values are drawn as gaps."
        assert "warnings" not in mediakit.chart("line", pandas.Series([1, 2])).meta

    def test_column_of_years_is_labels(self, pandas: Any) -> None:
        frame = pandas.DataFrame({"sales": [3, 5], "Year": [2024, 2025], "cost": [1, 2]})
        assert read(frame) == (["2024", "2025"], [("sales", [3, 5]), ("cost", [1, 2])])
        assert read(pandas.DataFrame({"fy": [2024, 2025], "cost": [1, 2]})) == (["2024", "2025"], [("cost", [1, 2])])
        assert read(pandas.DataFrame({"v": [2025, 2024, 2030], "w": [1, 2, 3]}))[0] == ["1", "2", "3"]

    def test_years_are_not_series_beside_other_labels(self, pandas: Any) -> None:
        frame = pandas.DataFrame({"city": ["a", "b"], "year": [2024, 2025], "cost": [1, 2]})
        assert read(frame) == (["a", "b"], [("cost", [1, 2])])

    def test_frames_are_aggregated(self, pandas: Any, polars: Any) -> None:
        for table in (pandas.DataFrame(SALES), polars.DataFrame(SALES), polars.LazyFrame(SALES)):
            request = mediakit.chart.build("bar", table, x="region", aggregate="sum")
            assert request.labels == ["North", "South"]
            assert [each["data"] for each in request.series] == [[8, 4], [4, None]]

    def test_object_that_only_looks_like_a_frame_is_rejected_in_one_line(self) -> None:
        class Unknown:
            def to_frame(self) -> None:
                raise NotImplementedError

        with pytest.raises(InvalidInput, match=r"^labels: must be a DataFrame, .*, got Unknown\.$"):
            mediakit.chart("bar", Unknown())

    def test_x_and_y_choose_columns(self, pandas: Any, polars: Any) -> None:
        columns = {"city": ["a", "b"], "month": ["Jan", "Feb"], "x1": [1, 2], "x2": [3, 4]}
        for source in (columns, pandas.DataFrame(columns), polars.DataFrame(columns)):
            request = mediakit.chart.build("bar", source, x="month", y="x2")
            assert (request.labels, request.series) == (["Jan", "Feb"], [{"name": "x2", "data": [3, 4]}])
            assert len(mediakit.chart.build("bar", source, y=["x2", "x1"]).series) == 2

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"x": "cty"}, 'x: the table has no column "cty"; did you mean "city"?'),
            ({"y": ["x1", "x3"]}, 'y: the table has no column "x3"; known names are city, x1.'),
            ({"y": "city"}, 'y: column "city" must have numbers only.'),
        ],
    )
    def test_unknown_column_is_rejected(self, pandas: Any, options: Any, words: str) -> None:
        with pytest.raises(InvalidInput, match=re.escape(words)):
            mediakit.chart("bar", pandas.DataFrame({"city": ["a"], "x1": [1]}), **options)

    def test_x_requires_a_table(self) -> None:
        with pytest.raises(InvalidInput, match=r"x: requires a table: a DataFrame, a list of dictionaries"):
            mediakit.chart("bar", ["a"], [1], x="a")

    def test_rows_left_after_filtering_keep_their_text_labels(self, pandas: Any) -> None:
        frame = pandas.DataFrame({"city": list("abcd"), "x": [4, 2, 3, 1]})
        assert read(frame[frame["x"] > 2])[0] == ["a", "c"]
        assert read(frame.sort_values("x"))[0] == ["d", "b", "c", "a"]
        assert read(frame.rename_axis("id"))[0] == ["0", "1", "2", "3"]

    def test_long_line_chart_becomes_a_timeline(self, pandas: Any) -> None:
        days = pandas.date_range("2025-01-01", periods=51)
        result = mediakit.chart("line", pandas.DataFrame({"x": range(51)}, index=days))
        assert result.meta["type"] == "timeline"
        assert result.alt.startswith("Timeline. 51 points, from 2025-01-01 to 2025-02-20.")
        with pytest.raises(InvalidInput, match="labels: must have at most 50 items, got 51"):
            mediakit.chart("line", pandas.DataFrame({"city": [f"c{n}" for n in range(51)], "x": range(51)}))

    def test_columns_of_numbers_are_the_axes_of_a_scatter_chart(self, pandas: Any) -> None:
        frame = pandas.DataFrame({"name": ["a", "b"], "height": [1.5, 1.7], "weight": [60, 70], "age": [3, 4]})
        request = mediakit.chart.build("scatter", frame)
        assert request.labels == ["1.5", "1.7"]
        assert [each["name"] for each in request.series] == ["weight", "age"]
        assert mediakit.chart.build("scatter", frame, x="age", y="height").labels == ["3", "4"]

    def test_table_of_pyarrow_is_accepted(self) -> None:
        pyarrow = pytest.importorskip("pyarrow")
        assert read(pyarrow.table({"month": ["Jan", "Feb"], "x": [1, 2]})) == (["Jan", "Feb"], [("x", [1, 2])])

    def test_dates_of_numpy_become_labels(self) -> None:
        numpy = pytest.importorskip("numpy")
        days = numpy.array(["2025-01-01", "2025-01-02"], dtype="datetime64[ns]")
        assert read(days, [1, 2])[0] == ["2025-01-01", "2025-01-02"]

    def test_unnamed_series_has_no_name(self, pandas: Any) -> None:
        index = pandas.CategoricalIndex(["low", "high"])
        assert read(pandas.Series([1, 2], index=index)) == (["low", "high"], [("", [1, 2])])
        periods = pandas.period_range("2024-01", periods=2, freq="M")
        assert read(pandas.Series([1, 2], index=periods))[0] == ["2024-01", "2024-02"]

    def test_frame_with_too_many_rows_is_rejected(self, pandas: Any) -> None:
        with pytest.raises(InvalidInput, match="labels: must have at most 50 items, got 5000; omit some rows"):
            read(pandas.DataFrame({"x": range(5000)}))


def test_column_of_text_divides_the_points_of_a_scatter_chart_into_groups() -> None:
    frame = {"height": [1, 2, 3, 4], "weight": [3, 4, 5, 6], "kind": ["a", "b", "a", "b"]}
    alt = mediakit.chart("scatter", frame).meta["alt"]
    assert "a: lowest 3 (1), highest 5 (3). b: lowest 4 (2), highest 6 (4)." in alt
    names = mediakit.chart("scatter", {**frame, "kind": ["a", "b", "c", "d"]}).meta["alt"]
    assert "weight: lowest 3 (1), highest 6 (4)." in names


@pytest.mark.parametrize("make", [list, tuple, range, iter, "array"])
def test_numbers_without_labels_are_one_series(make: Any) -> None:
    numpy = pytest.importorskip("numpy")
    values = range(3) if make is range else numpy.arange(3) if make == "array" else make([0, 1, 2])
    assert read(values) == (["1", "2", "3"], [("", [0, 1, 2])])


def test_pairs_are_labels_and_numbers() -> None:
    assert read([("ale", 2), ("stout", 1)]) == (["ale", "stout"], [("", [2, 1])])
    assert read(zip(["ale", "stout"], [2, 1], strict=True)) == (["ale", "stout"], [("", [2, 1])])
    points = mediakit.chart.build("scatter", [[1.5, 2], [2.5, 4]])
    assert (list(points.labels), points.series[0]["data"]) == (["1.5", "2.5"], [2, 4])


def test_lists_in_a_list_are_an_error_that_names_the_tables() -> None:
    with pytest.raises(InvalidInput, match=r"^labels: must be one list, or a DataFrame"):
        mediakit.chart.build("line", [[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize(
    ("values", "message"),
    [(["1", "2"], 'must be a number, got "1".'), ([True, False], "must be a number, got true.")],
)
def test_series_of_other_values_names_the_first_of_them(values: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(f"series[0].data[0]: {message}")):
        mediakit.chart.build("bar", ["a", "b"], values)


def test_column_of_groups_splits_repeated_labels_into_series() -> None:
    rows = {"year": [2023, 2023, 2024, 2024, 2025], "port": ["Aber", "Bude", "Aber", "Bude", "Aber"]}
    sales = {**rows, "sales": [1, 2, 3, 4, 5]}
    assert mediakit.chart.build("line", sales).series == [
        {"name": "Aber", "data": [1, 3, 5]},
        {"name": "Bude", "data": [2, 4, None]},
    ]
    pie = mediakit.chart.build("pie", {"cup": ["a", "a", "b", "b"], "tea": ["x", "y", "x", "y"], "n": [1, 2, 3, 4]})
    assert [each["data"] for each in pie.series] == [[1, 2, 3, 4]]
    assert read({"day": ["Mon", "Tue"], "port": ["Aber", "Bude"], "n": [1, 2]}) == (["Mon", "Tue"], [("n", [1, 2])])
