"""What users find after an accident: the error says what to do, finished files are kept, and the next run continues."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import mediakit
from mediakit.errors import InvalidInput

every_target = pytest.mark.parametrize("to", ["out", "out.zip"])


def files_of(target: Path) -> list[str]:
    """Return the files of a folder or a ZIP archive."""
    if target.suffix == ".zip":
        with zipfile.ZipFile(target) as archive:
            return sorted(archive.namelist())
    return sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())


@every_target
def test_bad_rows_are_named_and_the_others_are_saved(to: str, tmp_path: Path) -> None:
    rows = [{"data": "tea", "size": 300}, {"data": "milk", "size": 9}, {"data": None}, {"data": "water", "dark": "?"}]
    made = mediakit.batch(mediakit.qr, pd.DataFrame(rows), to=tmp_path / to)
    assert files_of(tmp_path / to) == ["1.png", "report.csv", "report.jsonl"]
    assert [(failed.row, str(failed.error).partition(":")[0]) for failed in made.errors] == [
        (2, "size"),
        (3, "data"),
        (4, "dark"),
    ]
    assert [bool(row["error"]) for row in made.report] == [False, True, True, True]


@every_target
def test_duplicate_names_are_numbered_and_nothing_is_overwritten(to: str, tmp_path: Path) -> None:
    rows = [{"data": text, "who": who} for text, who in (("tea", "Ada"), ("milk", "ADA"), ("water", "Ada"))]
    made = mediakit.batch(mediakit.qr, rows, name="{who}", to=tmp_path / to)
    assert files_of(tmp_path / to)[:3] == ["ADA (2).png", "Ada (3).png", "Ada.png"]
    assert {name: mediakit.code_reader(code)[0].text for name, code in made.items()} == {
        "Ada": "tea",
        "ADA (2)": "milk",
        "Ada (3)": "water",
    }


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ([{"data": "tea"}], {"name": "{recipent}"}, 'name: row 1 has no column "recipent"'),
        ([{"data": "tea"}], {"columns": {"Data": "data"}}, 'columns: no row has a column "Data"'),
        ([{"data": "tea"}], {"ignore": "email"}, '"email"'),
        ([{"dta": "tea"}], {}, 'did you mean "data"'),
    ],
)
def test_missing_column_is_an_error_before_anything_is_made(
    rows: Any, options: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.batch(mediakit.qr, rows, to=tmp_path / "out", **options)
    assert words in str(caught.value)
    assert not list(tmp_path.iterdir())


@every_target
@pytest.mark.parametrize(
    "rows",
    [[], pd.DataFrame({"data": []}), iter(()), "guests.csv", "guests.jsonl"],
    ids=["list", "frame", "iterator", "csv", "jsonl"],
)
def test_empty_table_is_an_error_and_keeps_the_files_of_an_earlier_run(
    rows: Any, to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("guests.csv").write_text("data,size\n", "utf-8")
    Path("guests.jsonl").write_text("", "utf-8")
    mediakit.batch(mediakit.qr, ["tea"], to=to)
    before = files_of(Path(to))
    with pytest.raises(InvalidInput, match=r"^rows: "):
        mediakit.batch(mediakit.qr, rows, to=to)
    assert files_of(Path(to)) == before
    assert mediakit.batch(mediakit.qr, ["tea"], to=to).unchanged_count == 1


@every_target
def test_removed_folder_ends_the_batch_and_the_next_run_makes_it_again(to: str, tmp_path: Path) -> None:
    out = tmp_path / "work" / to

    def rows() -> Iterator[str]:
        yield from map(str, range(1000))
        (tmp_path / "work").rename(tmp_path / "moved")
        yield from map(str, range(1000, 2000))

    with pytest.raises(InvalidInput, match=r"was removed while the batch was running\. Run the batch again"):
        mediakit.batch(mediakit.qr, rows(), to=out, size=100)
    assert not (tmp_path / "work").exists()
    assert len(mediakit.batch(mediakit.qr, map(str, range(20)), to=out, size=100)) == 20


SMALL_DISK = """
import json, subprocess, sys
from pathlib import Path
import mediakit

disk, target, is_stream = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "stream"
rows = [f"https://example.com/{number}" for number in range(150)]

def call():
    return mediakit.batch(mediakit.qr, iter(rows) if is_stream else rows, to=disk / target, size=100)

if __name__ == "__main__":
    try:
        call()
        error = ""
    except mediakit.errors.InvalidInput as problem:
        error = str(problem)
    saved = [path.read_bytes()[-8:-4] for path in disk.rglob("*.png")]
    kept = len(mediakit.last_batch)
    subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
    made = call()
    print(json.dumps({
        "error": error,
        "saved": len(saved),
        "whole": all(end == b"IEND" for end in saved),
        "kept": kept,
        "made": len(made),
        "unchanged": made.unchanged_count,
        "rest": sorted(path.name for path in disk.iterdir()),
    }))
"""

IN_NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


@cache
def small_disks() -> str:
    """Return why this machine cannot mount a small disk; empty if it can. Only the process that mounts it sees it."""
    if sys.platform != "linux" or not shutil.which("unshare"):
        return "needs unshare of Linux"
    run = subprocess.run([*IN_NAMESPACE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True)
    return f"mount is not permitted: {run.stderr.strip()}" if run.returncode else ""


@pytest.mark.parametrize("kind", ["list", "stream"])
@every_target
def test_full_disk_keeps_whole_files_and_the_next_run_continues(to: str, kind: str, tmp_path: Path) -> None:
    if reason := small_disks():
        pytest.skip(reason)
    (tmp_path / "disk").mkdir()
    (tmp_path / "program.py").write_text(SMALL_DISK, "utf-8")
    mount = f"mount -t tmpfs -o size=300k none {tmp_path}/disk"
    command = f"{mount} && exec {sys.executable} {tmp_path}/program.py {tmp_path}/disk {to} {kind}"
    run = subprocess.run([*IN_NAMESPACE, "sh", "-c", command], capture_output=True, text=True, cwd=Path.cwd())
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["error"].startswith("to: no space left on device in ")
    assert found["error"].endswith("Free space and run the batch again to continue.")
    assert found["whole"]
    assert 0 < found["kept"] <= found["saved"] < 150
    assert found["made"] == 150
    assert found["unchanged"] == found["kept"]
    assert found["rest"] == [to]


def wait_for_workers(process_group: int) -> None:
    """Wait until the worker processes of a process that ended have ended too."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.killpg(process_group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("Worker processes are still running.")


INTERRUPTED = """
import sys
import mediakit

if __name__ == "__main__":
    rows = (f"https://example.com/{number}" for number in range(100_000))
    try:
        mediakit.batch(mediakit.qr, rows, to=sys.argv[1], size=100)
    finally:
        print(len(mediakit.last_batch), len(mediakit.last_batch.report), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@every_target
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["interrupt", "kill"])
def test_stopped_stream_keeps_its_files_and_continues(number: int, to: str, tmp_path: Path) -> None:
    out, log = tmp_path / to, tmp_path / "log"
    with log.open("w") as output:
        command = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(out)]
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
    while len(list(tmp_path.rglob("*.png"))) < 50:
        assert process.poll() is None, log.read_text()
        time.sleep(0.02)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        os.kill(process.pid, number)
    process.wait(timeout=60)
    wait_for_workers(process.pid)
    numbers = [int(path.stem) for path in tmp_path.rglob("*.png")]
    saved, count = len(numbers), max(numbers) + 10  # the rest of a group that was being made is omitted
    rows = [f"https://example.com/{number}" for number in range(count)]
    made = mediakit.batch(mediakit.qr, iter(rows), to=out, size=100)
    assert (len(made), made.failed_count) == (count, 0)
    if number == signal.SIGINT:
        assert "KeyboardInterrupt" in log.read_text()
        assert f"{saved} {saved}\n" in log.read_text()
        assert made.unchanged_count == saved
    assert 0 < made.unchanged_count <= saved  # files of a group that was killed are made again
