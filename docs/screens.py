"""Photograph what JupyterLab shows, for docs/notebook.md: `python docs/screens.py [NAME ...]`."""

# ruff: noqa: INP001  # a script beside the documents, not a package

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import shots

from tests.support.lab_kit import Lab, chromium, load, run_all, use_theme, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

IMAGES = Path(__file__).resolve().parent / "images"
START = "import mediakit\nfrom mediakit.samples import LABEL, LANDSCAPE, LOGO"
SERVE = "mediakit.serve()"
LEAVE = "() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 99 }"
"""The active cell is marked; the last one is out of the picture."""


@dataclass(frozen=True)
class Screen:
    """A picture: the last of some cells, run in JupyterLab."""

    cells: tuple[str, ...]
    theme: str = "JupyterLab Light"
    width: int = 1040
    tallest: int = 900
    use: Callable[["Page"], object] = lambda _: None
    """What somebody does with it before the picture is taken."""
    only: str = ".jp-Cell"
    """What of the cell is shown."""


def _network(page: "Page") -> None:
    form = page.locator(".mediakit-form")
    form.get_by_role("combobox", name="content", exact=True).press("W")
    form.get_by_role("textbox", name="name", exact=True).fill("Guests")
    form.get_by_role("textbox", name="password", exact=True).fill("sunflower-42")
    form.get_by_role("img", name="QR code: WIFI:T:WPA;S:Guests;P:sunflower-42;;").wait_for()


def _mistake(page: "Page") -> None:
    size = page.locator(".mediakit-form").get_by_role("spinbutton", name="size", exact=True)
    size.fill("5000")
    page.locator(".mediakit-form").get_by_role("alert").wait_for()


GALLERY = """\
sizes = {f"{width} px": mediakit.images(LANDSCAPE, width=width, format="webp") for width in (240, 480, 960)}
mediakit.gallery(sizes)"""
CHART = """\
seasons = ["Spring", "Summer", "Autumn", "Winter"]
visitors = {"2025": [12, 30, 18, 9], "2026": [15, 34, 21, 11]}
mediakit.form(mediakit.chart, type="bar", labels=seasons, series=visitors, title="Visitors")"""
CALLS = """\
client = mediakit.Client(server.url, api_key=server.key)
client.qr("https://example.com", size=200)
client.chart("bar", {"Mon": 3, "Tue": 5})
client.status();"""
MAGIC = """\
%%mediakit chart bar --title "Rain in a year, in millimetres" --horizontal --values --width 640 --height 260
City,Rain
Bergen,2250
Lisbon,774
Cairo,25"""
CERTIFICATE = 'mediakit.form(mediakit.templates()["certificate"], recipient="Ada Lovelace", accent="#0f766e")'

SCREENS = {
    "result": Screen(
        (START, 'mediakit.qr("https://example.com/trail", style="rounded", logo=LOGO, dark="#1e3a5f", size=260)')
    ),
    "gallery": Screen((START, GALLERY)),
    "form-chart": Screen((START, CHART), tallest=700),
    "form-qr": Screen(
        (START, 'mediakit.form(mediakit.qr, dark="#0d6b60", size=360)'),
        theme="JupyterLab Dark",
        tallest=700,
        use=_network,
    ),
    "form": Screen((START, CERTIFICATE), tallest=700),
    "form-narrow": Screen(
        (START, 'mediakit.form(mediakit.qr, data="https://example.com", size=240)'),
        width=400,
        tallest=1100,
        use=_mistake,
        only=".mediakit-form",
    ),
    "serve": Screen((START, SERVE)),
    "log": Screen((START, f"server = {SERVE}", CALLS, "server.log"), theme="JupyterLab Dark"),
    "doctor": Screen((START, "mediakit.doctor()")),
    "magic": Screen(("%load_ext mediakit", MAGIC)),
}


def photograph(name: str, screen: Screen, lab: Lab, browser: "Browser") -> Path:
    """Run a screen's cells and write its picture."""
    write_notebook(lab.root / f"{name}.ipynb", (*screen.cells, "", ""))
    viewport = {"width": screen.width, "height": 4000}
    with browser.new_page(viewport=viewport, device_scale_factor=shots.SHARPNESS) as page:  # type: ignore[arg-type]
        load(page, lab, f"{name}.ipynb")
        use_theme(page, screen.theme)
        run_all(page)
        screen.use(page)
        page.evaluate(LEAVE)
        shots.settle(page)
        cell = page.locator(".jp-Notebook .jp-Cell").nth(len(screen.cells) - 1)
        shown = cell if screen.only == ".jp-Cell" else cell.locator(screen.only)
        home = re.escape(str(lab.root.parent / "mediakit_home"))
        picture = shots.shoot(shown, (home, "~/.local/share/mediakit"))
    lab.end_kernels()
    return shots.write(shots.faded(picture, screen.tallest), IMAGES / name)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*SCREENS]))
def main(names: tuple[str, ...]) -> None:
    """Photograph the screens, or the ones that are named."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, chromium() as browser:
        lab = Lab(Path(home))
        try:
            for name in names or SCREENS:
                click.echo(f"wrote docs/images/{photograph(name, SCREENS[name], lab, browser).name}")
        finally:
            lab.stop()


if __name__ == "__main__":
    main()
