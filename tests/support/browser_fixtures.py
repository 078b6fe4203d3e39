"""Fixtures of the tests of rendering: a Chromium and a site on loopback. Loaded by name, through `pytest_plugins`."""

from collections.abc import Iterator

import pytest

from mediakit.engines.browser import Browser
from tests.support.browser_kit import Site, browser, site


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser whose pages may reach loopback."""
    with browser(allowed_networks=("127.0.0.0/8",)) as made:
        yield made


@pytest.fixture
def web() -> Iterator[Site]:
    """A site on loopback that remembers what it was asked for."""
    with site() as running:
        yield running
