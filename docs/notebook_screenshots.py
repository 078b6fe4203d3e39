"""Take the screenshots of JupyterLab for docs/notebook.md: `python docs/notebook_screenshots.py [NAME ...]`."""

# ruff: noqa: INP001  # a script, not part of a package

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import screenshots

from tests.support.lab_kit import Lab, chromium, load, run_all, use_theme, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

IMAGES = Path(__file__).resolve().parent / "images"
START = "import mediakit\nfrom mediakit.samples import LABEL, LANDSCAPE, LANDSCAPE_EDITED, LOGO, SALES"
SERVE = "mediakit.serve()"
SELECT_LAST_CELL = "() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 99 }"
"""JupyterLab marks the active cell; the last cell is outside the screenshot."""


@dataclass(frozen=True)
class Screenshot:
    """A notebook of which the screenshot shows the last cell."""

    cells: tuple[str, ...]
    theme: str = "JupyterLab Light"
    width: int = 1040
    max_height: int = 900
    interact: Callable[["Page"], object] = lambda _: None
    """Uses the page before the screenshot is taken."""
    selector: str = ".jp-Cell"
    """The cell, or the element within it, to show."""


def _fill_in_network(page: "Page") -> None:
    form = page.locator(".mediakit-form")
    form.get_by_role("combobox", name="content", exact=True).press("W")
    form.get_by_role("textbox", name="name", exact=True).fill("Guests")
    form.get_by_role("textbox", name="password", exact=True).fill("sunflower-42")
    form.get_by_role("img", name="QR code: WIFI:T:WPA;S:Guests;P:sunflower-42;;").wait_for()


def _enter_invalid_size(page: "Page") -> None:
    size = page.locator(".mediakit-form").get_by_role("spinbutton", name="size", exact=True)
    size.fill("5000")
    page.locator(".mediakit-form").get_by_role("alert").wait_for()


def _move_divider(page: "Page") -> None:
    form = page.locator(".mediakit-form")
    form.locator(".mediakit-compare-region").first.wait_for()
    for _ in range(3):
        form.get_by_role("slider", name="Divider between before and after").press("Shift+ArrowRight")


def _edit_columns(page: "Page") -> None:
    form = page.locator(".mediakit-form")
    form.get_by_role("checkbox", name="Show order", exact=True).uncheck()
    form.locator("summary").filter(has_text="amount").click()
    form.get_by_role("textbox", name="amount: title", exact=True).fill("Amount")
    form.get_by_role("textbox", name="amount: unit").fill("EUR")
    form.get_by_role("checkbox", name="amount: bars").check()
    form.get_by_text('"unit": "EUR"').first.wait_for()


GALLERY = """\
sizes = {f"{width} px": mediakit.images(LANDSCAPE, width=width, format="webp") for width in (240, 480, 960)}
mediakit.gallery(sizes)"""
CHART = """\
seasons = ["Spring", "Summer", "Autumn", "Winter"]
visitors = {"2025": [12, 30, 18, 9], "2026": [15, 34, 21, 11]}
mediakit.form(mediakit.chart, type="bar", labels=seasons, series=visitors, title="Visitors")"""
COMPARE = 'mediakit.form("image_compare", file=LANDSCAPE, file2=LANDSCAPE_EDITED)'
TABLE = 'mediakit.form("table_image", file=SALES, title="Orders in spring")'
CALLS = """\
client = mediakit.Client(server.url, api_key=server.key)
client.qr("https://example.com", size=200)
client.chart("bar", {"Mon": 3, "Tue": 5})
client.status();"""
MAGIC = """\
%%mediakit chart bar --title "Rain in a year, in millimeters" --horizontal --values --width 640 --height 260
City,Rain
Bergen,2250
Lisbon,774
Cairo,25"""
CERTIFICATE = 'mediakit.form(mediakit.templates()["certificate"], recipient="Ada Lovelace", accent="#0f766e")'

SCREENSHOTS = {
    "result": Screenshot(
        (START, 'mediakit.qr("https://example.com/trail", style="rounded", logo=LOGO, dark="#1e3a5f", size=260)')
    ),
    "gallery": Screenshot((START, GALLERY)),
    "form-chart": Screenshot((START, CHART), max_height=700),
    "form-qr": Screenshot(
        (START, 'mediakit.form(mediakit.qr, dark="#0d6b60", size=360)'),
        theme="JupyterLab Dark",
        max_height=700,
        interact=_fill_in_network,
    ),
    "form": Screenshot((START, CERTIFICATE), max_height=700),
    "form-compare": Screenshot((START, COMPARE), theme="JupyterLab Dark", max_height=740, interact=_move_divider),
    "form-table": Screenshot((START, TABLE), max_height=800, interact=_edit_columns),
    "form-narrow": Screenshot(
        (START, 'mediakit.form(mediakit.qr, data="https://example.com", size=240)'),
        width=400,
        max_height=1100,
        interact=_enter_invalid_size,
        selector=".mediakit-form",
    ),
    "serve": Screenshot((START, SERVE)),
    "log": Screenshot((START, f"server = {SERVE}", CALLS, "server.log"), theme="JupyterLab Dark"),
    "doctor": Screenshot((START, "mediakit.doctor()")),
    "magic": Screenshot(("%load_ext mediakit", MAGIC)),
}


def take(name: str, screenshot: Screenshot, lab: Lab, browser: "Browser") -> Path:
    """Run the cells of a screenshot, write the image and return its path."""
    write_notebook(lab.root / f"{name}.ipynb", (*screenshot.cells, "", ""))
    with browser.new_page(
        viewport={"width": screenshot.width, "height": 4000}, device_scale_factor=screenshots.DEVICE_SCALE_FACTOR
    ) as page:
        load(page, lab, f"{name}.ipynb")
        use_theme(page, screenshot.theme)
        run_all(page)
        screenshot.interact(page)
        page.evaluate(SELECT_LAST_CELL)
        screenshots.wait_for_images(page)
        cell = page.locator(".jp-Notebook .jp-Cell").nth(len(screenshot.cells) - 1)
        element = cell if screenshot.selector == ".jp-Cell" else cell.locator(screenshot.selector)
        home = re.escape(str(lab.root.parent / "mediakit_home"))
        image = screenshots.take(element, (home, "~/.local/share/mediakit"))
    lab.end_kernels()
    return screenshots.write(screenshots.limit_height(image, screenshot.max_height), IMAGES / name)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*SCREENSHOTS]))
def main(names: tuple[str, ...]) -> None:
    """Take the screenshots with these names, or all of them."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, chromium() as browser:
        lab = Lab(Path(home))
        try:
            for name in names or SCREENSHOTS:
                click.echo(f"wrote docs/images/{take(name, SCREENSHOTS[name], lab, browser).name}")
        finally:
            lab.stop()


if __name__ == "__main__":
    main()
