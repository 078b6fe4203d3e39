"""Start JupyterLab for tests and control it through a browser.

Tests wait for elements with `Locator.wait_for()`, not with `expect(...).to_be_visible()`: while an element is missing,
each attempt of `expect` describes the whole page in a text for its error, which takes longer than what most tests do.
"""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Browser, FilePayload, Page, sync_playwright

from mediakit.engines.browser.command import find
from mediakit.settings import BrowserSettings

START_TIMEOUT_SECONDS = 90
WAIT_MS = 60_000
"""Timeout of Playwright calls in milliseconds."""

SETTINGS = {"@jupyterlab/apputils-extension/notification.jupyterlab-settings": '{"fetchNews": "false"}'}

PAGE_CONFIG = {"disabledExtensions": {"@jupyterlab/apputils-extension:splash": True}}
"""JupyterLab removes its start screen twice if two starts end within 200 ms, which is an error in the console."""

Open = Callable[..., Page]


class Lab:
    """A JupyterLab server that is isolated from the settings, extensions and kernels of the user."""

    def __init__(self, home: Path, base: str = "/") -> None:
        self.base = base
        self.root = home / "root"
        self.root.mkdir()
        self._runtime = home / "runtime"
        for path, text in SETTINGS.items():
            target = home / "settings" / path
            target.parent.mkdir(parents=True)
            target.write_text(text)
        labconfig = home / "jupyter_config_dir" / "labconfig"
        labconfig.mkdir(parents=True)
        (labconfig / "page_config.json").write_text(json.dumps(PAGE_CONFIG))
        with (home / "log").open("wb") as log:
            self._process = subprocess.Popen(
                _command(self.root, base), env=_environment(home), stdout=log, stderr=log, start_new_session=True
            )
        self.port = self._wait_for_port()

    def stop(self) -> None:
        """Stop the server and its kernels."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def end_kernels(self) -> None:
        """Shut down all kernels."""
        base, headers = f"http://127.0.0.1:{self.port}{self.base}api", {"Authorization": "token t"}
        with httpx.Client(base_url=base, headers=headers, timeout=60, trust_env=False) as api:
            for kernel in api.get("/kernels").json():
                api.delete(f"/kernels/{kernel['id']}").raise_for_status()

    def _wait_for_port(self) -> int:
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            for file in self._runtime.glob("jpserver-*.json"):
                if (text := file.read_text()).endswith("}"):  # otherwise the file is incomplete
                    return int(json.loads(text)["port"])
            time.sleep(0.1)
        self.stop()
        raise RuntimeError("JupyterLab did not start: " + (self.root.parent / "log").read_text()[-2000:])


def _command(root: Path, base: str) -> list[str]:
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=t"]
    app = ["--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"]
    return [sys.executable, "-m", "jupyterlab", *options, *app, *_locations(root, base)]


def _locations(root: Path, base: str) -> tuple[str, str]:
    return f"--ServerApp.root_dir={root}", f"--ServerApp.base_url={base}"


def _environment(home: Path) -> dict[str, str]:
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "JUPYTERLAB_WORKSPACES_DIR", "MEDIAKIT_HOME")
    directories = {name: str(home / name.lower()) for name in names}
    lab = {"JUPYTER_RUNTIME_DIR": str(home / "runtime"), "JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    return {**os.environ, **directories, **lab, "JUPYTER_PREFER_ENV_PATH": "1"}


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    code = [_code_cell(f"cell-{number}", text) for number, text in enumerate(cells)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": code}
    path.write_text(json.dumps(notebook))


def _code_cell(name: str, text: str) -> dict[str, object]:
    return {"cell_type": "code", "id": name, "metadata": {}, "source": text, "outputs": [], "execution_count": None}


def load(page: Page, lab: Lab, name: str) -> None:
    """Load JupyterLab with a notebook and wait until its kernel is idle."""
    page.context.set_default_timeout(WAIT_MS)  # also of pages that it opens
    page.goto(f"http://127.0.0.1:{lab.port}{lab.base}doc/tree/{name}?token=t&reset")
    wait_for_kernel(page)


def wait_for_kernel(page: Page) -> None:
    """Wait until the kernel of the notebook is idle."""
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")


OPEN_NOTEBOOK = "async path => { await jupyterapp.commands.execute('docmanager:open', {path}) }"
"""It returns nothing, because Playwright takes seconds to copy a notebook widget to Python."""

CLOSE_NOTEBOOKS = "() => { for (const each of [...jupyterapp.shell.widgets('main')]) each.dispose() }"


class Tab:
    """A page in which JupyterLab stays open, because it takes seconds to load."""

    def __init__(self, lab: Lab, browser: Browser) -> None:
        self.console_errors: list[str] = []
        self._lab = lab
        self._browser = browser
        self._page: Page | None = None

    def open(self, name: str, width: int) -> Page:
        """Show a notebook, and wait until its kernel is idle."""
        if self._page and not self._page.is_closed():
            self._page.set_viewport_size({"width": width, "height": 1000})
            self._page.evaluate(OPEN_NOTEBOOK, name)
            wait_for_kernel(self._page)
            return self._page
        page = self._page = self._browser.new_page(viewport={"width": width, "height": 1000})
        page.on(
            "console", lambda message: self.console_errors.append(message.text) if message.type == "error" else None
        )
        page.on("pageerror", lambda error: self.console_errors.append(error.stack or str(error)))
        load(page, self._lab, name)
        return page

    def clear(self) -> None:
        """Close the notebooks, and use the light theme again. A page that shows something else is closed."""
        if self._page and "/doc/tree/" in self._page.url:
            self._page.evaluate(CLOSE_NOTEBOOKS)
            if self._page.evaluate("document.body.dataset.jpThemeLight") == "false":
                use_theme(self._page, "JupyterLab Light")
        else:
            self.close()

    def close(self) -> None:
        """Close the page; the next test loads JupyterLab again."""
        if self._page:
            self._page.close()
            self._page = None


def run_all(page: Page) -> None:
    """Run every cell and wait until the last one has finished."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")


def run_cell(page: Page, index: int) -> None:
    """Run the cell with this index and wait until it has finished."""
    page.evaluate(f"window.jupyterapp.shell.currentWidget.content.activeCellIndex = {index}")
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell')")


def save(page: Page) -> None:
    """Save the notebook."""
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")


SEND_FILE = """([kind, name, type, content]) => {
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, {type}));
  const options = {bubbles: true, cancelable: true};
  const target = document.querySelector(".mediakit-drop-zone");
  if (kind === "paste") return target.dispatchEvent(new ClipboardEvent("paste", {...options, clipboardData: data}));
  target.dispatchEvent(new DragEvent("dragover", {...options, dataTransfer: data}));
  target.dispatchEvent(new DragEvent("drop", {...options, dataTransfer: data}));
}"""


def send_file(page: Page, kind: str, file: FilePayload) -> None:
    """Drop or paste a file on the drop area of a form, as the browser does."""
    content = base64.b64encode(file["buffer"]).decode()
    page.evaluate(SEND_FILE, [kind, file["name"], file["mimeType"], content])


def use_theme(page: Page, name: str) -> None:
    """Change the theme to `JupyterLab Light` or `JupyterLab Dark`."""
    page.evaluate("name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", name)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser that opens notebooks."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(BrowserSettings()))
        yield browser
        browser.close()
