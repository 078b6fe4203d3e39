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


def test_frame_accessor_creates_image_of_table_with_its_index(frame: Any) -> None:
    image = frame.set_index("city").mediakit.table_image(title="Visitors")
    assert image == mediakit.table_image(frame, title="Visitors")
