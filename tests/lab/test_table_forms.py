"""The forms of tools that read tables in JupyterLab."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.axe import serious_findings
from tests.support.lab_kit import Open, run_all, run_cell, use_theme

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]


def test_columns_of_table_image_are_edited_live(open_notebook: Open) -> None:
    page = open_notebook(
        "columns.ipynb", "import mediakit", "mediakit.form('table_image', file=mediakit.samples.SALES, title='Orders')"
    )
    run_all(page)
    form = page.locator(".mediakit-form")
    expect(form.get_by_role("checkbox", name="Show customer")).to_be_checked()
    form.get_by_role("checkbox", name="Show customer").uncheck()
    form.get_by_text(re.compile('columns=\\["order", "city", "day"')).first.wait_for()
    move = form.get_by_role("button", name="Move city up")
    move.press("Enter")
    form.get_by_text(re.compile('columns=\\["city", "order", "day"')).first.wait_for()
    expect(form.get_by_role("button", name="Move city down")).to_be_focused()
    form.locator("summary").filter(has_text="amount").click()
    form.get_by_role("textbox", name="amount: title", exact=True).fill("Total")
    form.get_by_role("combobox", name="amount: number format").fill("$,.0f")
    form.get_by_role("checkbox", name="amount: bars").check()
    form.get_by_text("“Total” · $,.0f · bars").wait_for()
    form.get_by_role("textbox", name="amount: title", exact=True).wait_for()
    form.get_by_text('"number_format": "$,.0f"').first.wait_for()
    form.get_by_role("textbox", name="footnotes").fill("Without tax")
    form.get_by_text('footnotes=["Without tax"]').first.wait_for()
    form.get_by_role("combobox", name="theme", exact=True).select_option("grid")
    form.get_by_text('theme="grid"').first.wait_for()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []
    page.set_viewport_size({"width": 480, "height": 900})
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")
    form.get_by_role("button", name="Show all columns as they are").click()
    expect(form.get_by_role("checkbox", name="Show customer")).to_be_checked()


def test_types_are_chosen_above_columns(open_notebook: Open) -> None:
    page = open_notebook(
        "types.ipynb", "import mediakit", "mediakit.form('data_convert', file=mediakit.samples.SALES, to='json')"
    )
    run_all(page)
    form = page.locator(".mediakit-form")
    table = form.get_by_role("region", name="First rows of file")
    expect(table.get_by_role("row")).to_have_count(8)
    items = form.get_by_role("combobox", name="Type of items")
    expect(items.locator("option:checked")).to_have_text("integer")
    items.select_option("text")
    form.get_by_text('types={"items": "text"}').first.wait_for()
    expect(form.get_by_role("combobox", name="Types of all columns")).to_have_value("some")
    form.get_by_role("combobox", name="Types of all columns").select_option("auto")
    expect(form.get_by_role("combobox", name="Type of items")).to_have_value("")
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []
    page.set_viewport_size({"width": 480, "height": 900})
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")


def test_names_are_inserted_into_query_and_enter_runs_it(open_notebook: Open) -> None:
    page = open_notebook(
        "query.ipynb", "import mediakit", "mediakit.form('data_query', file=mediakit.samples.SALES)", "'next cell'"
    )
    run_cell(page, 0)
    run_cell(page, 1)
    form = page.locator(".mediakit-form")
    query = form.get_by_role("textbox", name="sql", exact=True)
    form.get_by_role("button", name="Insert table sales").wait_for()
    query.fill("SELECT ")
    form.get_by_role("button", name="Insert column order").click()
    expect(query).to_be_focused()
    page.keyboard.type(" FROM")
    form.get_by_role("button", name="Insert table sales").press("Enter")
    expect(query).to_have_value('SELECT "order" FROM sales')
    form.get_by_text("8 rows × 1 column").first.wait_for()
    query.press("Shift+Enter")
    query.press("ControlOrMeta+Enter")
    expect(query).to_be_focused()
    expect(query).to_have_value('SELECT "order" FROM sales')
    expect(page.get_by_text("next cell").locator("visible=true")).to_have_count(
        1
    )  # its code only: the cell did not run
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []
