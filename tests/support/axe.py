"""Accessibility checks with axe-core, in a page that Playwright has open."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")

RUN = """([selector, rules]) => axe.run(
    selector ? {include: [selector]} : document,
    {resultTypes: ['violations'], preload: false, ...(rules.length ? {runOnly: rules} : {})})"""


def serious_findings(page: Page, selector: str = "", *, rules: Sequence[str] = ()) -> list[str]:
    """Return the serious and critical findings in a page, or in the elements of a selector, one line per element.

    Args:
        page: The page.
        selector: Selects the elements to check; empty: all.
        rules: The rules to check, such as `color-contrast` if only the colors have changed; empty: all.
    """
    if not page.evaluate("typeof window.axe?.run === 'function'"):
        page.evaluate(_script())
    violations = page.evaluate(RUN, [selector, list(rules)])["violations"]
    return [line for violation in violations if violation["impact"] in SERIOUS for line in _lines(violation)]


def _lines(violation: dict[str, Any]) -> list[str]:
    return [
        f"{violation['id']}: {node['html'][:300]} {' '.join(node['failureSummary'].split())}"
        for node in violation["nodes"]
    ]


@cache
def _script() -> str:
    return str(AXE_FILE_PATH.read_text("utf-8"))
