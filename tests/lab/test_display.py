"""Results in a real JupyterLab: while the kernel runs, in the file opened again without trust, and exported."""

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
from mediakit.results.image import ImageResult
target = io.BytesIO()
Image.effect_noise((2400, 600), 90).convert("RGB").save(target, "PNG")
ImageResult(target.getvalue(), "image/png")"""

SHEETS = "<h1>One</h1><h1 style='break-before: page'>Two</h1>"

SHOWN: dict[str, tuple[str, list[int | None]]] = {
    "png": ("mediakit.qr('hi', size=200)", [200]),
    "jpeg": ("alone(mediakit.images(LANDSCAPE, width=160))", [160]),
    "svg": ("mediakit.qr('hi', size=180, format='svg')", [180]),
    "webp": ("alone(mediakit.images(LANDSCAPE, width=140, format='webp'))", [140]),
    "avif": ("alone(mediakit.images(LANDSCAPE, width=120, format='avif'))", [120]),
    "sharp": ("mediakit.capture('<h1>Hi', width=220, height=100, device_scale_factor=2)", [220]),
    "pdf": (f'mediakit.pdf("{SHEETS}")', [806]),
    "preview": (NOISE, [None]),
    "before and after": ("mediakit.images(LANDSCAPE, width=160)", [None, None]),
    "codes": ("mediakit.code_reader(LABEL)", [None]),
    "page": ("mediakit.web_to_markdown(html='<title>Tea</title><p>Pour hot water')", []),
    "gallery": ("mediakit.gallery(mediakit.qr(text, size=100) for text in 'ab')", [102, 102]),
}
"""What a cell says, and the width of each picture that it shows; None: as wide as there is room."""

TALL: ViewportSize = {"width": 1280, "height": 6000}
"""Cells out of sight are not drawn."""

LINES = ["Preview of 2400 × 600 pixels", "PDF · 2 pages · A4", "Pour hot water", "LOT-0042", "PNG · 100 × 100"]

SETUP = """
import mediakit
from mediakit.results.image import ImageResult
from mediakit.samples import LABEL, LANDSCAPE

def alone(picture):
    return ImageResult(picture.content, picture.mime_type)"""

CELLS = [SETUP, *(code for code, _ in SHOWN.values())]
WIDTHS = [width for _, widths in SHOWN.values() for width in widths]


def test_every_kind_of_result_is_seen_now_and_in_the_file_and_in_its_export(
    lab: Lab, browser: Browser, open_notebook: Open, tmp_path: Path
) -> None:
    page = open_notebook("display.ipynb", *CELLS)
    page.set_viewport_size(TALL)
    run_all(page)
    assert_all_seen(page, ".jp-OutputArea-output")
    save(page)
    page.close()
    lab.end_kernels()
    make_strange(lab.root / "display.ipynb")
    with browser.new_page(viewport=TALL) as later:
        load(later, lab, "display.ipynb")
        assert later.evaluate("window.jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted") is False
        assert_all_seen(later, ".jp-OutputArea-output")
    exported = tmp_path / "display.html"
    exported.write_text(export(lab.root / "display.ipynb"), "utf-8")
    with browser.new_page(viewport=TALL) as offline:
        offline.context.set_offline(True)
        offline.goto(exported.as_uri())
        assert_all_seen(offline, ".jp-OutputArea-output")


def make_strange(path: Path) -> None:
    """Change the notebook, so that its signature fits no more, as with one from somebody else."""
    notebook = json.loads(path.read_text())
    notebook["cells"][0]["source"] = "import mediakit"
    path.write_text(json.dumps(notebook))


def assert_all_seen(page: Page, output: str) -> None:
    pictures = page.locator(f"{output} img")
    expect(pictures).to_have_count(len(WIDTHS))
    for number, width in enumerate(WIDTHS):
        picture = pictures.nth(number)
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        box = picture.bounding_box()
        assert box
        assert width is None or box["width"] == pytest.approx(width, abs=1)
    for line in LINES:
        expect(page.locator(output).get_by_text(line).first).to_be_visible()


def export(path: Path) -> str:
    from nbconvert import HTMLExporter

    exporter: Any = HTMLExporter()  # type: ignore[no-untyped-call]
    return str(exporter.from_filename(str(path))[0])
