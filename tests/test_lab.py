"""Forms in a real JupyterLab, driven through a real browser."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from mediakit.engines.browser.find import candidates
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

    def _wait_for_port(self) -> int:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            for note in self._runtime.glob("jpserver-*.json"):
                if port := urlsplit(json.loads(note.read_text() or "{}").get("url", "")).port:
                    return port
            time.sleep(0.1)
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
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=next(candidates(BrowserSettings())))
        yield browser
        browser.close()


@pytest.fixture
def open_notebook(lab: Lab, browser: Browser) -> Iterator[Open]:
    """Open a notebook with these cells; the test fails on any error in the browser's console."""
    complaints: list[str] = []
    contexts = []

    def opened(*cells: str, name: str, width: int = 1280) -> Page:
        write_notebook(lab.root / name, cells)
        context = browser.new_context(viewport={"width": width, "height": 1000})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        _load(page, lab, name)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    code = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel}), path)


def _load(page: Page, lab: Lab, name: str) -> None:
    page.goto(f"http://127.0.0.1:{lab.port}/doc/tree/{name}?token=t&reset")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")


def run_all(page: Page) -> None:
    """Run every cell and wait for the last one."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
