"""Fixtures for tests in JupyterLab: the server, a browser, and open notebooks."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.lab_kit import WAIT_MS, Lab, Open, chromium, load, write_notebook


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


@pytest.fixture
def open_notebook(lab: Lab, browser: Browser) -> Iterator[Open]:
    """Return a function that opens a notebook with the given cells; the test fails on errors in the browser console.

    Afterwards the kernels end, so that a repeated test starts with a new kernel.
    """
    console_errors: list[str] = []
    pages: list[Page] = []

    def open_page(name: str, *cells: str, width: int = 1280) -> Page:
        write_notebook(lab.root / name, cells)
        page = browser.new_page(viewport={"width": width, "height": 1000})
        pages.append(page)
        page.on("console", lambda message: console_errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: console_errors.append(error.stack or str(error)))
        load(page, lab, name)
        return page

    yield open_page
    for page in pages:
        page.close()
    lab.end_kernels()
    assert console_errors == []
