"""Fixtures of tests in JupyterLab: the server, a browser, and notebooks opened in it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.lab_kit import WAIT_MS, Lab, Open, chromium, load, write_notebook


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.stop()


@pytest.fixture(scope="module")  # Playwright's loop runs in this thread, where other tests have theirs
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT_MS)
    with chromium() as browser:
        yield browser


@pytest.fixture
def open_notebook(lab: Lab, browser: Browser) -> Iterator[Open]:
    """Open a notebook with these cells; at its end the test fails on any error in the browser's console."""
    complaints: list[str] = []
    pages: list[Page] = []

    def opened(name: str, *cells: str, width: int = 1280) -> Page:
        write_notebook(lab.root / name, cells)
        page = browser.new_page(viewport={"width": width, "height": 1000})
        pages.append(page)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        load(page, lab, name)
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []
