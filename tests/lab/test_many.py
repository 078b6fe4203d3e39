"""The tab Many in JupyterLab, controlled through a browser."""

import pytest
from playwright.sync_api import FilePayload, expect

from tests.support.axe import serious_findings
from tests.support.lab_kit import Open, run_all, send_file

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

ROWS = "[{'url': 'https://example.com', 'who': 'Ada'}, {'url': 'https://example.org/a/long/address', 'who': 'Bo'}]"


def test_rows_of_dropped_and_passed_tables_become_one_file(open_notebook: Open) -> None:
    page = open_notebook("many.ipynb", "import mediakit", f"mediakit.form('qr', rows={ROWS})")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_text("Row 2 of 2 · longest texts").wait_for()
    form.get_by_role("img", name="QR code: https://example.org/a/long/address", exact=True).wait_for()
    expect(form.get_by_role("combobox", name="url", exact=True)).to_have_value("data")
    form.get_by_role("button", name="Next row").click()
    form.get_by_role("img", name="QR code: https://example.com", exact=True).wait_for()
    form.get_by_role("button", name="Create 2 results").click()
    form.get_by_role("link", name="Download qr.zip").wait_for()
    form.get_by_role("combobox", name="output", exact=True).select_option("One PDF")
    table: FilePayload = {"name": "guests.csv", "mimeType": "text/csv", "buffer": b"text,name\ntea,A\n,B\nmilk,C\n"}
    form.get_by_role("button", name="Choose a table").wait_for()
    send_file(page, "drop", table)
    form.get_by_text("Columns of guests.csv").wait_for()
    form.get_by_role("button", name="Create 3 results").click()
    form.get_by_role("link", name="Download qr.pdf").wait_for()
    form.get_by_text("Row 2: data").wait_for()
    assert serious_findings(page, ".mediakit-form") == []
    form.get_by_role("tab", name="One").click()
    form.get_by_text("Fill in data.").wait_for()
