"""Take the screenshots of the forms for the site: `python docs/form_screenshots.py [TOOL ...]`.

Each form has the values of the first example of its tool, but `screenshot` loads a sample page from this machine. One
notebook in JupyterLab shows the forms one after the other.
"""

# ruff: noqa: INP001  # a script, not part of a package

import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import click
import screenshots
from PIL import Image
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from mediakit.samples import LANDSCAPE, PAGE
from mediakit.tools.catalogue import tool_names
from tests.support.lab_kit import Lab, chromium, load, run_cell, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Page

IMAGES = Path(__file__).resolve().parent / "images" / "forms"
START = "import mediakit\nfrom mediakit.tools.catalogue import load_tool"
FORM = 'mediakit.form("{name}", **{{**load_tool("{name}").examples[0].values, **{values}}})'
SET_SOURCE = "text => jupyterapp.shell.currentWidget.content.widgets[1].model.sharedModel.setSource(text)"
SELECT_LAST_CELL = "() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 2 }"

WIDTH, MAX_HEIGHT = 960, 720
"""Displayed pixels of a screenshot."""
QUALITY = 80
PREVIEW_TIMEOUT_MS = 8000


@contextlib.contextmanager
def page_server() -> Iterator[str]:
    """Serve the sample page with its photo on a port that the forms may load, and return its URL."""
    with tempfile.TemporaryDirectory() as folder:
        for file in (PAGE, LANDSCAPE):
            shutil.copy(file, folder)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        os.environ["MEDIAKIT_ALLOWED_NETWORKS"] = f"127.0.0.1:{server.server_port}"
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        server.server_close()


def take(page: "Page", name: str, **values: str) -> Path:
    """Show a form with values that differ from those of the example, write its image and return its path."""
    page.evaluate(SET_SOURCE, FORM.format(name=name, values=values))
    run_cell(page, 1)
    form = page.locator(".jp-Cell").nth(1).locator(".mediakit-form")
    form.wait_for()
    with contextlib.suppress(PlaywrightTimeout):  # some forms have no preview
        form.locator("img").first.wait_for(timeout=PREVIEW_TIMEOUT_MS)
    page.evaluate(SELECT_LAST_CELL)
    screenshots.wait_for_images(page)
    image = screenshots.limit_height(screenshots.take(form), MAX_HEIGHT)
    page.evaluate(SET_SOURCE, "")
    run_cell(page, 1)
    form.wait_for(state="detached")
    target = IMAGES / f"{name.replace('_', '-')}.webp"
    IMAGES.mkdir(parents=True, exist_ok=True)
    small = image.resize((image.width * 3 // 4, image.height * 3 // 4), Image.Resampling.LANCZOS)
    small.save(target, quality=QUALITY, method=6)
    return target


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(tool_names()))
def main(names: tuple[str, ...]) -> None:
    """Take the screenshots of the forms of these tools, or of all."""
    with page_server() as url, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, chromium() as browser:
        changes = {"screenshot": {"url": url}}
        lab = Lab(Path(home))
        write_notebook(lab.root / "forms.ipynb", (START, "", ""))
        viewport = {"width": WIDTH, "height": 4000}
        try:
            page = browser.new_page(viewport=viewport, device_scale_factor=screenshots.DEVICE_SCALE_FACTOR)  # type: ignore[arg-type]
            load(page, lab, "forms.ipynb")
            run_cell(page, 0)
            for name in names or tool_names():
                click.echo(f"wrote docs/images/forms/{take(page, name, **changes.get(name, {})).name}")
        finally:
            lab.stop()


if __name__ == "__main__":
    main()
