"""Find a working Chromium, or install one."""

import asyncio
import io
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

import pybase64
from PIL import Image

from mediakit.engines.browser.command import MISSING, candidates
from mediakit.engines.browser.launch import launch, start
from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

Report = Callable[[str], None]

EXTRA_PACKAGES = ("libatomic1", "fonts-noto-color-emoji", "fonts-noto-cjk")
"""A library that Playwright's driver needs, and fonts for emoji, Chinese, Japanese and Korean."""
PLAYWRIGHT_INSTALL = (sys.executable, "-m", "playwright", "install", "chromium-headless-shell")
PLAYWRIGHT_REQUIREMENT = "playwright>=1.60,<2"
PROGRESS_INTERVAL_SECONDS = 15
APT_INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends")

TEST_PAGE = "data:text/html,<body style='margin:0;background:rgb(10,120,60)'>"
TEST_COLOR = (10, 120, 60)
IS_DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A promise that resolves when the page has been drawn."""


async def install(settings: BrowserSettings, report: Report) -> Path | None:
    """Return the path of a working Chromium, installed if necessary, or None for a remote one.

    Args:
        settings: Browser settings.
        report: Called with one line of text per step.

    Raises:
        BrowserMissing: No working Chromium was found, and none could be installed.
    """
    if settings.browser_url:
        await _renders(await launch(settings))
        report(f"The browser at {' or '.join(settings.browser_url)} works.")
        return None
    for step in (None, _from_playwright, _from_debian):
        if step and not await step(report):
            continue
        if path := await _first_working(settings, report):
            return path
        if settings.browser:
            break
    raise BrowserMissing(MISSING)


async def works(path: Path) -> bool:
    """Return whether a Chromium renders a page. Some print their version and then fail at the first page."""
    try:
        return await _renders(await start(path))
    except (ProtocolError, TimeoutError, OSError):
        return False


async def _renders(process: ChromiumProcess) -> bool:
    try:
        page = await process.client.open_page(process.proxy, scripts=True)
        await page.cdp.send("Page.navigate", {"url": TEST_PAGE})
        await page.cdp.evaluate(IS_DRAWN, await_promise=True)
        screenshot = await page.cdp.send("Page.captureScreenshot")
        with Image.open(io.BytesIO(pybase64.b64decode(screenshot["data"]))) as image:
            return image.convert("RGB").getpixel((5, 5)) == TEST_COLOR
    finally:
        await process.close()


async def _first_working(settings: BrowserSettings, report: Report) -> Path | None:
    for path in candidates(settings):
        if await works(path):
            report(f"{path} works.")
            return path
        report(f"{path} was found, but does not render.")
    return None


async def _from_playwright(report: Report) -> bool:
    report("Downloading Chromium's headless shell (about 110 MB).")
    if find_spec("playwright"):
        return await _run(report, *PLAYWRIGHT_INSTALL)
    # Playwright takes 160 MB and is needed for the download only, so that it is not kept.
    with tempfile.TemporaryDirectory() as folder:
        pip = (sys.executable, "-m", "pip") if find_spec("pip") else ("uv", "pip")
        if not await _run(report, *pip, "install", "--quiet", "--target", folder, PLAYWRIGHT_REQUIREMENT):
            return False
        return await _run(report, *PLAYWRIGHT_INSTALL, variables={"PYTHONPATH": folder})


async def _from_debian(report: Report) -> bool:
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    report("Installing Chromium with apt-get.")
    await _run(report, "apt-get", "update")
    for package in ("chromium-headless-shell", "chromium"):
        if await _run(report, *APT_INSTALL, package):
            await _run(report, *APT_INSTALL, *EXTRA_PACKAGES)
            return True
    return False


async def _run(report: Report, *command: str, variables: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Run a command and return whether it succeeded. Report progress, and one line with the reason of a failure."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", **variables},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except FileNotFoundError:
        report(f"{command[0]} is not installed.")
        return False
    progress = asyncio.ensure_future(_report_progress(report))
    try:
        output, _ = await process.communicate()
    finally:
        progress.cancel()
    if process.returncode:
        name = "The download of playwright" if PLAYWRIGHT_REQUIREMENT in command else " ".join(command[:2])
        if "playwright" in command:  # its command begins with the path of Python
            name = "playwright install"
        lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
        errors = (line for line in lines if line.startswith(("E:", "Error")))
        report(f"{name} failed: {next(errors, lines[-1] if lines else 'no output.')}")
    return process.returncode == 0


async def _report_progress(report: Report) -> None:
    for seconds in itertools.count(PROGRESS_INTERVAL_SECONDS, PROGRESS_INTERVAL_SECONDS):
        await asyncio.sleep(PROGRESS_INTERVAL_SECONDS)
        report(f"… {seconds} s")
