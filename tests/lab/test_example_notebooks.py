"""Every example notebook is stored without outputs, and runs in JupyterLab without errors and warnings."""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from playwright.sync_api import expect

from tests.support.lab_kit import Lab, Tab, run_all, save, write_notebook

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(600)]

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@dataclass(frozen=True)
class Run:
    """The outputs of a notebook and the directory that it ran in."""

    outputs: list[NotebookNode]
    directory: Path


RunNotebook = Callable[[Path], Run]


@pytest.fixture(scope="module")
def run(lab: Lab, tab: Tab) -> RunNotebook:
    """Return a function that runs a notebook once, in a directory of its own."""

    @cache
    def run(path: Path) -> Run:
        directory = lab.root / path.stem
        directory.mkdir(exist_ok=True)
        write_notebook(directory / path.name, [cell.source for cell in code_cells(path)])
        tab.console_errors.clear()
        page = tab.open(f"{path.stem}/{path.name}", 1280)
        try:
            run_all(page)
            expect(page.locator("[data-mime-type='application/vnd.jupyter.error']")).to_have_count(0)
            expect(page.get_by_role("alert")).to_have_count(0)
            save(page)
        finally:
            tab.clear()
            lab.end_kernels()
        assert tab.console_errors == []
        return Run([output for cell in code_cells(directory / path.name) for output in cell.outputs], directory)

    return run


def test_example_notebooks_exist() -> None:
    assert NOTEBOOKS


@every_notebook
def test_notebook_is_stored_without_outputs(path: Path) -> None:
    assert [cell.source for cell in code_cells(path) if cell.outputs or cell.execution_count] == []


@every_notebook
def test_notebook_runs_without_errors_and_warnings(path: Path, run: RunNotebook) -> None:
    outputs = run(path).outputs
    assert [output.traceback for output in outputs if output.output_type == "error"] == []
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


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


def code_cells(path: Path) -> list[NotebookNode]:
    """Return the code cells of a notebook file."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # typed in parts
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
