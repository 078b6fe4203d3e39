"""Find Chromium browsers on this machine, the fastest for rendering first."""

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
    # Debian's command in PATH is a shell script that stays the parent of the browser and survives a kill.
    "/usr/lib/chromium/chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
)
"""Builds without a user interface. Creating a context takes them less than half the time."""

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
"""Paths relative to the program folders of Windows."""

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
    "No working Chromium was found. Images and PDFs from HTML, screenshots, and web pages by URL need one; "
    "QR codes, barcodes, charts, images and the code reader do not. "
    "Install one with `mediakit browser install` or with `sudo apt install chromium libatomic1`, "
    "or set MEDIAKIT_BROWSER to the path of Chrome, Chromium or Edge."
)


def is_headless_shell(path: Path) -> bool:
    """Return whether an executable is a build without a user interface. All of them are named so."""
    return "headless" in path.name


def find(settings: BrowserSettings) -> Path:
    """Return the path of the first Chromium found.

    Raises:
        BrowserMissing: No Chromium was found. The message says how to install one.
    """
    for path in candidates(settings):
        return path
    raise BrowserMissing(MISSING)


def candidates(settings: BrowserSettings) -> Iterator[Path]:
    """Yield the paths of all Chromium browsers, the fastest first, or only `settings.browser` when it is set.

    Raises:
        BrowserMissing: `settings.browser` is not an executable.
    """
    if settings.browser is None:
        yield from dict.fromkeys(_installed())
    elif path := _executable(str(settings.browser)):
        yield path
    else:
        raise BrowserMissing(
            f"MEDIAKIT_BROWSER: must be the path of Chrome, Chromium or Edge, got {settings.browser}, which is not an "
            "executable. Unset it to use any browser that is found."
        )


def _installed() -> Iterator[Path]:
    cache = _playwright_cache()
    names = (
        *HEADLESS_SHELLS,
        *_newest_first(cache, PLAYWRIGHT_SHELLS),
        *_newest_first(cache, PLAYWRIGHT_BROWSERS),
        *BROWSERS,
    )
    for name in (*names, *_windows_paths()):
        if path := _executable(name):
            yield path


def _executable(name: str) -> Path | None:
    found = shutil.which(str(Path(name).expanduser()))
    return Path(found) if found else None


def _newest_first(folder: Path | None, patterns: tuple[str, ...]) -> list[str]:
    if folder is None:
        return []
    found = itertools.chain.from_iterable(folder.glob(pattern) for pattern in patterns)
    return [str(path) for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True) if path.is_file()]


def _playwright_cache() -> Path | None:
    """Return the folder in which Playwright installs browsers, or None if the user has no home."""
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if configured == "0":
        import playwright

        return Path(playwright.__file__).parent / "driver/package/.local-browsers"
    if configured:
        return Path(configured)
    if sys.platform == "win32":
        return platformdirs.user_data_path("ms-playwright", appauthor=False)
    try:
        return platformdirs.user_cache_path("ms-playwright")
    except RuntimeError:
        return None


def _windows_paths() -> Iterator[str]:
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if folder := os.environ.get(variable):
            yield from (str(Path(folder) / name) for name in WINDOWS_BROWSERS)
