"""What the script of a form does with the notebook in JupyterLab."""

import re

import pytest
from playwright.sync_api import expect

from mediakit.samples import LANDSCAPE
from tests.support.lab_kit import Lab, Open, load, run_all, run_cell, save, send_file

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

FORM = "mediakit.form(mediakit.qr, data='hi')"


def test_form_inserts_call_below_its_cell(open_notebook: Open) -> None:
    page = open_notebook("insert.ipynb", "import mediakit", FORM, "'last cell'")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="data", exact=True).fill("hello")
    form.get_by_text('mediakit.qr("hello")').wait_for()
    form.get_by_role("button", name="Insert as cell").click()
    form.get_by_role("button", name="Inserted below").wait_for()
    sources = "() => jupyterapp.shell.currentWidget.model.sharedModel.cells.map(cell => cell.source)"
    assert page.evaluate(sources) == ["import mediakit", FORM, 'mediakit.qr("hello")', "'last cell'"]
    run_all(page)
    page.locator(".jp-Cell").nth(2).locator(".jp-OutputArea-output.jp-RenderedHTML img").wait_for()


def test_inserted_call_of_an_upload_runs(lab: Lab, open_notebook: Open) -> None:
    page = open_notebook("upload.ipynb", "import mediakit", "mediakit.form('images', width=90)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_text("or drop an image here, or paste one").wait_for()
    send_file(page, "drop", {"name": "landscape.jpg", "mimeType": "image/jpeg", "buffer": LANDSCAPE.read_bytes()})
    form.get_by_text("save landscape.jpg beside the notebook").first.wait_for()
    form.get_by_role("button", name="Insert as cell").click()
    expect(page.locator(".jp-Cell.jp-mod-active .cm-content")).to_contain_text('pathlib.Path("landscape.jpg")')
    page.keyboard.press("Shift+Enter")
    page.locator(".jp-Cell").nth(2).locator(".jp-OutputArea-output img").first.wait_for()
    assert (lab.root / "landscape.jpg").read_bytes() == LANDSCAPE.read_bytes()


def test_tab_shows_the_tools_with_their_help(open_notebook: Open) -> None:
    page = open_notebook("tab.ipynb", "import mediakit", "mediakit.")
    run_cell(page, 0)
    page.locator(".jp-Cell").nth(1).locator(".cm-content").click()
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    entry = page.locator(".jp-Completer-item").filter(has_text="barcode").first
    expect(entry).to_contain_text("Create a barcode", ignore_case=True)


def test_saved_notebook_has_no_missing_widget_and_reload_shows_live_form(lab: Lab, open_notebook: Open) -> None:
    page = open_notebook("saved.ipynb", "import mediakit", FORM)
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("img", name="QR code: hi", exact=True).wait_for()
    save(page)
    load(page, lab, "saved.ipynb")
    page.locator(".jp-OutputArea-output.jp-RenderedHTML img").wait_for(state="hidden")
    form.get_by_role("textbox", name="data", exact=True).fill("after reload")
    form.get_by_role("img", name="QR code: after reload", exact=True).wait_for()
    save(page)
    page.goto("about:blank")
    lab.end_kernels()
    load(page, lab, "saved.ipynb")
    page.locator(".jp-OutputArea-output.jp-RenderedHTML img").wait_for()
    page.get_by_text('mediakit.qr("hi")').wait_for()
    expect(page.get_by_text("model not found")).to_have_count(0)


def test_form_reports_busy_kernel_after_edit(open_notebook: Open) -> None:
    page = open_notebook("busy.ipynb", "import mediakit, time", FORM, "time.sleep(20)")
    page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
    form = page.locator(".mediakit-form")
    form.get_by_role("img", name="QR code: hi", exact=True).wait_for()
    form.get_by_role("textbox", name="data", exact=True).fill("edited")
    notice = form.get_by_text("The kernel is busy; the form updates when it is free.")
    notice.wait_for()
    form.get_by_text('mediakit.qr("hi")').wait_for(state="hidden")
    page.evaluate("window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    notice.wait_for(state="hidden")
    form.get_by_text('mediakit.qr("edited")').wait_for()


COUNT = "from ipywidgets.widgets import widget; len(widget._instances)"


def test_cell_that_runs_again_closes_its_form(open_notebook: Open) -> None:
    page = open_notebook("closed.ipynb", "import mediakit", "mediakit.form('qr', data='hi')", COUNT)
    run_all(page)
    counts = page.locator(".jp-Cell").nth(2).locator(".jp-OutputArea-output")
    expect(counts).to_have_text(re.compile("[0-9]{2,}"))
    count = counts.inner_text()
    for _ in range(2):
        run_cell(page, 1)
    run_cell(page, 2)
    assert counts.inner_text() == count
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="data", exact=True).fill("again")
    form.get_by_role("img", name="QR code: again", exact=True).wait_for()


def test_kept_values_are_restored_after_kernel_restart(lab: Lab, open_notebook: Open) -> None:
    page = open_notebook("kept.ipynb", "import mediakit", FORM)
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("checkbox", name="Keep values").check()
    form.get_by_role("textbox", name="data", exact=True).fill("kept")
    form.get_by_role("img", name="QR code: kept", exact=True).wait_for()
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    run_all(page)
    expect(page.locator(".jupyter-widgets-disconnected")).to_have_count(0)
    form.get_by_role("img", name="QR code: kept", exact=True).wait_for()
    form.get_by_role("button", name="Undo", exact=True).click()
    form.get_by_role("img", name="QR code: hi", exact=True).wait_for()
    form.get_by_role("checkbox", name="Keep values").uncheck()
    expect(form.get_by_role("checkbox", name="Keep values")).not_to_be_checked()
