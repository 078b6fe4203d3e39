"""Forms of data and validators in JupyterLab: opened, filled with the keyboard alone, inserted and run."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

from mediakit.core.tool import Tool
from mediakit.samples import SALES, SALES_REVISED
from mediakit.tools.catalogue import load_tool
from tests.support.calls import CALLS
from tests.support.lab_kit import Lab, Open, run_all

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(600)]

SHORT: dict[str, dict[str, Any]] = {
    "data_convert": {"file": SALES, "to": "json"},
    "data_profile": {"file": SALES},
    "data_diff": {"file": SALES, "file2": SALES_REVISED},
    "data_query": {"file": SALES, "sql": "SELECT 1"},
    "data_sample": {"fields": "id, name, born: date", "rows": 5},
    "validate_phone": {"phone": "+34 912 34 56 78"},
}
"""What is typed, for tools whose example is longer than needed."""

TOOLS = [load_tool(name) for name in (*SHORT, "validate_iban", "validate_tax_id", "validate_code")]


def typed_values(tool: Tool[..., Any]) -> dict[str, Any]:
    return SHORT.get(tool.name, CALLS[tool.name])


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
    for _ in range(3):  # the form can replace elements while it shows a result
        target.evaluate(FOCUS_BEFORE)
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not reach {target}")


def fill(page: Page, form: Locator, name: str, value: Any) -> None:
    """Type a value into a field."""
    if isinstance(value, Path):
        reach(page, form.get_by_role("combobox", name=f"or {name} from folder", exact=True))
        return enter(page, value.name)
    if isinstance(value, list) and value and isinstance(value[0], Path):
        for path in value:
            reach(page, form.get_by_role("combobox", name="or add from folder", exact=True))
            enter(page, path.name)
            expect(form.get_by_text(path.name).first).to_be_visible()
        return None
    control = form.get_by_label(name, exact=True).first
    for group in form.locator("summary").all():
        if control.is_visible():
            break
        reach(page, group)
        page.keyboard.press("Enter")
    reach(page, control)
    if control.evaluate("element => element.tagName") == "SELECT":
        options = [" ".join(text.lower().split()) for text in control.locator("option").all_inner_texts()]
        page.keyboard.press("Home")
        for _ in range(options.index(str(value).lower())):
            page.keyboard.press("ArrowDown")
        return None
    page.keyboard.press("ControlOrMeta+a")
    return page.keyboard.insert_text(as_typed(value))


def as_typed(value: Any) -> str:
    """Return a value as the text that a field takes."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def enter(page: Page, text: str) -> None:
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_forms_are_filled_inserted_and_run_with_the_keyboard(lab: Lab, open_notebook: Open) -> None:
    for value in [each for tool in TOOLS for each in typed_values(tool).values()]:
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, Path):
                shutil.copy(path, lab.root / path.name)
    page = open_notebook("forms.ipynb", "import mediakit", *(f"mediakit.form({tool.name!r})" for tool in TOOLS))
    page.set_viewport_size({"width": 1280, "height": 12_000})  # JupyterLab does not render cells outside the viewport
    run_all(page)
    problems = {}
    for index in reversed(range(len(TOOLS))):  # an inserted cell does not move the forms that follow
        if problem := problem_of(page, index + 1, TOOLS[index]):
            problems[TOOLS[index].name] = problem
    assert problems == {}


def problem_of(page: Page, index: int, tool: Tool[..., Any]) -> str:
    """Fill a form, insert its call and run it; return what failed, an empty text if nothing did."""
    form = page.locator(".jp-Cell").nth(index).locator(".mediakit-form")
    expect(form).to_be_visible()
    try:
        for name, value in typed_values(tool).items():
            fill(page, form, name, value)
        insert = form.get_by_role("button", name="Insert as cell")
        expect(insert).to_be_enabled()
        reach(page, insert)
        page.keyboard.press("Enter")
        expect(form.get_by_role("button", name="Inserted below")).to_be_visible()
        expect(page.locator(".jp-Cell.jp-mod-active .cm-content")).to_contain_text(f"mediakit.{tool.name}(")
        page.keyboard.press("Shift+Enter")
        output = page.locator(".jp-Cell").nth(index + 1).locator(".jp-OutputArea-output").first
        expect(output).to_be_visible()
    except (AssertionError, PlaywrightError) as error:
        return str(error)[:600]
    text = output.inner_text()
    return text[-300:] if re.search(r"Traceback|\w+Error:|InvalidInput", text) else ""
