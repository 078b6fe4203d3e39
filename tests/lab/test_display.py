"""Display of results in JupyterLab: with a running kernel, in an untrusted notebook, and in an HTML export."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support.lab_kit import Lab, Open, load, run_all, save

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

NOISE = """
import io
from PIL import Image
from mediakit.results.files import ImageResult
target = io.BytesIO()
Image.effect_noise((2400, 600), 90).convert("RGB").save(target, "PNG")
ImageResult(target.getvalue(), "image/png")"""

TWO_PAGES = "<h1>One</h1><h1 style='break-before: page'>Two</h1>"

OUTPUTS: dict[str, tuple[str, list[int | None]]] = {
    "png": ("mediakit.qr('hi', size=200)", [200]),
    "jpeg": ("without_comparison(mediakit.images(LANDSCAPE, width=160))", [160]),
    "svg": ("mediakit.qr('hi', size=180, format='svg')", [180]),
    "webp": ("without_comparison(mediakit.images(LANDSCAPE, width=140, format='webp'))", [140]),
    "avif": ("without_comparison(mediakit.images(LANDSCAPE, width=120, format='avif'))", [120]),
    "device scale factor": ("mediakit.capture('<h1>Hi', width=220, height=100, device_scale_factor=2)", [220]),
    "pdf": (f'mediakit.pdf("{TWO_PAGES}")', [806]),
    "preview": (NOISE, [None]),
    "before and after": ("mediakit.images(LANDSCAPE, width=160)", [None, None]),
    "codes": ("mediakit.code_reader(LABEL)", [None]),
    "page": ("mediakit.web_to_markdown(html='<title>Tea</title><p>Pour hot water')", []),
    "gallery": ("mediakit.gallery(mediakit.qr(text, size=100) for text in 'ab')", [102, 102]),
}
"""Code of a cell, and the width in pixels of each image in its output; None if the width depends on the window."""

TALL_VIEWPORT: ViewportSize = {"width": 1280, "height": 6000}
"""JupyterLab does not render cells outside the viewport."""

TEXTS = ["Preview of 2400 × 600 pixels", "PDF · 2 pages · A4", "Pour hot water", "LOT-0042", "PNG · 100 × 100"]

SETUP = """
import mediakit
from mediakit.results.files import ImageResult
from mediakit.samples import LABEL, LANDSCAPE

def without_comparison(image):
    return ImageResult(image.content, image.mime_type)"""

CELLS = [SETUP, *(code for code, _ in OUTPUTS.values())]
WIDTHS = [width for _, widths in OUTPUTS.values() for width in widths]


def test_every_result_is_visible_live_and_untrusted_and_exported(
    lab: Lab, lab_browser: Browser, open_notebook: Open, tmp_path: Path
) -> None:
    page = open_notebook("display.ipynb", *CELLS)
    page.set_viewport_size(TALL_VIEWPORT)
    run_all(page)
    assert_all_visible(page, ".jp-OutputArea-output")
    save(page)
    page.goto("about:blank")
    lab.end_kernels()
    invalidate_signature(lab.root / "display.ipynb")
    load(page, lab, "display.ipynb")
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted") is False
    assert_all_visible(page, ".jp-OutputArea-output")
    exported = tmp_path / "display.html"
    exported.write_text(export(lab.root / "display.ipynb"), "utf-8")
    with lab_browser.new_page(viewport=TALL_VIEWPORT) as offline:
        offline.context.set_offline(True)
        offline.goto(exported.as_uri())
        assert_all_visible(offline, ".jp-OutputArea-output")


def invalidate_signature(path: Path) -> None:
    """Change the notebook so that its signature is invalid, as if it came from another user."""
    notebook = json.loads(path.read_text())
    notebook["cells"][0]["source"] = "import mediakit"
    path.write_text(json.dumps(notebook))


def assert_all_visible(page: Page, output: str) -> None:
    images = page.locator(f"{output} img")
    expect(images).to_have_count(len(WIDTHS))
    for number, width in enumerate(WIDTHS):
        image = images.nth(number)
        image.scroll_into_view_if_needed()
        assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert image.get_attribute("alt")
        box = image.bounding_box()
        assert box
        assert width is None or box["width"] == pytest.approx(width, abs=1)
    for text in TEXTS:
        page.locator(output).get_by_text(text).first.wait_for()


def export(path: Path) -> str:
    from nbconvert import HTMLExporter

    exporter: Any = HTMLExporter()  # type: ignore[no-untyped-call]
    return str(exporter.from_filename(str(path))[0])
