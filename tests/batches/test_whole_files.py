"""Files of a folder get their final name only when they are complete."""

import os
from pathlib import Path

import pytest

from mediakit.batches.targets.whole_files import write_whole


@pytest.fixture(params=["unnamed", "beside"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a file system that has files without a name, and of one that does not."""
    if request.param == "beside":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    return tmp_path


def test_file_is_written_and_replaced(folder: Path) -> None:
    target = folder / "a.png"
    for content in (b"first", b"", b"x" * 100_000):
        write_whole(str(target), content)
        assert target.read_bytes() == content
    assert list(folder.iterdir()) == [target]


def test_new_file_has_the_permissions_of_other_files(folder: Path) -> None:
    write_whole(str(folder / "a.png"), b"a")
    (folder / "b.png").write_bytes(b"b")
    assert (folder / "a.png").stat().st_mode == (folder / "b.png").stat().st_mode


def test_link_is_replaced_and_not_followed(folder: Path) -> None:
    (folder / "other.png").write_bytes(b"other")
    (folder / "a.png").symlink_to(folder / "other.png")
    write_whole(str(folder / "a.png"), b"new")
    assert (folder / "other.png").read_bytes() == b"other"
    assert (folder / "a.png").read_bytes() == b"new"


def test_file_that_appears_meanwhile_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.png").write_bytes(b"earlier")
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    write_whole(str(folder / "a.png"), b"new")
    assert (folder / "a.png").read_bytes() == b"new"


def test_missing_folder_is_an_error(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(str(folder / "missing" / "a.png"), b"a")
    assert not list(folder.iterdir())


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="requires Linux")
def test_full_disk_is_an_error_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_file = os.open
    monkeypatch.setattr(os, "open", lambda *_: open_file("/dev/full", os.O_WRONLY))
    with pytest.raises(OSError, match="No space left"):
        write_whole(str(tmp_path / "a.png"), b"a")
    assert not list(tmp_path.iterdir())
