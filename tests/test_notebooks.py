"""Every notebook that ships runs from top to bottom, and is stored without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@every_notebook
def test_is_stored_without_outputs(path: Path) -> None:
    assert [cell for cell in _code(_read(path)) if cell.outputs or cell.execution_count] == []


@every_notebook
@pytest.mark.browser
def test_runs_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _warnings(_run(path, tmp_path, monkeypatch)) == []


@pytest.mark.browser
def test_the_first_notebook_shows_its_pictures_and_saves_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = _run(NOTEBOOKS[0], tmp_path, monkeypatch)
    shown = [output for output in _outputs(notebook) if "image/png" in output.get("data", {})]
    assert [_said(output).split(",")[0] for output in shown] == [
        "<ImageResult PNG 320x320",
        "<ImageResult WEBP 480x300",
        "<ImageResult PNG 800x320",
        "<ImageResult PNG 512x512",
        "<ImageResult PNG 512x512",
    ]
    assert (tmp_path / "out" / "card.png").read_bytes().startswith(b"\x89PNG")


def _run(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> NotebookNode:
    """Run a notebook in a kernel that keeps nothing outside the folder."""
    monkeypatch.setenv("MEDIAKIT_HOME", str(folder / "home"))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    notebook = _read(path)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def _read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def _code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in _code(notebook) for output in cell.outputs]


def _warnings(notebook: NotebookNode) -> list[str]:
    """Give what the cells wrote to standard error."""
    return [output.text for output in _outputs(notebook) if output.get("name") == "stderr"]


def _said(output: NotebookNode) -> str:
    return str(output.data["text/plain"])
