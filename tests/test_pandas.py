"""The `.mediakit` accessor of pandas DataFrames and Series."""

from typing import Any

import pytest

import mediakit

pd: Any = pytest.importorskip("pandas")

pytest_plugins = ["tests.support.shell_fixtures"]


@pytest.fixture
def frame(shell: Any) -> Any:
    shell.run_line_magic("load_ext", "mediakit")
    return pd.DataFrame({"city": ["Oslo", "Roma"], "north": [1, 3], "south": [2, 4.5]})


def test_frame_accessor_creates_chart_of_columns(frame: Any) -> None:
    chart = frame.mediakit.chart("line", title="Visitors")
    assert chart == mediakit.chart("line", ["Oslo", "Roma"], {"north": [1, 3], "south": [2, 4.5]}, title="Visitors")


def test_series_accessor_creates_chart_labeled_by_index(frame: Any) -> None:
    chart = frame.set_index("city")["south"].mediakit.chart()
    assert chart == mediakit.chart("bar", ["Oslo", "Roma"], {"south": [2, 4.5]})


def test_frame_accessor_profiles_columns(frame: Any) -> None:
    profile = frame.mediakit.profile(top=1)
    assert [(column["name"], column["type"], len(column["top"])) for column in profile] == [
        ("city", "text", 1),
        ("north", "integer", 1),
        ("south", "number", 1),
    ]


@pytest.mark.parametrize(("name", "shown"), [("south", "south"), (None, "value")])
def test_series_accessor_profiles_its_values(frame: Any, name: str | None, shown: str) -> None:
    profile = frame["south"].rename(name).mediakit.profile()
    assert [(column["name"], column["max"]) for column in profile] == [(shown, 4.5)]


def test_frame_accessor_converts_table(frame: Any) -> None:
    assert frame.mediakit.convert("csv").text == "city,north,south\nOslo,1,2\nRoma,3,4.5\n"


def test_validation_of_a_column_has_the_index_of_the_frame() -> None:
    frame = pd.DataFrame({"iban": ["DE89370400440532013000", "x"]}, index=["a", "b"])
    result = frame.mediakit.validate_iban("iban")
    assert list(result.to_frame().index) == ["a", "b"]
    assert list(result.to_frame()["valid"]) == [True, False]
    assert frame["iban"].mediakit.validate_iban() == result


def test_validation_of_unknown_column_names_the_nearest() -> None:
    frame = pd.DataFrame({"iban": ["DE89370400440532013000"]})
    with pytest.raises(mediakit.errors.InvalidInput, match=r'^column: .*"ibann".*"iban"'):
        frame.mediakit.validate_iban("ibann")
    twice = pd.DataFrame([["x", "y"]], columns=["iban", "iban"])
    with pytest.raises(mediakit.errors.InvalidInput, match=r'^column: there are 2 columns "iban"'):
        twice.mediakit.validate_iban("iban")


def test_emails_of_a_column_are_validated() -> None:
    frame = pd.DataFrame({"email": ["ana@example.com", "x@@y"]}, index=[7, 9])
    result = frame.mediakit.validate_email("email")
    assert list(result.to_frame().index) == [7, 9]
    assert result == frame["email"].mediakit.validate_email()


def test_frame_accessor_draws_table(frame: Any) -> None:
    image = frame.mediakit.table_image(title="Visitors", device_scale_factor=1)
    assert image.mime_type == "image/png"
    assert image == mediakit.table_image(frame, title="Visitors", device_scale_factor=1)


def test_frame_accessor_queries_table_by_the_name_data(frame: Any) -> None:
    result = frame.mediakit.query("SELECT city, north + south AS visitors FROM data WHERE north > ?", parameters=[2])
    assert result.to_frame().to_dict("records") == [{"city": "Roma", "visitors": 7.5}]


def test_frame_accessor_creates_image_of_table_with_its_index(frame: Any) -> None:
    image = frame.set_index("city").mediakit.table_image(title="Visitors")
    assert image == mediakit.table_image(frame, title="Visitors")


def test_frame_accessor_compares_tables(frame: Any) -> None:
    later = frame.assign(north=[1, 8])
    assert frame.mediakit.diff(later, key=["city"]) == mediakit.data_diff(frame, later, key=["city"])


@pytest.mark.parametrize(
    ("name", "value"), [("phone", "+34 600 111 222"), ("tax_id", "ESB58378431"), ("code", "4006381333931")]
)
def test_columns_are_validated_with_the_index_of_the_frame(name: str, value: str) -> None:
    frame = pd.DataFrame({"x": [value, "?"]}, index=["a", "b"])
    result = getattr(frame.mediakit, f"validate_{name}")("x")
    assert list(result.to_frame().index) == ["a", "b"]
    assert result == getattr(frame["x"].mediakit, f"validate_{name}")()


def test_unknown_name_of_the_accessor_suggests_the_one_that_is_meant(frame: Any) -> None:
    with pytest.raises(AttributeError, match=r'FrameAccessor\.charts: does not exist; did you mean "chart"\?'):
        frame.mediakit.charts()
