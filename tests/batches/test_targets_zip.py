"""A ZIP archive as the target of a batch."""

import csv
import io
import stat
import zipfile
from pathlib import Path

import pytest

from mediakit.batches.targets import open_target
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets.target import Target
from mediakit.errors import InvalidInput
from tests.batches.test_targets import killed, write


def made(path: Path, files: dict[str, bytes], *, failed: int = 0) -> Target:
    """Return the target of a batch that has finished."""
    target = open_target(path)
    target.open()
    for row, (name, content) in enumerate(files.items(), 1):
        write(target, row, name, content)
    for row in range(len(files) + 1, len(files) + failed + 1):
        target.manifest.add(Record(row, f"failed {row}", error="data: must not be empty."))
    target.finish()
    return target


FILES = {"a": b"a" * 100, "Łódź/b": b"b" * 200}


def test_zip_holds_files_and_report_and_no_parts_are_left(tmp_path: Path) -> None:
    made(tmp_path / "all.zip", FILES)
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert archive.namelist() == ["a.png", "Łódź/b.png", "report.csv", "report.jsonl"]
        assert archive.read("Łódź/b.png") == FILES["Łódź/b"]
        rows = list(csv.DictReader(io.StringIO(archive.read("report.csv").decode())))
        modes = {info.external_attr >> 16 for info in archive.infolist()}
    assert [row["file"] for row in rows] == ["a.png", "Łódź/b.png"]
    assert {stat.filemode(mode) for mode in modes} == {"-rw-r--r--"}


def test_equal_rows_give_equal_archives(tmp_path: Path) -> None:
    made(tmp_path / "1.zip", FILES)
    made(tmp_path / "2.zip", FILES)
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()


def test_files_and_records_can_be_read_from_the_finished_zip(tmp_path: Path) -> None:
    target = made(tmp_path / "all.zip", FILES)
    assert target.read("a.png") == FILES["a"]
    assert len(target.read("Łódź/b.png")) == 200
    assert [record.name for record in target.manifest.records()] == list(FILES)
    with pytest.raises(FileNotFoundError, match=r"all\.zip has no file c\.png"):
        target.read("c.png")


def test_parts_are_kept_while_rows_have_failed(tmp_path: Path) -> None:
    target = made(tmp_path / "all.zip", FILES, failed=1)
    assert (tmp_path / "all.zip.parts/a.png").exists()
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert "a.png" in archive.namelist()
        assert "must not be empty" in archive.read("report.csv").decode()
    target.open()
    for row, name in enumerate(FILES, 1):
        found = target.manifest.find(name, "key")
        assert found is not None
        target.manifest.add(found)
        assert found.row == row
    write(target, 3, "failed 3", b"c")
    target.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]
    assert target.read("failed 3.png") == b"c"


def test_unchanged_files_come_from_the_existing_zip(tmp_path: Path) -> None:
    made(tmp_path / "all.zip", {**FILES, "old": b"old"})
    target = open_target(tmp_path / "all.zip")
    target.open()
    found = target.manifest.find("Łódź/b", "key")
    assert found is not None
    target.manifest.add(found)
    write(target, 1, "a", b"changed", "new key")
    assert zipfile.ZipFile(tmp_path / "all.zip").read("a.png") == FILES["a"]
    target.finish()
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert archive.namelist() == ["a.png", "Łódź/b.png", "report.csv", "report.jsonl"]
        assert archive.read("a.png") == b"changed"
        assert archive.read("Łódź/b.png") == FILES["Łódź/b"]


def test_zip_from_elsewhere_is_replaced_and_not_extracted(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    hostile = b'{"row":1,"name":"a","key":"key","file":"../a.png","size_bytes":1}\n'
    for entries in ({"../a.png": b"a", "report.jsonl": hostile}, {"other.txt": b"a"}, {}):
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in entries.items():
                archive.writestr(name, content)
        target = made(path, FILES)
        assert not (tmp_path / "a.png").exists()
        assert target.read("a.png") == FILES["a"]
    path.write_bytes(b"no zip")
    made(path, FILES)
    assert zipfile.is_zipfile(path)


def test_killed_batch_leaves_no_zip_and_is_continued(tmp_path: Path) -> None:
    added = killed(tmp_path / "all.zip", 10)
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip.parts"]
    target = open_target(tmp_path / "all.zip")
    target.open()
    for row in range(1, added + 1):
        found = target.manifest.find(str(row), "key")
        assert found is not None
        target.manifest.add(found)
    target.finish()
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert len(archive.namelist()) == added + 2
        assert archive.testzip() is None
        assert archive.read("7.png") == bytes([7]) * 300_000


def test_texts_are_compressed_and_images_are_stored(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.zip")
    target.open()
    for row, file in enumerate(("a.svg", "b.png", "c.html"), 1):
        target.store.write(file, b"x" * 1000)
        target.manifest.add(Record(row, file, "key", file, size_bytes=1000))
    target.finish()
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        sizes = {info.filename: info.compress_size for info in archive.infolist()}
    assert sizes["b.png"] == 1000
    assert max(sizes["a.svg"], sizes["c.html"]) < 100


def test_folder_of_the_same_name_is_invalid(tmp_path: Path) -> None:
    (tmp_path / "all.zip").mkdir()
    with pytest.raises(InvalidInput, match=r"all\.zip must be a file, but is a folder"):
        open_target(tmp_path / "all.zip").open()
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]


def test_second_batch_on_the_same_zip_is_refused(tmp_path: Path) -> None:
    target = open_target(tmp_path / "all.zip")
    target.open()
    with pytest.raises(InvalidInput, match=r"another batch is writing to .*all\.zip"):
        open_target(tmp_path / "all.zip").open()
    target.abandon()
