"""The forms of PDF tools in JupyterLab: thumbnails are dragged, boxes are drawn, positions are chosen."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from mediakit.samples import REPORT
from tests.support.axe import serious_findings
from tests.support.lab_kit import Open, run_all, run_cell, send_file, use_theme

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

MERGE = "import mediakit\nfrom mediakit.samples import *\nmediakit.form('pdf_merge', files=[REPORT, LANDSCAPE, LOGO])"


def drag(page: Page, start: Locator, end: Locator, *, to: float = 0.9) -> None:
    """Drag the center of an element to a point of another one, relative to its width."""
    start.scroll_into_view_if_needed()
    source, target = start.bounding_box(), end.bounding_box()
    assert source
    assert target
    page.mouse.move(source["x"] + source["width"] / 2, source["y"] + source["height"] / 2)
    page.mouse.down()
    page.mouse.move(target["x"] + to * target["width"], target["y"] + target["height"] / 2, steps=8)
    page.mouse.up()


def labels(form: Locator) -> list[str]:
    return form.locator(".mediakit-page-label").all_inner_texts()


def test_files_are_dragged_moved_with_keyboard_and_removed(open_notebook: Open) -> None:
    page = open_notebook("merge.ipynb", MERGE)
    run_all(page)
    form = page.locator(".mediakit-form")
    expect(form.locator(".mediakit-page-image img")).to_have_count(3)
    cards = form.locator(".mediakit-page-list li")
    drag(page, cards.nth(0), cards.nth(2))
    expect(cards.nth(2)).to_have_attribute("aria-label", re.compile(r"^report\.pdf, position 3 of 3"))
    assert labels(form) == ["landscape.jpg", "logo.png", "report.pdf"]
    cards.nth(2).press("Shift+ArrowLeft")
    expect(cards.nth(1)).to_have_attribute("aria-label", re.compile(r"^report\.pdf, position 2 of 3"))
    expect(cards.nth(1)).to_be_focused()
    cards.nth(1).press("ArrowRight")
    cards.nth(2).press("Delete")
    expect(cards).to_have_count(2)
    assert labels(form) == ["landscape.jpg", "report.pdf"]
    form.get_by_text("PDF · 4 pages").first.wait_for()
    send_file(page, "drop", {"name": "third.pdf", "mimeType": "application/pdf", "buffer": REPORT.read_bytes()})
    expect(form.locator(".mediakit-page-image img")).to_have_count(3)
    assert labels(form) == ["landscape.jpg", "report.pdf", "third.pdf"]
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []


def test_pages_are_dragged_repeated_and_shown_again(open_notebook: Open) -> None:
    page = open_notebook(
        "pages.ipynb", "import mediakit\nmediakit.form('pdf_pages', file=mediakit.samples.REPORT, rotate=90)"
    )
    run_all(page)
    form = page.locator(".mediakit-form")
    cards, pages = form.locator(".mediakit-page-list li"), form.get_by_label("pages", exact=True)
    expect(cards.locator("img")).to_have_count(3)
    drag(page, cards.nth(2), cards.nth(0), to=0.1)
    expect(pages).to_have_value("3,1-2")
    cards.nth(0).get_by_role("button", name="Repeat Page 3").click()
    expect(pages).to_have_value("3,3,1-2")
    form.get_by_text("4 of 3 pages").wait_for()
    pages.fill("2-")
    expect(cards).to_have_count(2)
    form.get_by_role("button", name="All pages").click()
    expect(cards).to_have_count(3)
    expect(pages).to_have_value("")
    assert serious_findings(page, ".mediakit-form") == []


def test_position_of_stamp_is_chosen_on_page(open_notebook: Open) -> None:
    page = open_notebook(
        "stamp.ipynb", "import mediakit\nmediakit.form('pdf_stamp', file=mediakit.samples.REPORT, text='Draft')"
    )
    run_all(page)
    form = page.locator(".mediakit-form")
    form.locator(".mediakit-canvas img").wait_for()
    expect(form.get_by_role("button", name="center", exact=True)).to_have_attribute("aria-pressed", "true")
    form.get_by_role("button", name="right bottom", exact=True).click()
    expect(form.get_by_label("position", exact=True)).to_have_value(re.compile("right bottom|bottom right"))
    form.get_by_label("position", exact=True).select_option("top")
    expect(form.get_by_role("button", name="top", exact=True)).to_have_attribute("aria-pressed", "true")
    form.get_by_role("button", name="Next page").click()
    form.get_by_text("Page 2 of 3").wait_for()
    form.get_by_text(re.compile("PDF · 3 pages")).first.wait_for()
    assert serious_findings(page, ".mediakit-form") == []


def test_boxes_are_drawn_moved_and_removed_on_pages(open_notebook: Open) -> None:
    page = open_notebook(
        "redact.ipynb",
        "import mediakit\nform = mediakit.form('pdf_redact', file=mediakit.samples.REPORT)\nform",
        "form.values['boxes']",
    )
    run_cell(page, 0)
    form = page.locator(".mediakit-form")
    image, boxes = form.locator(".mediakit-canvas img"), form.locator(".mediakit-box")
    image.wait_for()
    image.scroll_into_view_if_needed()
    area = image.bounding_box()
    assert area
    page.mouse.move(area["x"] + 0.25 * area["width"], area["y"] + 0.25 * area["height"])
    page.mouse.down()
    page.mouse.move(area["x"] + 0.75 * area["width"], area["y"] + 0.5 * area["height"], steps=6)
    page.mouse.up()
    expect(boxes).to_have_count(1)
    expect(boxes).to_have_attribute("aria-label", re.compile(r"^Box 1: 2\d\d(\.\d)? by 1\d\d(\.\d)? points"))
    boxes.press("Shift+ArrowDown")
    form.get_by_role("button", name="Next page").click()
    expect(boxes).to_have_count(0)
    form.get_by_role("button", name="Add a box").click()
    form.get_by_text("2 boxes").wait_for()
    boxes.press("Delete")
    form.get_by_text("1 box", exact=True).wait_for()
    form.get_by_text(re.compile("PDF · 3 pages")).first.wait_for()
    run_cell(page, 1)
    page.get_by_text(re.compile(r"\[\{'page': 1, 'x0': 10\d")).first.wait_for()
    assert serious_findings(page, ".mediakit-form") == []


def test_fields_of_a_form_are_filled(open_notebook: Open) -> None:
    page = open_notebook(
        "fill.ipynb", "import mediakit\nfrom mediakit.samples import *\nmediakit.form('pdf_form', file=FORM)"
    )
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_label("Full name").fill("Ada Lovelace")
    form.get_by_label("Country").select_option("United Kingdom")
    form.get_by_label("Send me the newsletter").check()
    form.get_by_text("PDF · 12 fields").first.wait_for()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []
