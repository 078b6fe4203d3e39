"""Every notebook that ships runs from top to bottom, and is stored without outputs."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@dataclass(frozen=True)
class Finished:
    """A notebook after its last cell, and the folder that it ran in."""

    outputs: list[NotebookNode]
    folder: Path


Run = Callable[[Path], Finished]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a notebook, once, in a kernel that keeps nothing outside a folder of its own."""

    @cache
    def run(path: Path) -> Finished:
        folder = tmp_path_factory.mktemp(path.stem)
        notebook = read(path)
        client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
        own = {"MEDIAKIT_HOME": str(folder / "home"), "IPYTHONDIR": str(folder / "ipython")}
        client.execute(env=os.environ | own)
        return Finished([output for cell in code_cells(notebook) for output in cell.outputs], folder)

    return run


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@every_notebook
def test_is_stored_without_outputs(path: Path) -> None:
    assert [cell.source for cell in code_cells(read(path)) if cell.outputs or cell.execution_count] == []


@every_notebook
@pytest.mark.browser
def test_runs_from_top_to_bottom_without_a_warning(path: Path, run: Run) -> None:
    assert [output.text for output in run(path).outputs if output.get("name") == "stderr"] == []


@pytest.mark.browser
def test_the_first_notebook_shows_its_pictures_and_saves_its_code(run: Run) -> None:
    finished = run(NOTEBOOKS[0])
    shown = [output.data["text/plain"] for output in finished.outputs if "image/png" in output.get("data", {})]
    assert [text.split(",")[0] for text in shown] == [
        "<ImageResult PNG 240x240",
        "<ImageResult WEBP 320x320",
        "<ImageResult PNG 800x320",
        "<ChartResult PNG 800x320",
        "<ImageResult PNG 320x320",  # the form's own, for readers without a kernel
    ]
    assert (finished.folder / "out" / "menu.png").read_bytes().startswith(b"\x89PNG")


def read(path: Path) -> NotebookNode:
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # typed in parts
    return notebook


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
