"""Tables of pandas have their own `.mediakit`."""

from typing import Any

import pytest

import mediakit

pd: Any = pytest.importorskip("pandas")

pytest_plugins = ["tests.support.shell_fixtures"]


@pytest.fixture
def frame(shell: Any) -> Any:
    shell.run_line_magic("load_ext", "mediakit")
    return pd.DataFrame({"city": ["Oslo", "Roma"], "north": [1, 3], "south": [2, 4.5]})


def test_a_frame_draws_itself(frame: Any) -> None:
    drawn = frame.mediakit.chart("line", title="Visitors")
    assert drawn == mediakit.chart("line", ["Oslo", "Roma"], {"north": [1, 3], "south": [2, 4.5]}, title="Visitors")


def test_so_does_a_column_with_its_index(frame: Any) -> None:
    drawn = frame.set_index("city")["south"].mediakit.chart()
    assert drawn == mediakit.chart("bar", ["Oslo", "Roma"], {"south": [2, 4.5]})
