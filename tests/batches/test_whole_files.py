"""Files of a folder get their final name only when they are complete."""

import errno
import os
from pathlib import Path

import pytest

from mediakit.batches.targets.store import write_whole


def test_file_is_written_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a.png"
    for content in (b"first", b"", b"x" * 100_000):
        write_whole(str(target), content)
        assert target.read_bytes() == content
    assert list(tmp_path.iterdir()) == [target]


def test_new_file_has_the_permissions_of_other_files(tmp_path: Path) -> None:
    write_whole(str(tmp_path / "a.png"), b"a")
    (tmp_path / "b.png").write_bytes(b"b")
    assert (tmp_path / "a.png").stat().st_mode == (tmp_path / "b.png").stat().st_mode


def test_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other.png").write_bytes(b"other")
    (tmp_path / "a.png").symlink_to(tmp_path / "other.png")
    write_whole(str(tmp_path / "a.png"), b"new")
    assert (tmp_path / "other.png").read_bytes() == b"other"
    assert (tmp_path / "a.png").read_bytes() == b"new"


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(str(tmp_path / "missing" / "a.png"), b"a")
    assert not list(tmp_path.iterdir())


def test_full_disk_is_an_error_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(str(tmp_path / "a.png"), b"a")
    assert not list(tmp_path.iterdir())
