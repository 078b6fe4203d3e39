"""The form of every tool in JupyterLab: opened, filled with the keyboard alone, inserted and run."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

from mediakit.core.tool import Tool
from mediakit.samples import LANDSCAPE, PROPOSAL, REPORT, SALES
from mediakit.tools.catalogue import all_tools
from tests.support import web_page
from tests.support.calls import CALLS, EXAMPLE_SITE
from tests.support.lab_kit import Lab, Open, run_cell

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(600)]

TOOLS_PER_TEST = 16
TOOLS = all_tools()

OTHER_VALUES: dict[str, dict[str, Any]] = {
    "chart": {"type": "line", "title": "Orders", "Series 1, row 2": "31"},
    "data_sample": {"fields": "id, name, born: date", "rows": 5},
    "docx_template": {"file": PROPOSAL, "title": "Booking"},
    "image_animate": {"files": [LANDSCAPE, LANDSCAPE], "width": 200},
    "images": {"file": LANDSCAPE, "width": 400, "crop width": 500},
    "mail_merge": {"or paste rows": "recipient\tcourse\nAda\tTea\nBo\tMilk", "template": "certificate", "to": "png"},
    "pdf_pages": {"file": REPORT, "pages": "3,1-2", "rotate": 90},
    "qr": {"data": "https://example.com", "style": "dots", "palette": "ocean", "size": 300},
    "table_image": {"file": SALES, "title": "Sales", "theme": "grid", "Show paid": False},
    "validate_tax_id": CALLS["validate_tax_id"],
}
"""What is typed for tools whose example has values that the form shows in another way."""


def typed_values(tool: Tool[..., Any]) -> dict[str, Any]:
    """Return what is typed, by the name of the control: the values of the tool's shortest example."""
    example = min((each.values for each in tool.examples), key=len)
    values = OTHER_VALUES.get(tool.name, example)
    return {name: web_page.URL if value == EXAMPLE_SITE else value for name, value in values.items()}


SHOW_FORM = """code => {
    const cells = jupyterapp.shell.currentWidget.model.sharedModel;
    while (cells.cells.length > 2) cells.deleteCell(2);
    cells.cells[1].setSource(code);
}"""
"""Forms are shown one after the other: a page with sixteen of them is slow to type into."""

CELL_COUNT = "() => jupyterapp.shell.currentWidget.model.sharedModel.cells.length"

FOCUS_BEFORE = """target => {
    const form = target.closest(".mediakit-form");
    if (!form) return; // replaced in the meantime
    const names = "input:not([type=file]), select, textarea, button, summary, a[href], [tabindex='0']";
    const all = [...form.querySelectorAll(names)];
    const stops = all.filter((each) => each.tabIndex >= 0 && !each.disabled && each.getClientRects().length);
    form.tabIndex = -1;
    (stops[stops.indexOf(target) - 1] ?? form).focus();
}"""


def reach(page: Page, target: Locator) -> None:
    """Press Tab on the field before an element, and check that the element is focused."""
    target.wait_for()
    expect(target).to_be_enabled()
    for _ in range(10):  # the form can replace elements while it shows a result
        target.evaluate(FOCUS_BEFORE)
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"Tab does not reach {target}")


def fill(page: Page, form: Locator, name: str, value: Any) -> None:
    """Enter a value into the control with this name."""
    paths = value if isinstance(value, list) else [value]
    if paths and isinstance(paths[0], Path):
        chooser = "or add from folder" if isinstance(value, list) else f"or {name} from folder"
        for path in paths:
            reach(page, form.get_by_role("combobox", name=chooser, exact=True))
            enter(page, path.name)
            form.get_by_text(path.name).first.wait_for()
        return
    icon = form.get_by_title(f"{name} {value}", exact=True)
    if icon.count():
        reach(page, icon)
        page.keyboard.press("Enter")
        form.get_by_title(f"{name} {value}, selected", exact=True).wait_for()
        return
    control = form.get_by_label(name, exact=True).first
    open_groups(page, form, control)
    reach(page, control)
    kind = control.evaluate("element => element.type")
    if kind == "checkbox":
        page.keyboard.press("Space")
        expect(control).to_be_checked(checked=value)
    elif kind.startswith("select"):
        options = [" ".join(text.lower().split()) for text in control.locator("option").all_inner_texts()]
        page.keyboard.press("Home")
        for _ in range(options.index(str(value).lower())):
            page.keyboard.press("ArrowDown")
    else:
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text(as_typed(value))
        page.keyboard.press("Tab")


def open_groups(page: Page, form: Locator, control: Locator) -> None:
    """Open collapsed groups until a control is visible, which appears when its file is read."""
    control.wait_for(state="attached")
    for group in form.locator("summary").all():
        if control.is_visible():
            return
        reach(page, group)
        page.keyboard.press("Enter")


def as_typed(value: Any) -> str:
    """Return a value as the text that a field takes."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def enter(page: Page, text: str) -> None:
    page.keyboard.type(text)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("first", range(0, len(TOOLS), TOOLS_PER_TEST))
def test_forms_are_filled_inserted_and_run_with_the_keyboard(first: int, lab: Lab, open_notebook: Open) -> None:
    tools = TOOLS[first : first + TOOLS_PER_TEST]
    for value in [each for tool in tools for each in typed_values(tool).values()]:
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, Path):
                shutil.copy(path, lab.root / path.name)
    page = open_notebook(f"keyboard-{first}.ipynb", "import mediakit", "")
    run_cell(page, 0)
    assert {tool.name: problem for tool in tools if (problem := problem_of(page, tool))} == {}


def insert_call(page: Page, form: Locator) -> None:
    """Press Enter on the button that inserts the call; each result of the form replaces the button."""
    for _ in range(10):
        reach(page, form.get_by_role("button", name="Insert as cell"))
        page.keyboard.press("Enter")
        if page.evaluate(CELL_COUNT) > 2:
            return
    raise AssertionError("Enter does not insert the call")


def problem_of(page: Page, tool: Tool[..., Any]) -> str:
    """Show a form, fill it, insert its call and run it; return what failed, an empty text if nothing did."""
    page.evaluate(SHOW_FORM, f"mediakit.form({tool.name!r})")
    run_cell(page, 1)
    form = page.locator(".mediakit-form")
    try:
        form.locator("input, select, textarea").locator("visible=true").first.wait_for()
        for name, value in typed_values(tool).items():
            fill(page, form, name, value)
        insert_call(page, form)
        expect(page.locator(".jp-Cell.jp-mod-active .cm-content")).to_contain_text(f"mediakit.{tool.name}(")
        page.keyboard.press("Shift+Enter")
        output = page.locator(".jp-Cell").nth(2).locator(".jp-OutputArea-output").first
        output.wait_for()
    except (AssertionError, PlaywrightError) as error:
        return str(error)[:600]
    text = output.inner_text()
    return text[-300:] if re.search(r"Traceback|\w+Error:|InvalidInput", text) else ""
