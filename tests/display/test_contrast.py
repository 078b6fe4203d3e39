"""Texts of results have enough contrast on the pages that show them: JupyterLab and the documentation site."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser

import mediakit
from mediakit.diagnosis import Diagnosis, Finding
from mediakit.samples import CONTRACT, CUSTOMERS, SALES, SALES_REVISED
from tests.support.axe import serious_findings

pytest_plugins = ["tests.support.docs_fixtures"]

PAGES = {
    "JupyterLab, light": ("#ffffff", "rgba(0, 0, 0, 0.87)"),
    "JupyterLab, dark": ("#111111", "#ffffff"),
    "site, light": ("#ffffff", "#222832"),
    "site, dark": ("#14181e", "#ced6dd"),
    "site, dark, light output": ("#ced6dd", "#222832"),
}
"""Background and text color by page."""

EMAILS = ["ada@example.com", "ada@example.com", "ada@gmial.com", "ada"]
MISSING = Finding("Browser", "not found", "mediakit browser install")
FINDINGS = Diagnosis((Finding("Python", "3.11"), Finding("Fonts", "few", "install fonts", is_warning=True), MISSING))

RESULTS: dict[str, Callable[[], Any]] = {
    "profile": lambda: mediakit.data_profile(CUSTOMERS),
    "table with null": lambda: mediakit.data_convert([{"a": 1, "b": None}], to="json"),
    "query": lambda: mediakit.data_query(CUSTOMERS, sql="SELECT *, NULL AS none FROM data"),
    "differences": lambda: mediakit.data_diff(SALES, SALES_REVISED),
    "repaired text": lambda: mediakit.text_repair(CUSTOMERS),
    "several values": lambda: mediakit.validate_email(EMAILS),
    "one value": lambda: mediakit.validate_iban("ES00"),
    "facts of a file": lambda: mediakit.file_info(CUSTOMERS),
    "facts of a PDF": lambda: mediakit.pdf_info(CONTRACT),
    "batch": lambda: mediakit.batch(mediakit.image_info, [CONTRACT]).report,
    "doctor": lambda: FINDINGS,
}


def html_of(result: Any) -> str:
    if hasattr(result, "_repr_mimebundle_"):
        bundle = result._repr_mimebundle_()
        return str((bundle[0] if isinstance(bundle, tuple) else bundle)["text/html"])
    return str(result._repr_html_())


@pytest.mark.parametrize("name", RESULTS)
def test_texts_of_result_have_contrast(browser: Browser, name: str) -> None:
    html = html_of(RESULTS[name]())
    page = browser.new_page()
    for where, (background, color) in PAGES.items():
        page.set_content(f'<html lang="en"><body style="background:{background};color:{color}">{html}</body></html>')
        assert serious_findings(page, rules=["color-contrast"]) == [], where
    page.close()
