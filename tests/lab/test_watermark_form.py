"""The form of `image_watermark` in JupyterLab: the mark is dragged, moved with the keyboard and scaled."""

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.support.axe import serious_findings
from tests.support.lab_kit import Open, run_all, use_theme

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

WATERMARK = """\
import mediakit
from mediakit.samples import LANDSCAPE
mediakit.form("image_watermark", file=LANDSCAPE, text="Tea")"""


def area(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box
    return box


def test_mark_is_dragged_to_a_position_moved_with_keys_and_scaled(open_notebook: Open) -> None:
    page = open_notebook("watermark.ipynb", WATERMARK)
    run_all(page)
    form = page.locator(".mediakit-form")
    stage, mark = form.locator(".mediakit-canvas-mark"), form.get_by_role("button", name="Mark:")
    expect(mark).to_have_accessible_name("Mark: right bottom. Arrow keys move it.")
    stage.scroll_into_view_if_needed()
    whole, start = area(stage), area(mark)
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(whole["x"] + 0.25 * whole["width"], whole["y"] + 0.2 * whole["height"], steps=6)
    expect(form.locator(".mediakit-mark-targets div")).to_have_count(9)
    page.mouse.up()
    expect(mark).to_have_accessible_name("Mark: left top. Arrow keys move it.")
    placed = area(mark)
    margin = 0.03 * whole["height"]
    assert placed["x"] - whole["x"] == pytest.approx(margin, abs=2)
    assert placed["y"] - whole["y"] == pytest.approx(margin, abs=2)
    form.get_by_text('position="left top"').first.wait_for()
    for key in ("ArrowRight", "ArrowDown"):
        mark.press(key)
    expect(form.get_by_role("combobox", name="position", exact=True)).to_have_value("center")
    form.get_by_text('position="center"').first.wait_for()
    slider = form.get_by_role("slider", name="Size of the mark in percent")
    slider.press("Shift+ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "35 %")
    form.get_by_text("size_pct=35").first.wait_for()
    assert area(mark)["width"] == pytest.approx(start["width"] * 35 / 25, rel=0.03)
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []
    for key in ("ArrowRight", "ArrowDown"):
        mark.press(key)
    expect(mark).to_have_accessible_name("Mark: right bottom. Arrow keys move it.")
    page.set_viewport_size({"width": 480, "height": 900})
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")
