"""Fixtures for tests in JupyterLab: the server, a browser, and open notebooks."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.lab_kit import WAIT_MS, Lab, Open, Tab, chromium, write_notebook

FAILED = pytest.StashKey[bool]()


def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Remember that a test failed."""
    node.stash[FAILED] = True


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.stop()


@pytest.fixture(scope="module")  # Playwright's event loop blocks those of other tests in this thread
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT_MS)
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def tab(lab: Lab, browser: Browser) -> Tab:
    return Tab(lab, browser)


@pytest.fixture
def open_notebook(lab: Lab, tab: Tab, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Return a function that opens a notebook, with cells if any are given.

    The test fails on errors in the browser console.
    JupyterLab stays open between tests. A failed test is repeated in a new one, with a new kernel.
    """
    tab.console_errors.clear()

    def open_page(name: str, *cells: str, width: int = 1280) -> Page:
        if cells:
            write_notebook(lab.root / name, cells)
        return tab.open(name, width)

    yield open_page
    console_errors = [*tab.console_errors]
    if request.node.stash.get(FAILED, False):
        tab.close()
    else:
        tab.clear()
    lab.end_kernels()
    assert console_errors == []
