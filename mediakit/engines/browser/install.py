"""Find a Chromium that works, or install one."""

import asyncio
import io
import itertools
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.async_api import Error

from mediakit.engines.browser.find import MISSING, candidates
from mediakit.engines.browser.launch import launch, start
from mediakit.engines.browser.launched import Launched
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

Report = Callable[[str], None]

ALSO = ("libatomic1", "fonts-noto-color-emoji", "fonts-noto-cjk")
"""What Playwright's driver needs beside Chromium, and fonts for what people write."""
PLAYWRIGHT = (sys.executable, "-m", "playwright", "install", "chromium-headless-shell")
SIGN = 15
"""Seconds between two signs of life."""
APT_INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends")

PROOF = "data:text/html,<body style='margin:0;background:rgb(10,120,60)'>"
PROOF_COLOUR = (10, 120, 60)


async def install(settings: BrowserSettings, report: Report) -> Path | None:
    """Give a Chromium that draws, after installing one if there is none; None for a remote one.

    Args:
        settings: Which browser to use.
        report: Called with a line for each step.

    Raises:
        BrowserMissing: There is none, and none could be installed.
    """
    if settings.browser_url:
        await _check(await launch(settings))
        report(f"The browser at {settings.browser_url} works.")
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
    """Say whether a Chromium draws a picture: many start, tell their version, and fail at the first page."""
    try:
        return await _check(await start(path))
    except (Error, TimeoutError, OSError):
        return False


async def _check(launched: Launched) -> bool:
    try:
        page = await launched.browser.new_page()
        await page.goto(PROOF)
        with Image.open(io.BytesIO(await page.screenshot())) as picture:
            return picture.convert("RGB").getpixel((5, 5)) == PROOF_COLOUR
    finally:
        await launched.close()


async def _first_working(settings: BrowserSettings, report: Report) -> Path | None:
    for path in candidates(settings):
        if await works(path):
            report(f"{path} works.")
            return path
        report(f"{path} is there, but draws no page.")
    return None


async def _from_playwright(report: Report) -> bool:
    report("Downloading Chromium's headless shell (about 110 MB).")
    return await _run(report, *PLAYWRIGHT)


async def _from_debian(report: Report) -> bool:
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    report("Installing Chromium with apt-get.")
    await _run(report, "apt-get", "update")
    for package in ("chromium-headless-shell", "chromium"):
        if await _run(report, *APT_INSTALL, package):
            await _run(report, *APT_INSTALL, *ALSO)
            return True
    return False


async def _run(report: Report, *command: str) -> bool:
    """Run a command, with a sign of life while it lasts; when it fails, report why in a line."""
    process = await asyncio.create_subprocess_exec(
        *command,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    alive = asyncio.ensure_future(_sign_of_life(report))
    try:
        output, _ = await process.communicate()
    finally:
        alive.cancel()
    if process.returncode:
        report(f"{_program(command)} failed: {_reason(output.decode(errors='replace'))}")
    return process.returncode == 0


async def _sign_of_life(report: Report) -> None:
    for seconds in itertools.count(SIGN, SIGN):
        await asyncio.sleep(SIGN)
        report(f"… {seconds} s")


def _program(command: tuple[str, ...]) -> str:
    """Name what runs, without the path of its Python."""
    return "playwright install" if "playwright" in command else " ".join(command[:2])


def _reason(output: str) -> str:
    """Give the line of a command's output that says most."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = (line for line in lines if line.startswith(("E:", "Error")))
    return next(telling, lines[-1] if lines else "it said nothing.")
