"""Checks of Python, the packages, the browser, its fonts, and `MEDIAKIT_HOME`."""

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement

from mediakit.diagnosis.finding import SET_HOME, Finding, first_line, unset
from mediakit.errors import MediakitError
from mediakit.settings import Settings

BLUE = (37, 99, 235)

NAMESPACE_SETTINGS = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),  # Ubuntu since 23.10
    ("kernel.unprivileged_userns_clone", "0", "1"),  # Debian up to 10
    ("user.max_user_namespaces", "0", "10000"),  # Red Hat up to 7, and hardened machines
)
"""Linux settings for user namespaces, which the browser's sandbox and network isolation require.

Each entry is the name, the value that disables namespaces, and the value that enables them.
"""


def python(_settings: Settings) -> Iterator[Finding]:
    """Report the versions of Python and of the operating system."""
    yield Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")


def packages(_settings: Settings) -> Iterator[Finding]:
    """Check that every required package is installed in a supported version."""
    declared = map(Requirement, requires("mediakit") or ())
    required = [package for package in declared if not package.marker or package.marker.evaluate()]
    versions = {package: _version(package.name) for package in required}
    missing = [package for package, installed in versions.items() if installed is None]
    unsupported = [
        package
        for package, installed in versions.items()
        if installed and not package.specifier.contains(installed, prereleases=True)
    ]
    if missing or unsupported:
        problems = [f"{package.name} {versions[package]} is not supported" for package in unsupported]
        problems += [f"{package.name} is not installed" for package in missing]
        arguments = " ".join(f'"{package.name}{package.specifier}"' for package in (*unsupported, *missing))
        yield Finding("mediakit", ", ".join(problems), f"{sys.executable} -m pip install {arguments}")
    else:
        yield Finding("mediakit", f"{version('mediakit')} with {len(required)} packages")


def browser(settings: Settings) -> Iterator[Finding]:
    """Check that a Chromium is installed."""
    from mediakit.engines.browser.find import find

    try:
        yield Finding("Browser", str(find(settings.browser)))
    except MediakitError as error:
        yield Finding("Browser", first_line(error), _browser_fix(settings))


def rendering(settings: Settings) -> Iterator[Finding]:
    """Render a page, and check its color."""
    from mediakit.tools.images.capture import capture

    try:
        image = capture("<body style='background:#2563eb'>", width=100, height=100)
    except MediakitError as error:
        yield Finding("Rendering", first_line(error), _browser_fix(settings))
        return
    if image.to_pil().convert("RGB").getpixel((50, 50)) == BLUE:
        yield Finding("Rendering", "a test page renders correctly")
    else:
        yield Finding("Rendering", "a test page renders in wrong colors", "set MEDIAKIT_BROWSER to another Chromium")


def fonts(_settings: Settings) -> Iterator[Finding]:
    """Check which scripts the browser can render."""
    from mediakit.diagnosis.scripts import LATIN, SCRIPTS, install_command, missing_scripts

    try:
        missing = missing_scripts()
    except MediakitError:
        return  # already reported by `rendering`
    if missing:
        outcome = f"no font for {', '.join(missing)}: letters render as empty boxes, or not at all"
        yield Finding("Fonts", outcome, install_command(missing), is_warning=LATIN not in missing)
    else:
        yield Finding("Fonts", f"fonts for {', '.join(SCRIPTS)}")


def confinement(settings: Settings) -> Iterator[Finding]:
    """Report how the browser is sandboxed."""
    from mediakit.core.runtime import runtime
    from mediakit.engines.browser import active_confinement

    if settings.browser.browser_url:
        yield Finding("Confinement", "depends on the remote browser")
        return
    try:
        active = runtime.run(active_confinement())
    except MediakitError:
        yield Finding("Confinement", "unknown: Chromium does not start", _browser_fix(settings))
        return
    is_complete = active is None or (active.sandbox and active.namespace)
    yield Finding("Confinement", str(active), "" if is_complete else _namespace_fix(), is_warning=True)


def home(settings: Settings) -> Iterator[Finding]:
    """Check that `MEDIAKIT_HOME` is writable."""
    from mediakit.accounts.private_files import private_folder

    folder = settings.accounts.home
    try:
        with tempfile.TemporaryFile(dir=private_folder(folder)):
            pass
    except MediakitError as error:
        yield Finding("Home", first_line(error).partition(": ")[2].partition(". ")[0], SET_HOME)
    except OSError as error:
        yield Finding("Home", f"{folder} is not writable ({error.strerror})", SET_HOME)
    else:
        is_temporary = "MEDIAKIT_HOME" not in os.environ and folder.parent == Path(tempfile.gettempdir())
        note = " is a temporary folder, because this user has no home folder" if is_temporary else ""
        yield Finding("Home", f"{folder}{note}", SET_HOME if is_temporary else "", is_warning=True)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _browser_fix(settings: Settings) -> str:
    # An installed browser is not used while a setting names another one.
    settings_by_name = {
        "MEDIAKIT_BROWSER": settings.browser.browser,
        "MEDIAKIT_BROWSER_URL": settings.browser.browser_url,
    }
    return next((unset(name) for name, value in settings_by_name.items() if value), "mediakit browser install")


def _namespace_fix(root: Path = Path("/")) -> str:
    """Return the command that enables user namespaces, if a Linux setting disables them."""
    for setting, disabled, enabled in NAMESPACE_SETTINGS:
        path = root / "proc/sys" / setting.replace(".", "/")
        if path.exists() and path.read_text().strip() == disabled:
            return f"sudo sysctl -w {setting}={enabled}"
    return ""
