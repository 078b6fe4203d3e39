"""Forms in JupyterLab, controlled through a browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from mediakit.tools.catalogue import tool_names
from tests.support.axe import serious_findings
from tests.support.lab_kit import Lab, Open, load, run_all, run_cell, save, use_theme

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]


def test_form_updates_preview_and_call_while_typing(open_notebook: Open) -> None:
    page = open_notebook("typing.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("img", name="QR code: hi", exact=True).wait_for()
    form.get_by_role("textbox", name="data", exact=True).press_sequentially("!" * 40, delay=15)
    form.get_by_role("img", name="QR code: hi" + "!" * 40, exact=True).wait_for()
    form.get_by_text("More options").click()
    form.get_by_role("combobox", name="format", exact=True).select_option("svg")
    form.get_by_role("link", name="Download qr.svg").wait_for()
    form.get_by_role("tab", name="curl").click()
    form.get_by_text("curl 'http://127.0.0.1:8765/qr?format=svg'").wait_for()
    form.get_by_role("button", name="Copy").locator("visible=true").click()
    form.get_by_role("button", name="Copied").wait_for()


def test_form_shows_error_at_field_until_it_is_fixed(open_notebook: Open) -> None:
    page = open_notebook("errors.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    size = form.get_by_role("spinbutton", name="size", exact=True)
    size.press("ControlOrMeta+a")
    size.press_sequentially("5000", delay=15)
    expect(form.get_by_role("alert")).to_have_text("Must be between 64 and 2000, got 5000.")
    size.press("Backspace")
    expect(form.get_by_role("alert")).to_have_count(0)
    form.get_by_text("PNG · 500 × 500 · ").wait_for()


def test_saved_notebook_shows_latest_preview_of_form(lab: Lab, open_notebook: Open) -> None:
    page = open_notebook("again.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    image = page.locator(".jp-OutputArea-output.jp-RenderedHTML img")
    page.locator(".mediakit-form").get_by_role("img").wait_for()
    image.wait_for(state="hidden")  # the form already shows the image
    page.get_by_role("spinbutton", name="size", exact=True).fill("300")
    page.get_by_text("PNG · 300 × 300 · ").wait_for()
    save(page)
    page.goto("about:blank")
    lab.end_kernels()
    load(page, lab, "again.ipynb")
    image.wait_for()
    assert image.evaluate("image => image.naturalWidth") == 300


def test_form_fits_narrow_notebook_in_both_themes_and_continues_after_interrupt(open_notebook: Open) -> None:
    setup = "import mediakit; mediakit.capture('<p>', width=100, height=100)"
    slow = "form = mediakit.form(mediakit.capture, html='<h1>Slow</h1>', width=300, height=200, wait_ms=5000)"
    page = open_notebook("narrow.ipynb", setup, slow, "form", "form.result.width", width=440)
    page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
    form = page.locator(".mediakit-form")
    form.get_by_text("Rendering…").wait_for()
    page.evaluate("window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    page.locator(".jp-OutputArea-output").get_by_text("KeyboardInterrupt").first.wait_for()
    form.get_by_text("PNG · 300 × 200 · ").wait_for()
    for theme, color in (("JupyterLab Dark", "rgba(255, 255, 255, 0.87)"), ("JupyterLab Light", "rgba(0, 0, 0, 0.87)")):
        page.evaluate(f"window.jupyterapp.commands.execute('apputils:change-theme', {{theme: '{theme}'}})")
        expect(form.get_by_role("textbox", name="width", exact=True)).to_have_css("color", color)
    field, image = form.get_by_role("textbox", name="width", exact=True), form.get_by_role("img")
    assert top(image) < top(field)
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")


def test_wifi_code_can_be_created_with_keyboard_only(open_notebook: Open) -> None:
    page = open_notebook("network.ipynb", "import mediakit", "mediakit.form(mediakit.qr, dark='#aaaaaa')")
    run_all(page)
    form = page.locator(".mediakit-form")
    content = form.get_by_role("combobox", name="content", exact=True)
    content.focus()
    content.press("W")
    name = form.get_by_role("textbox", name="name", exact=True)
    name.wait_for()
    content.press("Tab")
    expect(name).to_be_focused()
    page.keyboard.type("Guests")
    page.keyboard.press("Tab")
    page.keyboard.type("sunflower-42")
    form.get_by_role("img", name="QR code: WIFI:T:WPA;S:Guests;P:sunflower-42;;").wait_for()
    form.get_by_role("status").get_by_text("contrast").wait_for()


COUNT_CALLS = """
import mediakit
calls = []
arun = getattr(mediakit, "_arun", type(mediakit.qr).arun)
mediakit._arun = arun  # so that running the cell again counts no call twice
async def counted(tool, request, arun=arun, calls=calls):
    calls.append(request)
    return await arun(tool, request)
