"""Fixtures with an IPython shell that records what is displayed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    instance: Any = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    yield instance
    InteractiveShell.clear_instance()


@pytest.fixture
def displayed(shell: Any) -> Iterator[list[Any]]:
    """Return the list to which the shell adds its outputs."""
    from IPython.core.displaypub import CapturingDisplayPublisher

    publisher: Any = CapturingDisplayPublisher()  # type: ignore[no-untyped-call]
    shell.display_pub, before = publisher, shell.display_pub
    yield publisher.outputs
    shell.display_pub = before
