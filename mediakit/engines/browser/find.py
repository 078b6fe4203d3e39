"""Where a Chromium may be on this machine, the best for rendering first."""

import itertools
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

HEADLESS_SHELLS = (
    # Debian's command is a script that stays between us and the browser, and outlives a kill.
    "/usr/lib/chromium/chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
)
"""Browsers built for rendering alone: a fresh context costs them less than half."""

BROWSERS = (
    "google-chrome-stable",
    "google-chrome",
    "/usr/lib/chromium/chromium",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
    "microsoft-edge",
    "brave-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
)

WINDOWS_BROWSERS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)
"""Below the folders that Windows installs programs in."""

PLAYWRIGHT_SHELLS = (
    "chromium_headless_shell-*/*/chrome-headless-shell*",
    "chromium_headless_shell-*/*/headless_shell*",
)
PLAYWRIGHT_BROWSERS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)

MISSING = (
    "No Chromium works here. Pictures and PDFs of HTML, screenshots and web pages by URL need one; "
    "QR codes, barcodes, charts, images and the code reader do not. "
    "Install one with `mediakit browser install`, or with `sudo apt install chromium libatomic1`, "
    "or set MEDIAKIT_BROWSER to the path of a Chrome, Chromium or Edge."
)


def find(settings: BrowserSettings) -> Path:
    """Give the first Chromium there is.

    Raises:
        BrowserMissing: There is none; the message says how to get one.
    """
    for path in candidates(settings):
        return path
    raise BrowserMissing(MISSING)


def candidates(settings: BrowserSettings) -> Iterator[Path]:
    """Give every Chromium there is, the best first; `settings.browser` alone when it is set.

    Raises:
        BrowserMissing: `settings.browser` is no program.
    """
    if settings.browser is None:
        yield from dict.fromkeys(_everywhere())
    elif path := _program(str(settings.browser)):
        yield path
    else:
        raise BrowserMissing(
            f"MEDIAKIT_BROWSER: {settings.browser} is no program that can be run; "
            "give the path of a Chrome, Chromium or Edge, or unset it to use any that is found."
        )


def _everywhere() -> Iterator[Path]:
    cache = _playwright_cache()
    named = (*HEADLESS_SHELLS, *_newest(cache, PLAYWRIGHT_SHELLS), *_newest(cache, PLAYWRIGHT_BROWSERS), *BROWSERS)
    for name in (*named, *_windows()):
        if path := _program(name):
            yield path


def _program(name: str) -> Path | None:
    found = shutil.which(str(Path(name).expanduser()))
    return Path(found) if found else None


def _newest(folder: Path | None, patterns: tuple[str, ...]) -> list[str]:
    if folder is None:
        return []
    found = itertools.chain.from_iterable(folder.glob(pattern) for pattern in patterns)
    return [str(path) for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True) if path.is_file()]


def _playwright_cache() -> Path | None:
    """Give the folder that Playwright installs browsers in; None where nobody knows the user's home."""
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if chosen == "0":
        import playwright

        return Path(playwright.__file__).parent / "driver/package/.local-browsers"
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return platformdirs.user_data_path("ms-playwright", appauthor=False)
    try:
        return platformdirs.user_cache_path("ms-playwright")
    except RuntimeError:
        return None


def _windows() -> Iterator[str]:
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if folder := os.environ.get(variable):
            yield from (str(Path(folder) / name) for name in WINDOWS_BROWSERS)
