"""The form of `image_compare` in JupyterLab: the divider is dragged, regions are outlined, areas are drawn."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.support.axe import serious_findings
from tests.support.lab_kit import Open, run_all, use_theme

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

COMPARE = """\
import io, mediakit
from PIL import Image
def drawn_image(color):
    Image.new("RGB", (400, 200), color).save(file := io.BytesIO(), "PNG")
    return file.getvalue()
form = mediakit.form("image_compare", file=drawn_image("#ff0000"), file2=drawn_image("#0000ff"))
form"""


def colors(page: Page) -> list[tuple[int, ...]]:
    """Return the colors at a quarter and at three quarters of the slider."""
    content = page.locator(".mediakit-canvas-divider").screenshot()
    with Image.open(io.BytesIO(content)) as image:
        shown = image.convert("RGB")
        return [tuple(shown.getpixel((shown.width * share // 4, shown.height * 3 // 4))) for share in (1, 3)]  # type: ignore[arg-type]


def is_red(color: tuple[int, ...]) -> bool:
    return color[0] > 200 and color[2] < 60


def is_blue(color: tuple[int, ...]) -> bool:
    return color[2] > 200 and color[0] < 60


def test_divider_is_dragged_and_moved_with_keyboard(open_notebook: Open) -> None:
    page = open_notebook("compare.ipynb", COMPARE)
    run_all(page)
    form = page.locator(".mediakit-form")
    expect(form.locator(".mediakit-compare-region")).to_have_count(1)
    form.get_by_text("80,000 pixels differ (100.00 %) in 1 region.").first.wait_for()
    left, right = colors(page)
    assert is_red(left)
    assert is_blue(right)
    stage, divider = form.locator(".mediakit-canvas-divider"), form.get_by_role("slider", name=re.compile("^Divider"))
    stage.scroll_into_view_if_needed()
    area = stage.bounding_box()
    assert area
    page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 3)
    page.mouse.down()
    page.mouse.move(area["x"] + 0.9 * area["width"], area["y"] + area["height"] / 3, steps=6)
    page.mouse.up()
    expect(divider).to_have_js_property("value", "90")
    assert all(map(is_red, colors(page)))
    divider.press("Home")
    assert all(map(is_blue, colors(page)))
    divider.press("ArrowRight")
    expect(divider).to_have_attribute("aria-valuetext", "1 % before, 99 % after")
    divider.press("Shift+ArrowUp")
    expect(divider).to_have_attribute("aria-valuetext", "11 % before, 89 % after")
    form.get_by_role("checkbox", name="Outline 1 region that differs").uncheck()
    form.locator(".mediakit-compare-region").wait_for(state="hidden")


def test_area_to_ignore_is_drawn_on_first_image(open_notebook: Open) -> None:
    page = open_notebook("ignore.ipynb", COMPARE)
    run_all(page)
    form = page.locator(".mediakit-form")
    image = form.locator(".mediakit-canvas-boxes img")
    image.scroll_into_view_if_needed()
    area = image.bounding_box()
    assert area
    page.mouse.move(area["x"] + 0.25 * area["width"], area["y"] + 0.25 * area["height"])
    page.mouse.down()
    page.mouse.move(area["x"] + 0.75 * area["width"], area["y"] + 0.75 * area["height"], steps=6)
    page.mouse.up()
    box = form.get_by_role("group", name=re.compile(r"^Box 1: (199|200|201) by (99|100|101) pixels\. Arrow keys"))
    box.wait_for()
    form.get_by_text(re.compile(r"ignore=\[\[\d+, \d+, \d+, \d+\]\]")).first.wait_for()
    form.get_by_text("60,000 pixels differ").or_(form.get_by_text(re.compile("^. 6\\d,\\d+ pixels"))).first.wait_for()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []
    page.set_viewport_size({"width": 480, "height": 900})
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")
