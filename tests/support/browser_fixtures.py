"""Fixtures for tests that render: a browser and a web site on loopback. Load them through `pytest_plugins`."""

from collections.abc import Iterator

import pytest

from mediakit.engines.browser import Browser
from tests.support.browser_kit import Site, open_browser, open_site


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Return a browser whose pages may reach loopback."""
    with open_browser(allowed_networks=("127.0.0.0/8",)) as browser:
        yield browser


@pytest.fixture
def web() -> Iterator[Site]:
    """Return a web site on loopback that records its requests."""
    with open_site() as site:
        yield site
