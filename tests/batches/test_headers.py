"""Headers of table files with rows of a batch."""

from pathlib import Path

import pytest

import mediakit
from mediakit.batches.sources import tables
from tests.batches.test_batch import texts


@pytest.fixture(params=["small", "large"], autouse=True)
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the files as a whole and in parts."""
    if request.param == "large":
        monkeypatch.setattr(tables, "SMALL_BYTES", 0)


def test_first_row_with_a_field_is_a_header(tmp_path: Path) -> None:
    table = tmp_path / "guests.csv"
    table.write_text("data\ntea\nmilk\n")
    assert texts(mediakit.batch(mediakit.qr, table)) == {"1": "tea", "2": "milk"}


def test_first_row_with_a_renamed_column_is_a_header(tmp_path: Path) -> None:
    table = tmp_path / "guests.csv"
    table.write_text("drink\ntea\nmilk\n")
    assert texts(mediakit.batch(mediakit.qr, table, columns={"drink": "data"})) == {"1": "tea", "2": "milk"}


def test_one_column_without_header_has_values_of_the_first_field(tmp_path: Path) -> None:
    table = tmp_path / "guests.csv"
    table.write_text("101\n102\n103\n")
    assert texts(mediakit.batch(mediakit.qr, table)) == {"1": "101", "2": "102", "3": "103"}
