"""Forms in a real JupyterLab, driven through a real browser."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from mediakit.engines.browser.find import find
from mediakit.settings import BrowserSettings

pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

START_SECONDS = 90
WAIT_MS = 60_000

NO_NEWS = {"@jupyterlab/apputils-extension/notification.jupyterlab-settings": '{"fetchNews": "false"}'}

Open = Callable[..., Page]


class Lab:
    """A JupyterLab of its own: no setting, extension state or kernel of the machine's user touches it."""

    def __init__(self, home: Path) -> None:
        self.root = home / "root"
        self.root.mkdir()
        self._runtime = home / "runtime"
        for path, text in NO_NEWS.items():
            target = home / "settings" / path
            target.parent.mkdir(parents=True)
            target.write_text(text)
        with (home / "log").open("wb") as log:
            self._process = subprocess.Popen(
                _command(self.root), env=_environment(home), stdout=log, stderr=log, start_new_session=True
            )
        self.port = self._wait_for_port()

    def stop(self) -> None:
        """End the server, and the kernels that are its children."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def end_kernels(self) -> None:
        """Shut down what notebooks have started."""
        base, headers = f"http://127.0.0.1:{self.port}/api", {"Authorization": "token t"}
        with httpx.Client(base_url=base, headers=headers, trust_env=False) as api:
            for kernel in api.get("/kernels").json():
                api.delete(f"/kernels/{kernel['id']}").raise_for_status()

    def _wait_for_port(self) -> int:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            for note in self._runtime.glob("jpserver-*.json"):
                if (text := note.read_text()).endswith("}"):  # else it is being written
                    return int(json.loads(text)["port"])
            time.sleep(0.1)
        self.stop()
        raise RuntimeError("JupyterLab did not start: " + (self.root.parent / "log").read_text()[-2000:])


def _command(root: Path) -> list[str]:
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=t"]
    app = ["--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"]
    return [sys.executable, "-m", "jupyterlab", *options, *app, f"--ServerApp.root_dir={root}"]


def _environment(home: Path) -> dict[str, str]:
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "JUPYTERLAB_WORKSPACES_DIR", "MEDIAKIT_HOME")
    own = {name: str(home / name.lower()) for name in names}
    lab = {"JUPYTER_RUNTIME_DIR": str(home / "runtime"), "JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    return {**os.environ, **own, **lab, "JUPYTER_PREFER_ENV_PATH": "1"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(BrowserSettings()))
        yield browser
        browser.close()


@pytest.fixture
def open_notebook(lab: Lab, browser: Browser) -> Iterator[Open]:
    """Open a notebook with these cells; at its end the test fails on any error in the browser's console."""
    complaints: list[str] = []
    pages: list[Page] = []

    def opened(name: str, *cells: str, width: int = 1280) -> Page:
        write_notebook(lab.root / name, cells)
        page = browser.new_page(viewport={"width": width, "height": 1000})
        pages.append(page)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        load(page, lab, name)
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []


def test_a_form_draws_while_somebody_types(open_notebook: Open) -> None:
    page = open_notebook("typing.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    expect(form.get_by_role("img", name="QR code: hi", exact=True)).to_be_visible()
    form.get_by_role("textbox", name="data", exact=True).press_sequentially("!" * 40, delay=15)
    expect(form.get_by_role("img", name="QR code: hi" + "!" * 40, exact=True)).to_be_visible()
    form.get_by_role("combobox", name="format", exact=True).select_option("svg")
    expect(form.get_by_role("link", name="Download qr.svg")).to_be_visible()
    form.get_by_role("tab", name="curl").click()
    expect(form.get_by_text("curl 'http://127.0.0.1:8000/qr?format=svg'")).to_be_visible()
    form.get_by_role("button", name="Copy").locator("visible=true").click()
    expect(form.get_by_role("button", name="Copied")).to_be_visible()


def test_an_error_appears_at_its_field_and_goes(open_notebook: Open) -> None:
    page = open_notebook("errors.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    form = page.locator(".mediakit-form")
    size = form.get_by_role("spinbutton", name="size", exact=True)
    size.press("ControlOrMeta+a")
    size.press_sequentially("5000", delay=15)
    expect(form.get_by_role("alert")).to_have_text("size must be at most 2000, got 5000.")
    size.press("Backspace")
    expect(form.get_by_role("alert")).to_have_count(0)
    expect(form.get_by_text("PNG · 500 × 500 · ")).to_be_visible()


def test_the_newest_picture_is_there_when_the_notebook_is_opened_again(
    lab: Lab, browser: Browser, open_notebook: Open
) -> None:
    page = open_notebook("again.ipynb", "import mediakit", "mediakit.form(mediakit.qr, data='hi')")
    run_all(page)
    picture = page.locator(".jp-OutputArea-output.jp-RenderedImage img")
    expect(page.locator(".mediakit-form").get_by_role("img")).to_be_visible()
    expect(picture).to_be_hidden()  # one picture is enough while the form lives
    page.get_by_role("spinbutton", name="size", exact=True).fill("300")
    expect(page.get_by_text("PNG · 300 × 300 · ")).to_be_visible()
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.close()
    lab.end_kernels()
    with browser.new_page() as later:
        load(later, lab, "again.ipynb")
        kept = later.locator(".jp-OutputArea-output.jp-RenderedImage img")
        expect(kept).to_be_visible()
        assert kept.evaluate("image => image.naturalWidth") == 300


def test_a_form_fits_a_narrow_notebook_in_both_themes_and_survives_an_interrupt(open_notebook: Open) -> None:
    warm = "import mediakit; mediakit.capture('<p>', width=100, height=100)"
    slow = "form = mediakit.form(mediakit.capture, html='<h1>Slow</h1>', width=300, height=200, wait_ms=5000)"
    page = open_notebook("narrow.ipynb", warm, slow, "form", "form.result.width", width=440)
    page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
    form = page.locator(".mediakit-form")
    expect(form.get_by_text("Drawing…")).to_be_visible()
    page.evaluate("window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    expect(page.locator(".jp-OutputArea-output").get_by_text("KeyboardInterrupt").first).to_be_visible()
    expect(form.get_by_text("PNG · 300 × 200 · ")).to_be_visible()
    for theme, ink in (("JupyterLab Dark", "rgba(255, 255, 255, 0.87)"), ("JupyterLab Light", "rgba(0, 0, 0, 0.87)")):
        page.evaluate(f"window.jupyterapp.commands.execute('apputils:change-theme', {{theme: '{theme}'}})")
        expect(form.get_by_role("spinbutton", name="width")).to_have_css("color", ink)
    field, picture = form.get_by_role("spinbutton", name="width").bounding_box(), form.get_by_role("img").bounding_box()
    assert field
    assert picture
    assert picture["y"] > field["y"] + field["height"]
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    code = [_code_cell(f"cell-{number}", text) for number, text in enumerate(cells)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": code}
    path.write_text(json.dumps(notebook))


def _code_cell(name: str, text: str) -> dict[str, object]:
    return {"cell_type": "code", "id": name, "metadata": {}, "source": text, "outputs": [], "execution_count": None}


def load(page: Page, lab: Lab, name: str) -> None:
    """Open a notebook alone and wait until its kernel is ready."""
    page.set_default_timeout(WAIT_MS)
    page.goto(f"http://127.0.0.1:{lab.port}/doc/tree/{name}?token=t&reset")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")


def run_all(page: Page) -> None:
    """Run every cell and wait for the last one to end."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
