"""A new user in JupyterLab: from the first notebook to an own QR code, and help while typing."""

import shutil
from pathlib import Path

import pybase64
import pytest
from playwright.sync_api import Page, expect

import mediakit
from tests.support.lab_kit import Lab, Open, run_all

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser]

ROOT = Path(__file__).parents[2]
FIRST = "01_start.ipynb"


def displayed_code(page: Page, cell: int) -> str:
    """Return the text of the QR code below a cell."""
    image = page.locator(".jp-CodeCell").nth(cell).locator(".jp-OutputArea-output img")
    image.wait_for()
    content = pybase64.b64decode((image.get_attribute("src") or "").partition(",")[2])
    return str(mediakit.code_reader(content)[0].text)


def test_first_notebook_creates_own_code_after_one_edit(lab: Lab, open_notebook: Open) -> None:
    assert f"notebooks/{FIRST}" in (ROOT / "Makefile").read_text("utf-8")
    shutil.copyfile(ROOT / "notebooks" / FIRST, lab.root / FIRST)
    page = open_notebook(FIRST)
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+End")
    for _ in range(len('example.com")')):
        page.keyboard.press("Backspace")
    page.keyboard.type('my-shop.example")')
    page.keyboard.press("Shift+Enter")
    assert displayed_code(page, 0) == "https://my-shop.example"


def test_new_notebook_creates_code_and_helps_while_typing(lab: Lab, open_notebook: Open) -> None:
    page = open_notebook("empty.ipynb", "")
    page.goto(f"http://127.0.0.1:{lab.port}{lab.base}lab?token=t&reset")
    page.locator('.jp-LauncherCard[data-category="Notebook"]').first.click()
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.type('import mediakit\nmediakit.qr("hello")')
    page.keyboard.press("Shift+Enter")
    assert displayed_code(page, 0) == "hello"
    page.keyboard.type('mediakit.qr("hello", style="')
    page.keyboard.press("Tab")
    page.locator(".jp-Completer-item", has_text="rounded").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".jp-CodeCell").nth(1)).to_contain_text('style="rounded')
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".jp-Tooltip")).to_contain_text("size: int = 512")


def test_error_is_two_lines(open_notebook: Open) -> None:
    page = open_notebook("errors-in-cells.ipynb", "import mediakit", "mediakit.qr('hi', size=9)")
    run_all(page)
    output = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")
    expect(output).to_have_text(
        "Cell In[2], line 1: mediakit.qr('hi', size=9)\nInvalidInput: size: must be between 64 and 2000, got 9."
    )
