"""Fixtures for tests of the documentation page: a browser, and a visit of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from mediakit.engines.browser.command import find
from mediakit.server import Server
from mediakit.settings import BrowserSettings
from tests.support.docs_kit import Visit, open_visit


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)  # Chromium renders slowly on busy machines
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find(BrowserSettings()), chromium_sandbox=False)
        yield running
        running.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    with open_visit(browser, server.url, server.key) as visit:
        yield visit
