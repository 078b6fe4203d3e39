"""A folder as the target of a batch: files, reports, and the continuation of earlier runs."""

import csv
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from mediakit.batches.targets import failure_message, open_target
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets.target import Target
from mediakit.errors import InvalidInput


def write(target: Target, row: int, name: str, content: bytes, key: str = "key") -> Record:
    """Write the file of a row and add its record, as a batch does."""
    target.store.write(f"{name}.png", content)
    record = Record(row, name, key, f"{name}.png", "image/png", len(content), sha256(content).hexdigest(), 12.34)
    target.manifest.add(record)
    return record


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    target = open_target(tmp_path / "out")
    target.open()
    yield target
    target.abandon()


def report(folder: Path) -> list[dict[str, str]]:
    with (folder / "report.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_folder_holds_files_and_reports_in_the_order_of_the_rows(target: Target, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(target, 3, "Łódź/zoë", b"third")
    write(target, 1, "first", b"first")
    target.manifest.add(Record(2, "second", "key", error="data: must not be empty."))
    target.finish()
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*"))
    assert files == ["first.png", "report.csv", "report.jsonl", "Łódź", "Łódź/zoë.png"]
    assert (out / "Łódź/zoë.png").read_bytes() == b"third"
    rows = report(out)
    assert [row["name"] for row in rows] == ["first", "second", "Łódź/zoë"]
    assert rows[0] == {
        "row": "1",
        "name": "first",
        "file": "first.png",
        "sha256": sha256(b"first").hexdigest(),
        "size_bytes": "5",
        "ms": "12.3",
        "notes": "",
        "error": "",
    }
    assert (rows[1]["file"], rows[1]["size_bytes"], rows[1]["error"]) == ("", "", "data: must not be empty.")
    lines = [json.loads(line) for line in (out / "report.jsonl").read_text("utf-8").splitlines()]
    assert [line["row"] for line in lines] == [1, 2, 3]
    assert lines[2]["file"] == "Łódź/zoë.png"


def test_report_escapes_formulas_and_keeps_notes_and_meta(target: Target, tmp_path: Path) -> None:
    notes = {"warnings": ["=1+1 is cut", "too long"], "fitted": []}
    record = Record(
        1, "=cmd()", "key", "=cmd().png", "image/png", 1, "aa", 1.0, notes, {"width": 3}, "image", {"alt": "a"}
    )
    target.manifest.add(record)
    target.manifest.add(Record(2, "b", error='@said "no",\nthen stopped'))
    target.finish()
    first, second = report(tmp_path / "out")
    assert (first["name"], first["file"]) == ("'=cmd()", "'=cmd().png")
    assert first["notes"] == "warnings: =1+1 is cut, too long"
    assert second["error"] == '\'@said "no",\nthen stopped'
    assert next(target.manifest.records()) == record


def test_second_run_finds_rows_that_have_the_same_key_and_their_file(target: Target, tmp_path: Path) -> None:
    kept = write(target, 1, "kept", b"kept")
    write(target, 2, "changed", b"changed")
    write(target, 3, "removed", b"removed")
    write(target, 4, "truncated", b"truncated")
    target.manifest.add(Record(5, "failed", "key", error="no"))
    target.finish()
    (tmp_path / "out/removed.png").unlink()
    (tmp_path / "out/truncated.png").write_bytes(b"trunc")
    target.open()
    assert target.manifest.find("kept", "key") == replace(kept, ms=12.3)
    assert target.manifest.find("changed", "another key") is None
    assert [target.manifest.find(name, "key") for name in ("removed", "truncated", "failed", "new")] == [None] * 4


def test_report_has_only_the_rows_of_the_last_run(target: Target, tmp_path: Path) -> None:
    for row in range(1, 6):
        write(target, row, f"n{row}", b"x" * row)
    target.finish()
    target.open()
    found = target.manifest.find("n5", "key")
    assert found is not None
    target.manifest.add(replace(found, row=1))
    write(target, 2, "n2", b"changed", "new key")
    target.finish()
    assert [(row["name"], row["size_bytes"]) for row in report(tmp_path / "out")] == [("n5", "5"), ("n2", "7")]
    assert [record.name for record in target.manifest.records()] == ["n5", "n2"]
    assert len((tmp_path / "out/report.jsonl").read_bytes().splitlines()) == 2


def test_file_of_an_older_key_is_not_found_after_it_was_replaced(target: Target) -> None:
    write(target, 1, "a", b"one", "key 1")
    target.finish()
    target.open()
    write(target, 1, "a", b"two", "key 2")
    target.abandon()
    target.open()
    assert target.manifest.find("a", "key 1") is None
    assert target.manifest.find("a", "key 2") is not None


def test_row_can_be_added_again_in_the_same_run(target: Target) -> None:
    target.manifest.add(Record(1, "a", "key", error="busy"))
    write(target, 2, "b", b"b")
    write(target, 1, "a", b"a")
    assert [(record.name, record.error) for record in target.manifest.records()] == [("a", None), ("b", None)]
    target.abandon()
    assert [record.name for record in target.manifest.records()] == ["a", "b"]


def test_broken_and_foreign_lines_of_a_manifest_are_ignored(target: Target, tmp_path: Path) -> None:
    write(target, 1, "a", b"a")
    target.abandon()
    lines = tmp_path / "out/report.jsonl"
    foreign = b'[1]\n{"row":"1","name":"x"}\n{"row":2,"name":null}\n\xff\xfe\n{"row":1,"name":"y","file":7}\n\n'
    lines.write_bytes(foreign + lines.read_bytes() + b'{"row":2,"name":"b","file":"b.p')
    target.open()
    assert target.manifest.find("a", "key") is not None
    assert target.manifest.find("b", "key") is None
    write(target, 2, "b", b"b")
    target.abandon()
    target.open()
    assert target.manifest.find("b", "key") is not None


def test_manifest_from_elsewhere_cannot_name_files_outside_the_folder(target: Target, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    target.manifest.add(Record(1, "a", "key", "../secret.png", "image/png", 6))
    target.abandon()
    target.open()
    assert target.manifest.find("a", "key") is None
    for path in ("../secret.png", "/etc/passwd", "a/../../secret.png", "a//b", "C:/x", "..\\x"):
        with pytest.raises(InvalidInput, match="within the target"):
            target.store.read(path)


@pytest.mark.parametrize("file", ["report.csv", "report.jsonl", "Report.csv"])
def test_row_cannot_replace_the_report(target: Target, file: str) -> None:
    with pytest.raises(InvalidInput, match="is the report of the batch"):
        target.store.write(file, b"a,b")


def test_removed_folder_is_an_error_and_not_created_again(target: Target, tmp_path: Path) -> None:
    write(target, 1, "a", b"a")
    (tmp_path / "out").rename(tmp_path / "moved")
    for file in ("b.png", "folder/b.png"):
        with pytest.raises(FileNotFoundError):
            target.store.write(file, b"b")
    with pytest.raises(FileNotFoundError):
        target.finish()
    assert not (tmp_path / "out").exists()


def test_removed_manifest_is_an_error(target: Target, tmp_path: Path) -> None:
    write(target, 1, "a", b"a")
    (tmp_path / "out/report.jsonl").unlink()
    with pytest.raises(FileNotFoundError) as caught:
        write(target, 2, "b", b"b")
    assert failure_message(caught.value, target.location, 1).endswith(
        "out was removed while the batch was running. Run the batch again to make its files again."
    )


def test_target_that_is_a_file_is_invalid(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file/folder"):
        with pytest.raises(InvalidInput, match=r"^to: .* must be a folder, but is a file or in a file"):
            open_target(path).open()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_permission_is_invalid(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o500)
    with pytest.raises(InvalidInput, match=r"cannot write in the folder .*no permission"):
        open_target(tmp_path / "out").open()


def test_nothing_is_created_before_open(tmp_path: Path) -> None:
    open_target(tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_second_batch_on_the_same_folder_is_refused_until_the_first_has_finished(
    target: Target, tmp_path: Path
) -> None:
    second = open_target(tmp_path / "out")
    with pytest.raises(InvalidInput, match=r"another batch is writing to .*out"):
        second.open()
    script = f"from mediakit.batches.targets import open_target; open_target({str(tmp_path / 'out')!r}).open()"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "another batch is writing to" in other.stderr
    target.abandon()
    second.open()
    second.abandon()


def test_store_writes_in_another_process_and_folder(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = pickle.loads(pickle.dumps(target.store))
    monkeypatch.chdir("/")
    copy.write("a/b.png", b"b")
    assert (tmp_path / "out/a/b.png").read_bytes() == b"b"
    assert (copy.location, copy.size("a/b.png"), copy.size("c.png")) == (target.store.location, 1, None)


ENDLESS = """
import itertools, sys
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets import open_target
target = open_target(sys.argv[1])
target.open()
for row in itertools.count(1):
    target.store.write(f"{row}.png", bytes([row % 256]) * 300_000)
    target.manifest.add(Record(row, str(row), "key", f"{row}.png", "image/png", 300_000))
    print(row, flush=True)
"""


def killed(path: Path, rows: int) -> int:
    """Return the rows that a process added before it was killed."""
    with subprocess.Popen([sys.executable, "-c", ENDLESS, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(rows):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        return rows + len(process.stdout.readlines())


def test_killed_process_leaves_whole_files_and_their_records(tmp_path: Path) -> None:
    out = tmp_path / "out"
    added = killed(out, 20)
    (out / ".mediakit-0123456789abcdef").write_bytes(b"half")
    for path in out.glob("*.png"):
        assert path.read_bytes() == bytes([int(path.stem) % 256]) * 300_000
    target = open_target(out)
    target.open()
    assert all(target.manifest.find(str(row), "key") for row in range(1, added + 1))
    assert not list(out.glob(".mediakit-*"))
    target.abandon()


FULL = """
import resource, sys
from pathlib import Path
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets import failure_message, open_target
target = open_target(sys.argv[1])
target.open()
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
saved = 0
try:
    for row in range(1, 100):
        target.store.write(f"{row}.png", b"x" * 100)
        target.manifest.add(Record(row, str(row), "key", f"{row}.png", "image/png", 100))
        saved = row
except OSError as error:
    print(saved, failure_message(error, "out", saved))
target.abandon()
"""


def test_manifest_stays_whole_when_it_cannot_grow(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", FULL, str(tmp_path / "out")], capture_output=True, text=True)
    saved, _, message = run.stdout.partition(" ")
    problem = "a file for out is larger than allowed"
    assert message == f"to: {problem}; {saved} files are saved. Run the batch again to continue.\n"
    assert (tmp_path / "out/report.jsonl").read_bytes().endswith(b"\n")
    target = open_target(tmp_path / "out")
    target.open()
    assert sum(target.manifest.find(str(row), "key") is not None for row in range(1, 100)) == int(saved) > 0
    target.abandon()
