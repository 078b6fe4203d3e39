"""Forms in a real JupyterLab, driven through a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.lab_kit import Lab, Open, load, run_all, save
from tests.test_notebooks import NOTEBOOKS, code_cells, read

pytest_plugins = ["tests.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]


def test_a_form_draws_while_somebody_types(open_notebook: Open) -> None:
    page = open_notebook("typing.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    expect(form.get_by_role("img", name="QR code: hi", exact=True)).to_be_visible()
    form.get_by_role("textbox", name="data", exact=True).press_sequentially("!" * 40, delay=15)
    expect(form.get_by_role("img", name="QR code: hi" + "!" * 40, exact=True)).to_be_visible()
    form.get_by_role("combobox", name="format", exact=True).select_option("svg")
    expect(form.get_by_role("link", name="Download qr.svg")).to_be_visible()
    form.get_by_role("tab", name="curl").click()
    expect(form.get_by_text("curl 'http://127.0.0.1:8000/qr?format=svg'")).to_be_visible()
    form.get_by_role("button", name="Copy").locator("visible=true").click()
    expect(form.get_by_role("button", name="Copied")).to_be_visible()


def test_an_error_appears_at_its_field_and_goes(open_notebook: Open) -> None:
    page = open_notebook("errors.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    size = form.get_by_role("spinbutton", name="size", exact=True)
    size.press("ControlOrMeta+a")
    size.press_sequentially("5000", delay=15)
    expect(form.get_by_role("alert")).to_have_text("size must be at most 2000, got 5000.")
    size.press("Backspace")
    expect(form.get_by_role("alert")).to_have_count(0)
    expect(form.get_by_text("PNG · 500 × 500 · ")).to_be_visible()


def test_the_newest_picture_is_there_when_the_notebook_is_opened_again(
    lab: Lab, browser: Browser, open_notebook: Open
) -> None:
    page = open_notebook("again.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    picture = page.locator(".jp-OutputArea-output.jp-RenderedImage img")
    expect(page.locator(".mediakit-form").get_by_role("img")).to_be_visible()
    expect(picture).to_be_hidden()  # one picture is enough while the form lives
    page.get_by_role("spinbutton", name="size", exact=True).fill("300")
    expect(page.get_by_text("PNG · 300 × 300 · ")).to_be_visible()
    save(page)
    page.close()
    lab.end_kernels()
    with browser.new_page() as later:
        load(later, lab, "again.ipynb")
        kept = later.locator(".jp-OutputArea-output.jp-RenderedImage img")
        expect(kept).to_be_visible()
        assert kept.evaluate("image => image.naturalWidth") == 300


def test_a_form_fits_a_narrow_notebook_in_both_themes_and_survives_an_interrupt(open_notebook: Open) -> None:
    warm = "import mediakit; mediakit.capture('<p>', width=100, height=100)"
    slow = "form = mediakit.form(mediakit.capture, html='<h1>Slow</h1>', width=300, height=200, wait_ms=5000)"
    page = open_notebook("narrow.ipynb", warm, slow, "form", "form.result.width", width=440)
    page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
    form = page.locator(".mediakit-form")
    expect(form.get_by_text("Drawing…")).to_be_visible()
    page.evaluate("window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    expect(page.locator(".jp-OutputArea-output").get_by_text("KeyboardInterrupt").first).to_be_visible()
    expect(form.get_by_text("PNG · 300 × 200 · ")).to_be_visible()
    for theme, ink in (("JupyterLab Dark", "rgba(255, 255, 255, 0.87)"), ("JupyterLab Light", "rgba(0, 0, 0, 0.87)")):
        page.evaluate(f"window.jupyterapp.commands.execute('apputils:change-theme', {{theme: '{theme}'}})")
        expect(form.get_by_role("spinbutton", name="width")).to_have_css("color", ink)
    field, picture = form.get_by_role("spinbutton", name="width").bounding_box(), form.get_by_role("img").bounding_box()
    assert field
    assert picture
    assert picture["y"] > field["y"] + field["height"]
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")


def test_a_network_is_put_into_a_code_by_the_keyboard_alone(open_notebook: Open) -> None:
    page = open_notebook("network.ipynb", "import mediakit", "mediakit.form(mediakit.qr, dark='#aaaaaa')")
    run_all(page)
    form = page.locator(".mediakit-form")
    content = form.get_by_role("combobox", name="content", exact=True)
    content.focus()
    content.press("W")
    name = form.get_by_role("textbox", name="name", exact=True)
    expect(name).to_be_visible()
    content.press("Tab")
    expect(name).to_be_focused()
    page.keyboard.type("Guests")
    page.keyboard.press("Tab")
    page.keyboard.type("sunflower-42")
    expect(form.get_by_role("img", name="QR code: WIFI:T:WPA;S:Guests;P:sunflower-42;;")).to_be_visible()
    expect(form.get_by_role("status").get_by_text("contrast")).to_be_visible()


def test_a_table_from_a_spreadsheet_becomes_a_chart(open_notebook: Open) -> None:
    page = open_notebook("table.ipynb", "import mediakit", "mediakit.form(mediakit.chart)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="Paste from a spreadsheet").fill("City\tNorth\nOslo\t12\nRoma\t7")
    expect(form.get_by_role("textbox", name="Label 2")).to_have_value("Roma")
    form.get_by_role("textbox", name="Series 1, row 2").fill("many")
    expect(form.get_by_role("alert")).to_have_text("series Roma needs a number, got 'many'.")
    form.get_by_role("textbox", name="Series 1, row 2").fill("70")
    expect(form.get_by_role("img", name="Roma")).to_be_visible()
    form.get_by_role("button", name="Zoom").click()
    expect(form.get_by_role("button", name="Zoom", pressed=True)).to_be_visible()


def test_a_template_is_picked_and_filled_in(open_notebook: Open) -> None:
    page = open_notebook("template.ipynb", "import mediakit", "mediakit.form(mediakit.templates())")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("button", name="certificate").click()
    form.get_by_role("textbox", name="recipient").fill("Ada Lovelace")
    form.get_by_role("combobox", name="format", exact=True).select_option("pdf")
    expect(form.get_by_text("PDF · 1 page · ")).to_be_visible()
    expect(form.get_by_role("link", name="Download certificate.pdf")).to_be_visible()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_that_ships_shows_no_error(path: Path, open_notebook: Open) -> None:
    cells = [cell.source for cell in code_cells(read(path))]
    page = open_notebook(path.name, *cells)
    run_all(page)
    expect(page.locator("[data-mime-type='application/vnd.jupyter.error']")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