type(mediakit.qr).arun = counted"""


def test_forty_fast_keystrokes_call_tool_a_few_times(open_notebook: Open) -> None:
    page = open_notebook("fast.ipynb", COUNT_CALLS, "mediakit.form(mediakit.qr, data='hi')", "len(calls)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="data", exact=True).press_sequentially("!" * 40, delay=25)
    form.get_by_role("img", name="QR code: hi" + "!" * 40, exact=True).wait_for()
    run_cell(page, 2)
    count = page.locator(".jp-Cell").nth(2).locator(".jp-OutputArea-output")
    expect(count).to_have_text(re.compile("^ *[2-9] *$"))  # the slower the machine, the more pauses between keys


def test_chart_form_reads_pasted_spreadsheet_table(open_notebook: Open) -> None:
    page = open_notebook("table.ipynb", "import mediakit", "mediakit.form(mediakit.chart)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="Paste a whole table").fill("City\tNorth\nOslo\t12\nRoma\t7")
    expect(form.get_by_role("textbox", name="Label 2")).to_have_value("Roma")
    form.get_by_role("textbox", name="Series 1, row 2").fill("many")
    expect(form.get_by_role("alert")).to_have_text("Roma must have a number, got 'many'.")
    form.get_by_role("textbox", name="Series 1, row 2").fill("70")
    form.get_by_role("img", name="Roma").wait_for()


def test_chart_cells_can_be_pasted_removed_and_undone_with_keyboard(open_notebook: Open) -> None:
    page = open_notebook("cells.ipynb", "import mediakit", "mediakit.form(mediakit.chart)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="Series 1, row 2").fill("1,5\n2,5\n3")  # as pasting does
    expect(form.get_by_role("textbox", name="Series 1, row 4")).to_have_value("3")
    expect(form.get_by_role("alert")).to_have_text("A row must have a number for 2026, its cell is empty.")
    form.get_by_role("button", name="Remove row 4").press("Enter")
    expect(form.get_by_role("textbox", name="Label 4")).to_have_count(0)
    expect(form.get_by_role("alert")).to_have_count(0)
    form.get_by_role("button", name="Undo").press("Enter")
    expect(form.get_by_role("textbox", name="Series 1, row 4")).to_have_value("3")
    form.get_by_role("button", name="Undo").press("Enter")
    expect(form.get_by_role("textbox", name="Series 1, row 2")).to_have_value("30")


def test_chart_table_is_edited_with_keyboard_as_sheet(open_notebook: Open) -> None:
    page = open_notebook("sheet.ipynb", "import mediakit", "mediakit.form(mediakit.chart)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="Series 1, row 1").click()
    form.get_by_role("textbox", name="Series 1, row 1").select_text()
    for keys in ("71", "Tab", "72", "Tab", "Fall", "ArrowRight", "73", "Enter", "74", "ArrowLeft", "ArrowUp", "75"):
        page.keyboard.press(keys) if keys[0] in "TAE" else page.keyboard.type(keys)
    form.get_by_text('["Spring", "Fall", "Autumn"]').first.wait_for()
    form.get_by_text('"data": [71, 75, 74]').first.wait_for()
    form.get_by_role("textbox", name="Label 1").focus()
    page.keyboard.press("Shift+Tab")
    expect(form.get_by_role("textbox", name="Name of series 2")).to_be_focused()
    form.get_by_role("textbox", name="Series 2, row 3").focus()
    page.keyboard.press("Tab")
    expect(form.get_by_role("button", name="Move row 3 up")).to_be_focused()


def test_picked_color_is_used_for_series(open_notebook: Open) -> None:
    page = open_notebook("colors.ipynb", "import mediakit", "mediakit.form(mediakit.chart)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_label("Pick 2026").fill("#008000")
    expect(form.get_by_role("textbox", name="2026", exact=True)).to_have_value("#008000")
    form.get_by_text('palette=["#4f41f1", "#008000"]').wait_for()


def test_preview_stays_zoomed_when_it_updates(open_notebook: Open) -> None:
    page = open_notebook("zoom.ipynb", "import mediakit", "mediakit.form(mediakit.chart, width=1600, height=1000)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("button", name="Zoom").click()
    expect(form.get_by_role("img")).to_have_css("width", "1602px")  # with its border
    form.get_by_role("textbox", name="title", exact=True).fill("Visitors")
    expect(form.get_by_role("img", name="Visitors")).to_have_css("width", "1602px")
    form.get_by_role("button", name="Zoom", pressed=True).wait_for()


def test_collapsed_option_can_be_opened_and_used(open_notebook: Open) -> None:
    page = open_notebook("fold.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    margin = form.get_by_role("spinbutton", name="margin", exact=True)
    margin.wait_for(state="hidden")
    form.get_by_text("More options").press("Enter")
    margin.fill("4")
    form.get_by_text('mediakit.qr("hi", margin=4)').wait_for()


def test_invoice_form_adds_item(open_notebook: Open) -> None:
    page = open_notebook("items.ipynb", "import mediakit", "mediakit.form(mediakit.templates()['invoice'])")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="company", exact=True).wait_for(state="hidden")
    form.get_by_text("Seller").click()
    form.get_by_role("textbox", name="company", exact=True).fill("Harbour Books")
    form.get_by_role("button", name="Add an item").click()
    form.get_by_role("textbox", name="item3_name").fill("Hosting")
    form.get_by_text('"item3_name": "Hosting"').locator("visible=true").wait_for()
    form.get_by_text('"item1_name": "Logo design"').locator("visible=true").wait_for()


def test_form_shows_hint_after_kernel_restart(open_notebook: Open) -> None:
    page = open_notebook("restart.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("img").wait_for()
    assert hint(form) == "none"
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    page.locator(".mediakit-form.jupyter-widgets-disconnected").wait_for()
    assert "Run the cell again" in hint(form)
    form.get_by_role("img", name="QR code: hi", exact=True).wait_for()
    run_all(page)
    expect(page.locator(".jupyter-widgets-disconnected")).to_have_count(0)
    form.get_by_role("textbox", name="data", exact=True).fill("again")
    form.get_by_role("img", name="QR code: again", exact=True).wait_for()


def test_two_views_of_form_stay_in_sync(open_notebook: Open) -> None:
    page = open_notebook(
        "views.ipynb", "import mediakit", "form = mediakit.form(mediakit.qr, data='hi')", "form", "form"
    )
    page.set_viewport_size({"width": 1280, "height": 2400})
    run_all(page)
    one, other = page.locator(".mediakit-form").all()
    one.get_by_role("textbox", name="data", exact=True).fill("both")
    for view in (one, other):
        view.get_by_role("img", name="QR code: both", exact=True).wait_for()


FORMS_PER_NOTEBOOK = 8
FORM_COUNT = len(tool_names()) + 1

EVERY_FORM = """
import mediakit
from mediakit.samples import ARCHIVE, FORM, LABEL, LANDSCAPE, PROPOSAL, REPORT, SALES, SLIDES
from mediakit.samples import PROPOSAL_DATA
from mediakit.tools.catalogue import all_tools
start = {
    "qr": {"data": "hi", "logo": LANDSCAPE}, "barcode": {"data": "hi"}, "images": {"file": LANDSCAPE, "width": 90},
    "code_reader": {"file": LABEL}, "web_to_markdown": {"html": "<title>Tea</title><p>Hot water"},
    "markdown_convert": {"markdown": "# Tea"},
    "document_to_markdown": {"file": SLIDES},
    "zip": {"files": [LANDSCAPE]}, "unzip": {"file": ARCHIVE}, "file_encode": {"text": "tea"},
    "image_compare": {"file": LANDSCAPE, "file2": LABEL}, "table_image": {"file": SALES},
    "image_watermark": {"file": LANDSCAPE, "text": "Tea"}, "data_sample": {"fields": "id, name", "seed": 1},
    "data_convert": {"file": SALES}, "data_profile": {"file": SALES}, "data_diff": {"file": SALES, "file2": SALES},
    "data_query": {"file": SALES, "sql": "FROM data"},
    "pdf_merge": {"files": [REPORT, LANDSCAPE]}, "pdf_pages": {"file": REPORT}, "pdf_form": {"file": FORM},
    "docx_template": {"file": PROPOSAL, "data": PROPOSAL_DATA},
    "mail_merge": {"rows": [{"name": "Ada"}, {"name": "Bo"}], "file": FORM},
    "pdf_stamp": {"file": REPORT, "text": "Draft"}, "pdf_info": {"file": REPORT},
    "pdf_redact": {"file": REPORT, "boxes": [{"page": 1, "x0": 50, "y0": 50, "x1": 200, "y1": 90}]}}
