"""URLs of fsspec as the target of a batch."""

import io
import json
import pickle
import sys
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from mediakit.batches.targets import journal, open_target
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets.lock import lease
from mediakit.batches.targets.store import UrlStore
from mediakit.errors import InvalidInput, MissingPackage
from tests.batches.test_targets import write

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def memory() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    yield system
    system.rm("/batch", recursive=True)


def names(system: Any) -> list[str]:
    return sorted(path.removeprefix("/batch/") for path in system.find("/batch"))


def test_url_holds_files_and_reports(memory: Any) -> None:
    target = open_target("memory://batch/out")
    target.open()
    write(target, 2, "b/c", b"c")
    write(target, 1, "a", b"a")
    target.finish()
    assert names(memory) == ["out/a.png", "out/b/c.png", "out/report.csv", "out/report.jsonl"]
    lines = memory.cat("/batch/out/report.jsonl").splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["a", "b/c"]
    assert [record.name for record in target.manifest.records()] == ["a", "b/c"]
    assert target.store.read("b/c.png") == b"c"


def test_interrupted_batch_is_continued_from_segments(memory: Any) -> None:
    for row in (1, 2, 3):
        target = open_target("memory://batch/out")
        target.open()
        assert [target.manifest.find(str(n), "key") is not None for n in range(1, 5)] == [n < row for n in range(1, 5)]
        write(target, row, str(row), b"x" * row)
        target.abandon()
    assert len([name for name in names(memory) if "report" in name]) == 3
    target = open_target("memory://batch/out")
    target.open()
    for row in (1, 2, 3):
        found = target.manifest.find(str(row), "key")
        assert found is not None
        target.manifest.add(found)
    target.finish()
    assert names(memory) == ["out/1.png", "out/2.png", "out/3.png", "out/report.csv", "out/report.jsonl"]


def test_lines_are_uploaded_while_the_batch_runs(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "UPLOAD_SECONDS", 0.01)
    target = open_target("memory://batch/out")
    target.open()
    write(target, 1, "a", b"a")
    while not any("report-" in name for name in names(memory)):
        pass
    target.abandon()


def test_failed_upload_of_the_report_ends_the_batch(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "UPLOAD_SECONDS", 0.01)
    target = open_target("memory://batch/out")
    target.open()

    def refuse(*_: object) -> None:
        raise RuntimeError("AccessDenied")

    def add_rows() -> None:
        for row in range(1, 10**9):
            target.manifest.add(Record(row % 1000 + 1, "a", str(row), error="no"))

    with monkeypatch.context() as patch:
        patch.setattr(type(memory), "pipe_file", refuse)
        with pytest.raises(OSError, match="RuntimeError: AccessDenied"):
            add_rows()
    target.abandon()


def test_zip_at_a_url_is_continued(memory: Any) -> None:
    target = open_target("memory://batch/all.zip")
    target.open()
    write(target, 1, "a", b"a")
    target.manifest.add(Record(2, "b", error="no"))
    target.finish()
    assert "all.zip.parts/a.png" in names(memory)
    for key in ("key", "new key"):
        target = open_target("memory://batch/all.zip")
        target.open()
        assert target.manifest.find("a", "key") is not None
        target.manifest.add(Record(1, "a", "key", "a.png", "image/png", 1))
        write(target, 2, "b", key.encode(), key)
        target.finish()
        assert names(memory) == ["all.zip"]
        with zipfile.ZipFile(io.BytesIO(memory.cat("/batch/all.zip"))) as archive:
            assert archive.read("a.png") == b"a"
            assert archive.read("b.png") == key.encode()
    assert target.read("b.png") == b"new key"


def test_second_batch_on_the_same_url_is_refused(memory: Any) -> None:
    target = open_target("memory://batch/out")
    target.open()
    with pytest.raises(InvalidInput, match="another batch is writing to memory://batch/out"):
        open_target("memory://batch/out").open()
    write(target, 1, "a", b"a")
    target.abandon()
    again = open_target("memory://batch/out")
    again.open()
    again.abandon()


class SlowStore:
    """A store in which two batches read that there is no lock before one of them writes it."""

    location = "s3://bucket/out"

    def __init__(self) -> None:
        self._both = threading.Barrier(2, timeout=30)
        self.content: bytes | None = None

    def read(self, file: str) -> bytes:
        """Return the lock; the first reads of both batches find none."""
        content = self.content
        if content is None:
            self._both.wait()
            raise FileNotFoundError(file)
        return content

    def put(self, _file: str, content: bytes) -> None:
        """Write the lock."""
        self.content = content

    def delete(self, _file: str) -> None:
        """Delete the lock."""
        self.content = None


def test_only_one_of_two_batches_that_start_in_the_same_moment_gets_the_lock() -> None:
    store = SlowStore()
    with ThreadPoolExecutor(2) as threads:
        locks = [threads.submit(lease, cast("UrlStore", store)) for _ in range(2)]
        errors = [each.exception() for each in locks]
    assert sorted(str(error)[:37] for error in errors) == ["None", "to: another batch is writing to s3://"]
    assert store.read(".mediakit.lock")
    locks[errors.index(None)].result()()
    assert store.content is None


def test_lock_of_a_killed_batch_is_taken_over(memory: Any) -> None:
    owners: tuple[object, ...] = ({"host": "elsewhere", "pid": 1, "time": 1.0}, [], {"time": "x"})
    for owner in owners:
        memory.pipe("/batch/out/.mediakit.lock", json.dumps(owner).encode())
        target = open_target("memory://batch/out")
        target.open()
        target.abandon()
    assert names(memory) == []
    memory.pipe("/batch/keep", b"")


def test_store_of_a_url_can_be_pickled(memory: Any) -> None:
    target = open_target("memory://batch/out")
    target.open()
    pickle.loads(pickle.dumps(target.store)).write("a.png", b"a")
    assert memory.cat("/batch/out/a.png") == b"a"
    target.abandon()


def test_file_urls_are_folders_of_this_machine(tmp_path: Path) -> None:
    target = open_target(f"{tmp_path.as_uri()}/my%20out")
    target.open()
    write(target, 1, "a", b"a")
    target.finish()
    assert (tmp_path / "my out/a.png").read_bytes() == b"a"


def test_unknown_protocol_and_missing_package_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match=r"^to: nowhere://a cannot be opened: Protocol not known: nowhere"):
        open_target("nowhere://a").open()
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingPackage, match=r"s3://a requires fsspec and s3fs, .* pip install .*\[remote\]' s3fs"):
        open_target("s3://a").open()
