"""Fixtures for tests in JupyterLab: the server, a browser, and open notebooks."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.lab_kit import WAIT_MS, Lab, Open, Tab, chromium, write_notebook

FAILED = pytest.StashKey[bool]()


class _Shared:
    """The browser and the page of all tests in JupyterLab, which takes seconds of processor time to load."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._browser: Browser | None = None
        self._tab: Tab | None = None

    def browser(self) -> Browser:
        if self._browser is None:
            expect.set_options(timeout=WAIT_MS)
            self._browser = self._stack.enter_context(chromium())
        return self._browser

    def tab(self, lab: Lab) -> Tab:
        if self._tab is None:
            self._tab = Tab(lab, self.browser())
        return self._tab

    def close(self) -> None:
        self._browser = self._tab = None
        self._stack.close()


_shared = _Shared()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the browser before other tests: the event loop of Playwright blocks theirs in this thread."""
    if not item.get_closest_marker("lab"):
        _shared.close()


def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Remember that a test failed."""
    node.stash[FAILED] = True


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    _shared.close()
    lab.stop()


@pytest.fixture
def lab_browser() -> Browser:
    return _shared.browser()


@pytest.fixture(scope="module")
def tab(lab: Lab) -> Tab:
    return _shared.tab(lab)


@pytest.fixture
def open_notebook(lab: Lab, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Return a function that opens a notebook, with cells if any are given.

    The test fails on errors in the browser console.
    JupyterLab stays open between tests. A failed test is repeated in a new one.
    """
    tab = _shared.tab(lab)
    tab.console_errors.clear()
    request.node.stash[FAILED] = False

    def open_page(name: str, *cells: str, width: int = 1280) -> Page:
        if cells:
            write_notebook(lab.root / name, cells)
        return tab.open(name, width)

    yield open_page
    console_errors = [*tab.console_errors]
    if request.node.stash[FAILED] or console_errors:
        tab.close()
    else:
        tab.clear()
    lab.end_kernels()
    assert console_errors == []
