"""Rows from table files."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import mediakit
from mediakit.errors import InvalidInput
from tests.batches.test_batch import texts


def test_csv_cells_stay_as_written_and_fit_their_fields(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("data;size;micro\n007;200;\n250.00;;false\n", "utf-8")
    made = mediakit.batch(mediakit.qr, path, ignore="micro", name="{data}")
    assert texts(made) == {"007": "007", "250.00": "250.00"}
    assert [code.width for code in made.results] == [200, mediakit.qr("x").width]


@pytest.mark.parametrize("suffix", [".tsv", ".xlsx", ".parquet", ".json"])
def test_rows_are_read_from_tables_of_other_formats(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"codes{suffix}"
    frame = pd.DataFrame({"data": ["tea", "milk"], "size": [200, 300]})
    writers: dict[str, Any] = {
        ".tsv": lambda: frame.to_csv(path, sep="\t", index=False),
        ".xlsx": lambda: frame.to_excel(path, index=False),
        ".parquet": lambda: frame.to_parquet(path),
        ".json": lambda: frame.to_json(path, orient="records"),
    }
    writers[suffix]()
    made = mediakit.batch(mediakit.qr, str(path))
    assert texts(made) == {"1": "tea", "2": "milk"}
    assert [code.width for code in made.results] == [200, 300]


def test_invalid_number_of_a_cell_fails_its_row_only(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("data,size\ntea,big\nmilk,300\n", "utf-8")
    made = mediakit.batch(mediakit.qr, path)
    assert list(made) == ["2"]
    assert made.errors[0].row == 1
    assert "size" in str(made.errors[0].error)


@pytest.mark.anyio
async def test_table_file_can_be_read_with_await(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("data\ntea\n", "utf-8")
    assert texts(await mediakit.batch.aio(mediakit.qr, path)) == {"1": "tea"}


def test_file_without_a_table_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "codes.xlsx"
    path.write_bytes(mediakit.qr("tea").content)
    with pytest.raises(InvalidInput, match="must be a table"):
        mediakit.batch(mediakit.qr, path)
