"""Every example notebook runs without errors and is stored without outputs."""

import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))

CELL_SECONDS = 300
"""Time-out of a cell. A batch renders dozens of documents, on a machine that runs other tests as well."""

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@dataclass(frozen=True)
class Run:
    """The outputs of a notebook and the directory that it ran in."""

    outputs: list[NotebookNode]
    directory: Path


RunNotebook = Callable[[Path], Run]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunNotebook:
    """Return a function that runs a notebook once in a temporary directory."""

    @cache
    def run(path: Path) -> Run:
        directory = tmp_path_factory.mktemp(path.stem)
        notebook = read(path)
        client = NotebookClient(notebook, timeout=CELL_SECONDS, resources={"metadata": {"path": str(directory)}})
        variables = {"MEDIAKIT_HOME": str(directory / "home"), "IPYTHONDIR": str(directory / "ipython")}
        client.execute(env=os.environ | variables)
        return Run([output for cell in code_cells(notebook) for output in cell.outputs], directory)

    return run


def test_example_notebooks_exist() -> None:
    assert NOTEBOOKS


@every_notebook
def test_notebook_is_stored_without_outputs(path: Path) -> None:
    assert [cell.source for cell in code_cells(read(path)) if cell.outputs or cell.execution_count] == []


@every_notebook
@pytest.mark.browser
@pytest.mark.timeout(600)
def test_notebook_runs_without_warnings(path: Path, run: RunNotebook) -> None:
    assert [output.text for output in run(path).outputs if output.get("name") == "stderr"] == []


@pytest.mark.browser
def test_first_notebook_shows_images_and_saves_qr_code(run: RunNotebook) -> None:
    first = run(NOTEBOOKS[0])
    images = [output.data["text/plain"] for output in first.outputs if "image/png" in output.get("data", {})]
    assert [text.split(",")[0] for text in images] == [
        "<ImageResult PNG 512x512",
        "<ImageResult PNG 240x240",
        "<ImageResult WEBP 320x320",
        "<ImageResult PNG 800x320",
        "<ChartResult PNG 800x320",
        "<ImageResult PNG 320x320",  # stored by the form for readers without a kernel
    ]
    assert (first.directory / "out" / "menu.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.browser
@pytest.mark.timeout(600)
def test_batch_notebook_makes_what_changed_and_the_same_on_a_cluster(run: RunNotebook) -> None:
    outcome = run(next(path for path in NOTEBOOKS if path.stem == "09_batch"))
    texts = [output.data["text/plain"] for output in outcome.outputs if output.output_type == "display_data"]
    assert [text for text in texts if text.startswith(("pdf: ", "capture: "))] == [
        "pdf: 5 created, 1 failed, saved in certificates.zip",
        "pdf: 1 created, 5 unchanged, saved in certificates.zip",
        "pdf: 1 created, 5 unchanged, saved in certificates.zip",
        "pdf: 6 created, saved in print.pdf",
        "capture: 6 created, saved in overview.jpg",
        "pdf: 18 created, saved in district.zip",
    ]
    with zipfile.ZipFile(outcome.directory / "certificates.zip") as archive:
        names = archive.namelist()
    assert {"6a/Mary Fairfax Somerville.pdf", "6b/Emmy Noether.pdf", "report.csv"} <= {*names}
    assert "6a/Mary Somerville.pdf" not in names


def read(path: Path) -> NotebookNode:
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # typed in parts
    return notebook


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
