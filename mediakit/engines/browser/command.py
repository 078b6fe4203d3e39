"""The command that starts Chromium: which executable, with which flags and environment."""

import itertools
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import platformdirs

from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings


def temporary_folder_variables(folder: Path) -> dict[str, str]:
    """Return the environment variables that set the folder for temporary files."""
    return dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder))


def home_variable(folder: Path) -> dict[str, str]:
    """Return `HOME` set to a folder, which Chromium requires, or nothing if the user has a home."""
    try:
        Path.home()
    except RuntimeError:
        return {"HOME": str(folder)}
    return {}


DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)

AUTOMATION_FLAGS = (
    "--headless",
    "--no-startup-window",
    # Pages look the same on all machines.
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    # A page sees a mouse, which this machine need not have.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    # WebGL without a graphics card.
    "--enable-unsafe-swiftshader",
    # Screenshots show the page at its full size, and what it has just drawn.
    "--enable-features=CDPScreenshotNewSurface",
    # No experiments, no upgrades to HTTPS, no services that pages do not need.
    "--disable-field-trial-config",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    # Pages run at full speed, though no window shows them.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # Many messages do not slow a page down, and a long script does not ask the user.
    "--disable-ipc-flooding-protection",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    # A page that was left keeps no memory.
    "--disable-back-forward-cache",
    # Containers have little shared memory.
    "--disable-dev-shm-usage",
    # No crash reports, usage reports, extensions, default apps or updates.
    "--disable-breakpad",
    "--metrics-recording-only",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-updater-scheduler",
    # Passwords are not read from the user's key ring.
    "--password-store=basic",
    "--use-mock-keychain",
)
"""Pages look and run the same on all machines, and Chromium does nothing but run pages."""


CLOSED_PORT = "http://127.0.0.1:9"
"""Proxy for traffic outside of a render."""


def resolver_rules(proxy_host: str) -> str:
    """Return the flag that lets Chromium resolve no name but that of the proxy."""
    return f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {proxy_host}"


NETWORK_FLAGS = (
    # Each render has its own proxy. Traffic outside of a render goes to a closed port.
    f"--proxy-server={CLOSED_PORT}",
    "--proxy-bypass-list=<-loopback>",
    resolver_rules("127.0.0.1"),
    "--dns-prefetch-disable",
    "--disable-quic",
    # Chromium has renamed this flag; each release ignores the name that it does not know.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""The flags without which a page could send traffic past its proxy."""

FLAGS = (
    *NETWORK_FLAGS,
    "--no-pings",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-sync",
    # Closing windows that a page opens would keep the page from finishing its load.
    "--block-new-web-contents",
    # Decode large images before the screenshot, not after it.
    "--disable-checker-imaging",
)
"""Only pages send traffic, and only through their proxy. Pages open no windows. Screenshots are complete."""


def remote_flags(proxy_host: str) -> tuple[str, ...]:
    """Return the flags that a remote Chromium must have, which sees this server at the name or address `proxy_host`."""
    own_rules = resolver_rules("127.0.0.1")
    network = (resolver_rules(proxy_host) if flag == own_rules else flag for flag in NETWORK_FLAGS)
    # Chromium tells its command line only with --enable-automation.
    return ("--enable-automation", *network)


def missing_flags(arguments: Iterable[str], proxy_host: str) -> list[str]:
    """Return the flags that a remote Chromium lacks, from its command line. Of a repeated flag, the last one counts."""
    last = {argument.partition("=")[0]: argument for argument in arguments}
    return [flag for flag in remote_flags(proxy_host) if last.get(flag.partition("=")[0]) != flag]


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
    folders = filter(None, map(os.environ.get, ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")))
    for name in (*names, *(str(Path(folder) / name) for folder in folders for name in WINDOWS_BROWSERS)):
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
        found = find_spec("playwright")
        return Path(found.origin).parent / "driver/package/.local-browsers" if found and found.origin else None
    if configured:
        return Path(configured)
    if sys.platform == "win32":
        return platformdirs.user_data_path("ms-playwright", appauthor=False)
    try:
        return platformdirs.user_cache_path("ms-playwright")
    except RuntimeError:
        return None
