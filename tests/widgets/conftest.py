"""Every form of these tests has a folder of its own, because code of a form saves its uploads in the current folder."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def notebook_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