"""

SHOW_FORMS = """
for tool in [*all_tools(), mediakit.templates()["invoice"]][FIRST:LAST]:
    display(mediakit.form(tool, **start.get(tool.name, {})))"""


def show_forms(open_notebook: Open, first: int) -> tuple[Page, list[Locator]]:
    """Open a notebook with some of the forms of all tools, and wait until they show their samples."""
    last = min(first + FORMS_PER_NOTEBOOK, FORM_COUNT)
    cell = EVERY_FORM + SHOW_FORMS.replace("FIRST", str(first)).replace("LAST", str(last))
    page = open_notebook(f"every-{first}.ipynb", cell)
    page.set_viewport_size({"width": 1280, "height": 20_000})  # JupyterLab does not render cells outside the viewport
    run_all(page)
    forms = page.locator(".mediakit-form")
    expect(forms).to_have_count(last - first)
    forms.locator("summary").evaluate_all("all => all.forEach(summary => { summary.parentElement.open = true })")
    return page, forms.all()


CONTROLS_WITHOUT_NAME = """
form => [...form.querySelectorAll('input:not([type=file]), select, textarea, button, summary')]
    .filter(e => ![e.labels?.[0]?.textContent, e.ariaLabel, e.textContent].some(text => text?.trim()))
    .map(e => e.outerHTML)"""


@pytest.mark.parametrize("first", range(0, FORM_COUNT, FORMS_PER_NOTEBOOK))
def test_forms_are_accessible_in_both_themes_and_widths_and_fit_400_pixels(first: int, open_notebook: Open) -> None:
    page, forms = show_forms(open_notebook, first)
    for form in forms:
        assert form.locator("input, select, textarea").count() > 0
        assert form.evaluate(CONTROLS_WITHOUT_NAME) == []
    assert serious_findings(page, ".mediakit-form") == []
    use_theme(page, "JupyterLab Dark")
    assert serious_findings(page, ".mediakit-form", rules=["color-contrast"]) == []
    page.set_viewport_size({"width": 480, "height": 20_000})
    assert serious_findings(page, ".mediakit-form") == []
    use_theme(page, "JupyterLab Light")
    assert serious_findings(page, ".mediakit-form", rules=["color-contrast"]) == []
    page.set_viewport_size({"width": 400, "height": 20_000})
    for form in forms:
        assert form.evaluate("form => form.scrollWidth <= form.clientWidth"), form.inner_text()[:200]
    forms[0].evaluate("form => form.insertAdjacentHTML('beforeend', '<img src=\"data:,\"><button></button>')")
    assert len(serious_findings(page, ".mediakit-form", rules=["image-alt", "button-name"])) == 2  # the check works


def top(element: Locator) -> float:
    """Return the distance of an element from the top of the window."""
    box = element.bounding_box()
    assert box
    return box["y"]


def test_preview_stays_visible_while_fields_scroll(open_notebook: Open) -> None:
    page = open_notebook("sticky.ipynb", "import mediakit", "mediakit.form(mediakit.chart)")
    run_all(page)
    form = page.locator(".mediakit-form")
    image = form.get_by_role("img")
    form.get_by_text("Size, format, numbers and legend").click()
    for width in (1280, 440):
        page.set_viewport_size({"width": width, "height": 600})
        form.get_by_role("combobox", name="type", exact=True).scroll_into_view_if_needed()
        form.get_by_role("spinbutton", name="height", exact=True).scroll_into_view_if_needed()
        expect(image).to_be_in_viewport(ratio=0.9)


def hint(form: Locator) -> str:
    """Return the text that the style sheet adds above a form."""
    return str(form.evaluate("form => getComputedStyle(form, '::before').content"))


def test_template_form_creates_pdf_of_selected_template(open_notebook: Open) -> None:
    page = open_notebook("template.ipynb", "import mediakit", "mediakit.form(mediakit.templates())")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("button", name="certificate").click()
    form.get_by_role("textbox", name="recipient").fill("Ada Lovelace")
    form.get_by_role("combobox", name="format", exact=True).select_option("pdf")
    form.get_by_text("PDF · 1 page · ").wait_for()
    form.get_by_role("link", name="Download certificate.pdf").wait_for()


def test_inserted_cell_is_active_and_runs_instead_of_the_form(open_notebook: Open) -> None:
    page = open_notebook("insert.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("textbox", name="data", exact=True).fill("typed text")
    form.get_by_role("img", name="QR code: typed text", exact=True).wait_for()
    form.get_by_role("button", name="Insert as cell").click()
    expect(page.locator(".jp-Cell.jp-mod-active .cm-content")).to_contain_text("mediakit.qr(")
    page.keyboard.press("Shift+Enter")
    page.locator(".jp-OutputArea-output img[alt='QR code: typed text']").last.wait_for()
    expect(form.get_by_role("textbox", name="data", exact=True)).to_have_value("typed text")


def test_keys_in_a_form_are_not_commands_of_the_notebook(open_notebook: Open) -> None:
    page = open_notebook("keys.ipynb", "import mediakit", "mediakit.form(mediakit.chart)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_role("button", name="Add a row").click()
    expect(form.get_by_role("textbox", name="Label 4", exact=True)).to_be_focused()
    form.get_by_role("button", name="Undo").press("Tab")
    for key in ("r", "x", "d", "d", "z", "Shift+Enter"):
        page.keyboard.press(key)
    form.wait_for()
    expect(page.locator(".jp-Cell")).to_have_count(2)
    expect(page.locator(".jp-RawCell")).to_have_count(0)


def test_form_that_runs_again_offers_its_last_values(lab: Lab, open_notebook: Open) -> None:
    page = open_notebook("restore.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    data = page.locator(".mediakit-form").get_by_role("textbox", name="data", exact=True)
    data.fill("a long text")
    page.get_by_role("img", name="QR code: a long text", exact=True).wait_for()
    save(page)
    page.goto("about:blank")
    lab.end_kernels()
    load(page, lab, "restore.ipynb")
    run_all(page)
    expect(data).to_have_value("hi")
    page.get_by_role("button", name="Restore your last values").click()
    expect(data).to_have_value("a long text")
    page.get_by_role("button", name="Restore your last values").wait_for(state="hidden")
    page.get_by_role("img", name="QR code: a long text", exact=True).wait_for()
