"""Commands that call a tool for each row of a table."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

import mediakit
from tests.cli.conftest import Run, Start

GUESTS = "Guest,city,note\ntea,Oslo,x\nmilk,Bergen,y\ncocoa,Oslo,z\n"
CODES = ["qr", "--from", "guests.csv", "--column", "Guest=data", "--omit", "note", "--name", "{city}/{row}"]
KEPT_COURSE = ["--column", "Guest=course", "--omit", "city", "--omit", "note"]


@pytest.fixture(autouse=True)
def guests(tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text(GUESTS, "utf-8")


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.png")}


def test_files_are_made_once_and_again_with_force(run: Run, tmp_path: Path) -> None:
    ran = run(*CODES, "--to", "out", "--size", "200")
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "", "3 created, saved in out\n")
    assert files(tmp_path / "out") == {"Oslo/1.png", "Bergen/2.png", "Oslo/3.png"}
    assert (tmp_path / "out/Bergen/2.png").read_bytes() == mediakit.qr("milk", size=200).content
    assert (tmp_path / "out/report.csv").is_file()
    (tmp_path / "guests.csv").write_text(GUESTS.replace("milk", "water"), "utf-8")
    assert run(*CODES, "--to", "out", "--size", "200").stderr == "1 created, 2 unchanged, saved in out\n"
    assert (tmp_path / "out/Bergen/2.png").read_bytes() == mediakit.qr("water", size=200).content
    assert run(*CODES, "--to", "out", "--size", "200", "--force").stderr == "3 created, saved in out\n"


def test_failed_row_is_named_and_exits_with_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text(GUESTS.replace("milk", ""), "utf-8")
    ran = run(*CODES, "-o", "out")
    assert (ran.exit_code, ran.stderr) == (
        1,
        "row 2, Bergen/2: data: is required.\n2 created, 1 failed, saved in out\n",
    )
    assert files(tmp_path / "out") == {"Oslo/1.png", "Oslo/3.png"}


def test_standard_input_is_a_table(run: Run, tmp_path: Path) -> None:
    ran = run("qr", "--from", "-", "--to", "out.zip", stdin="data,size\ntea,200\nmilk,300\n")
    assert (ran.exit_code, ran.stderr) == (0, "2 created, saved in out.zip\n")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert archive.read("2.png") == mediakit.qr("milk", size=300).content


def test_dry_run_shows_columns_and_three_rows_and_makes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text(f"{GUESTS}last,Oslo,w\n", "utf-8")
    ran = run(*CODES, "--to", "out", "--size", "200", "--dry-run")
    assert (ran.exit_code, ran.stderr) == (0, "")
    head, columns, *rows = ran.stdout.split("\n\n")
    assert head == "4 rows for mediakit qr"
    assert [line.split(maxsplit=1) for line in columns.splitlines()[1:]] == [
        ["Guest", "field data"],
        ["city", "name of the file"],
        ["note", "omitted"],
    ]
    assert [row.splitlines()[0] for row in rows] == ["Row 1, Oslo/1:", "Row 2, Bergen/2:", "Row 3, Oslo/3:"]
    assert "data: milk" in rows[1]
    assert "size: 200" in rows[1]
    assert {path.name for path in tmp_path.iterdir()} <= {"guests.csv", "home"}


def test_dry_run_shows_error_of_a_row(run: Run, tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text(GUESTS.replace("milk", ""), "utf-8")
    assert "Row 2, Bergen/2:\n  data: is required." in run(*CODES, "--dry-run").stdout


def test_dry_run_shows_keys_of_a_template(run: Run) -> None:
    options = ["--template", "certificate", "--column", "Guest=recipient", "--omit", "note", "--name", "{city}"]
    ran = run("pdf", "--from", "guests.csv", *options, "--dry-run")
    assert re.search(r"Guest +text of certificate\n", ran.stdout)
    assert json.loads(ran.stdout.splitlines()[-1].partition(": ")[2]) == {"recipient": "cocoa"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qr", "hi", "--dry-run"], "--dry-run needs --from TABLE"),
        (["qr", "hi", "--to", "out"], "--to needs --from TABLE"),
        (["qr", "--from", "guests.csv"], "Add -o TARGET: a folder, a .zip or a .pdf."),
        (["qr", "--from", "nowhere.csv", "--to", "out"], "cannot read 'nowhere.csv'"),
        (["qr", "--from", "guests.csv", "--to", "out"], 'Add --column "NAME=FIELD" to map one, or --omit "*".'),
        ([*CODES[:3], "--omit", "city", "--omit", "note", "--to", "out"], 'Add --column "Guest=FIELD" to map it, or'),
        ([*CODES, "--to", "out", "--omit", "nothing"], 'omit: no row has a column "nothing"'),
        ([*CODES, "--to", "out", "--column", "city"], "column: must be COLUMN=FIELD, such as Name=recipient"),
        ([*CODES, "--to", "guests.csv/out"], "must be a folder, but is a file or in a file"),
        (
            ["pdf", "--template", "certificate", "--from", "guests.csv", "--to", "out", *KEPT_COURSE],
            'Map one with --column COLUMN=recipient, add --data "recipient=TEXT" for all rows',
        ),
    ],
)
def test_error_names_options_of_the_command_and_exits_with_2(run: Run, arguments: list[str], message: str) -> None:
    ran = run(*arguments)
    assert ran.exit_code == 2
    assert message in ran.stderr
    assert "ignore=" not in ran.stderr


def test_help_lists_options_for_tables_last(run: Run) -> None:
    fields, _, table = run("qr", "--help").stdout.partition("Options for a table with many rows:")
    assert all(flag not in fields and flag in table for flag in ("--from", "--to", "--omit", "--dry-run"))
    assert "--size" in fields
    assert "--help" in fields


def test_command_without_table_does_not_import_batches(start: Start) -> None:
    ran = start("qr", "hi", "-o", "code.png", interpreter=("-X", "importtime"))
    assert "mediakit.cli.rows\n" in ran.stderr
    assert "mediakit.batches" not in ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_interrupt_keeps_files_and_exits_with_130(run: Run, tmp_path: Path) -> None:
    lines = "".join(f"item {row},{200 + row % 9}\n" for row in range(20_000))
    (tmp_path / "many.csv").write_text(f"data,size\n{lines}", "utf-8")
    command = [sys.executable, "-m", "mediakit", "qr", "--from", "many.csv", "--to", "out"]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env={**os.environ, "MEDIAKIT_HOME": str(tmp_path)}
    )
    while len(files(tmp_path / "out")) < 30:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.fullmatch(r"Stopped: \d+ created, saved in out\. Run the same command again to continue\.\n", err)
    assert 30 <= len(files(tmp_path / "out")) < 20_000


def test_interrupt_while_the_table_is_checked_says_that_no_row_was_made(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    run(*CODES, "--to", "out")
    monkeypatch.setattr(sys.modules["mediakit.batches.batch"], "make_plan", interrupt)
    ran = run(*CODES, "--to", "out")
    assert (ran.exit_code, ran.stderr) == (
        130,
        "Stopped: the table was still being checked, and no row was made. Run the same command again to continue.\n",
    )
    assert len(files(tmp_path / "out")) == 3
    earlier = mediakit.last_batch
    with pytest.raises(KeyboardInterrupt) as caught:
        mediakit.batch(mediakit.qr, ["tea"])
    assert caught.value.__notes__ == ["The rows of the batch were still being read and checked; no row was made."]
    assert mediakit.last_batch is earlier


def test_warning_about_a_whole_column_is_one_line(start: Start, tmp_path: Path) -> None:
    (tmp_path / "emails.csv").write_text("email\nada@example.com\nmary@example.com\n", "utf-8")
    warning, *_ = start("validate-email", "--from", "emails.csv", "-o", "out").stderr.splitlines()
    assert re.fullmatch(r"Warning: batch: validate_email takes a column .* in one call, for one credit: .*", warning)
