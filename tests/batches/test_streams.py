"""Batches that are streamed: rows from generators, and more than 2,000 rows with a target."""

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.batches import plan
from mediakit.errors import InvalidInput


def stream(*rows: Any) -> Iterator[Any]:
    yield from rows


def test_results_of_a_generator_are_read_from_files(tmp_path: Path) -> None:
    made = mediakit.batch(mediakit.qr, stream("tea", "", "milk"), to=tmp_path / "out", size=200)
    assert (list(made), len(made)) == (["000001", "000003"], 2)
    assert made["000003"].content == mediakit.qr("milk", size=200).content
    assert [result.content for result in made.results] == [made["000001"].content, made["000003"].content]
    assert "000002" not in made
    assert [(failed.row, str(failed.error)) for failed in made.errors] == [(2, "data: must not be empty.")]
    assert [(row["row"], row["file"]) for row in made.report] == [(1, "000001.png"), (2, None), (3, "000003.png")]
    with pytest.raises(InvalidInput, match="can be read only once"):
        made.retry()


def test_second_run_of_a_stream_makes_only_what_changed(tmp_path: Path) -> None:
    mediakit.batch(mediakit.qr, stream("tea", "", "milk"), to=tmp_path / "out")
    again = mediakit.batch(mediakit.qr, stream("tea", "water", "milk"), to=tmp_path / "out")
    assert (len(again), again.unchanged_count, again.failed_count) == (3, 2, 0)
    assert mediakit.code_reader(again["000002"])[0].text == "water"


def test_names_of_a_stream_are_unique(tmp_path: Path) -> None:
    rows = stream(*({"data": text, "who": "A"} for text in "xyz"))
    assert list(mediakit.batch(mediakit.qr, rows, to=tmp_path / "out", name="{who}")) == ["A", "A (2)", "A (3)"]


@pytest.mark.parametrize("rows", [[], iter(()), "guests.csv"], ids=["list", "iterator", "file"])
def test_target_of_an_empty_table_is_an_error_and_keeps_the_earlier_report(
    rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("guests.csv").write_text("data,size\n", "utf-8")
    mediakit.batch(mediakit.qr, ["tea"], to="out")
    report = Path("out/report.csv").read_bytes()
    with pytest.raises(InvalidInput, match=r"rows: the table has no rows\."):
        mediakit.batch(mediakit.qr, rows, to="out")
    assert Path("out/report.csv").read_bytes() == report
    assert len(mediakit.batch(mediakit.qr, ["tea"], to="out")) == 1


def test_unknown_column_of_the_first_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match='column "sise" is not a field of qr; did you mean "size"'):
        mediakit.batch(mediakit.qr, stream({"data": "tea", "sise": 200}), to=tmp_path / "out")
    assert not list((tmp_path / "out").glob("*.png"))


def test_unknown_or_missing_column_of_a_later_row_is_an_error_of_the_row(tmp_path: Path) -> None:
    rows = [{"data": f"code {number}", "who": f"guest {number}"} for number in range(1, 1301)]
    rows[1099]["shade"] = "red"
    del rows[1199]["who"]
    made = mediakit.batch(mediakit.qr, iter(rows), name="{who}", to=tmp_path)
    assert (len(made), made.failed_count) == (1298, 2)
    first, second = made.errors
    assert str(first).startswith('row 1100, guest 1100: rows: the column "shade" is not a field of qr')
    assert str(second).startswith('row 1200, 001200: name: row 1200 has no column "who"')
    assert mediakit.code_reader(made["guest 1300"])[0].text == "code 1300"


def test_error_of_a_generator_keeps_files_and_the_next_run_continues(tmp_path: Path) -> None:
    def failing() -> Iterator[str]:
        yield from map(str, range(1500))
        raise OverflowError("connection lost")

    with pytest.raises(OverflowError, match="connection lost"):
        mediakit.batch(mediakit.qr, failing(), to=tmp_path / "out", size=100)
    saved = len(mediakit.last_batch)
    assert 0 < saved <= 1500
    again = mediakit.batch(mediakit.qr, map(str, range(1500)), to=tmp_path / "out", size=100)
    assert (len(again), again.unchanged_count >= saved) == (1500, True)


@pytest.fixture
def long_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stream tables of more than 200 rows in place of 2,000."""
    monkeypatch.setattr(plan, "LISTED_ROWS", 200)


@pytest.mark.usefixtures("long_tables")
def test_failed_rows_of_a_long_table_are_retried_and_counted(tmp_path: Path) -> None:
    rows = [str(row) if row % 50 else "" for row in range(250)]
    made = mediakit.batch(mediakit.qr, rows, to=tmp_path / "out", size=100)
    assert (len(made), made.failed_count, len(made.report)) == (245, 5, 250)
    again = made.retry()
    assert (len(again), again.unchanged_count, again.failed_count) == (245, 245, 5)


@pytest.mark.usefixtures("long_tables")
def test_failed_rows_of_a_long_table_are_retried_with_changed_values(tmp_path: Path) -> None:
    rows = [{"data": str(row) if row % 50 else "", "who": f"guest {row}"} for row in range(250)]
    made = mediakit.batch(mediakit.qr, rows, to=tmp_path / "out", size=100, name="{who} {data}")
    again = made.retry(data="none", size=200)
    assert (len(again), again.unchanged_count, again.failed_count) == (250, 245, 0)
    assert (again["guest 50 none"].width, again["guest 51 51"].width) == (200, 100)
    assert len(list((tmp_path / "out").glob("*.png"))) == 250
    assert again.retry().unchanged_count == 250
    with pytest.raises(InvalidInput, match='"sise"'):
        made.retry(sise=200)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_full_disk_is_a_clear_error(tmp_path: Path) -> None:
    program = """
        import resource, signal, sys
        import mediakit
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        def rows():
            yield from ("tea", "milk")
            resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
            yield "water"
        try:
            mediakit.batch(mediakit.qr, rows(), to=sys.argv[1])
        except mediakit.errors.InvalidInput as error:
            print(error)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "out")], capture_output=True, text=True
    )
    assert "is larger than allowed; no file is saved. Run the batch again to continue." in run.stdout, run.stderr
    assert not list((tmp_path / "out").glob("*.png"))
