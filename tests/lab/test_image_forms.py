"""The forms of images and QR codes in JupyterLab: dropping, pasting, cropping, presets and the scan check."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import serious_findings
from tests.support.lab_kit import Open, run_all, send_file, use_theme

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]


def send(page: Page, kind: str, width: int, height: int) -> None:
    Image.effect_noise((width, height), 50).save(file := io.BytesIO(), "PNG")
    send_file(page, kind, {"name": "holiday.png", "mimeType": "image/png", "buffer": file.getvalue()})


def drag(page: Page, target: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one point of an element to another, both relative to its size."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    page.mouse.move(*points[0])
    page.mouse.down()
    page.mouse.move(*points[1], steps=5)
    page.mouse.up()


def area(form: Locator) -> list[int]:
    return [
        int(form.get_by_label(f"crop {name}", exact=True).input_value()) for name in ("left", "top", "width", "height")
    ]


def test_image_is_dropped_cropped_and_downloaded_under_its_name(open_notebook: Open) -> None:
    page = open_notebook("images.ipynb", "import mediakit", "mediakit.form(mediakit.images)")
    run_all(page)
    form = page.locator(".mediakit-form")
    form.get_by_text("or drop an image here, or paste one").wait_for()
    form.locator(".mediakit-canvas-crop").wait_for(state="hidden")
    send(page, "drop", 800, 600)
    form.get_by_role("link", name="Download holiday-800x600.webp").wait_for()
    form.get_by_text("Before", exact=True).first.wait_for()
    form.get_by_text(re.compile(r"\(\d+%\) smaller")).wait_for()

    stage = form.locator(".mediakit-canvas-crop img")
    drag(page, stage, (0.25, 0.25), (0.75, 0.75))
    assert area(form) == pytest.approx([200, 150, 400, 300], abs=4)
    width, height = area(form)[2:]
    form.get_by_role("link", name=f"Download holiday-{width}x{height}.webp").wait_for()
    frame = form.get_by_role("group", name=re.compile("^Crop: "))
    left, top = area(form)[:2]
    frame.press("ArrowRight")
    frame.press("Shift+ArrowDown")
    assert area(form) == [left + 1, top + 10, width, height]
    form.get_by_role("button", name="Crop: bottom right corner").press("Shift+ArrowLeft")
    assert area(form) == [left + 1, top + 10, width - 10, height]
    form.get_by_label("crop width", exact=True).fill("200")
    form.get_by_label("crop width", exact=True).press("Tab")
    assert area(form) == [left + 1, top + 10, 200, height]

    form.get_by_role("combobox", name="size for").select_option("Instagram post, 1080 × 1080")
    form.get_by_role("link", name="Download holiday-1080x1080.webp").wait_for()
    width, height = area(form)[2:]
    assert width == pytest.approx(height, abs=1)
    drag(page, stage, (0.1, 0.1), (0.8, 0.5))
    width, height = area(form)[2:]
    assert width == pytest.approx(height, abs=1)
    form.get_by_role("button", name="Whole image").click()
    assert area(form) == [0, 0, 800, 600]

    send(page, "paste", 300, 200)
    form.get_by_text("300 × 200").wait_for()
    assert area(form) == [0, 0, 300, 200]
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []


def test_qr_form_shows_scan_report_and_icons_without_serious_findings(open_notebook: Open) -> None:
    page = open_notebook("scan.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='https://example.com/menu')")
    run_all(page)
    form = page.locator(".mediakit-form")
    panel = form.get_by_role("region", name="Will it scan?")
    panel.get_by_text("Scans well").wait_for()
    expect(panel.get_by_role("row")).to_have_count(5)
    form.get_by_title("finder circle").click()
    form.get_by_title("palette ocean").press("Enter")
    form.get_by_text('finder="circle"').wait_for()
    expect(form.get_by_role("textbox", name="dark", exact=True)).to_have_attribute("placeholder", "#0b2e59")
    form.get_by_role("textbox", name="data", exact=True).fill("x" * 500)
    panel.get_by_text("or shorten the text").wait_for()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        use_theme(page, theme)
        assert serious_findings(page, ".mediakit-form") == []
    page.set_viewport_size({"width": 480, "height": 900})
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")
