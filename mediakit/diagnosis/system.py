"""Python, packages, the browser, its fonts, and the folder of accounts."""

import platform
import re
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from mediakit.diagnosis.finding import Finding
from mediakit.errors import MediakitError
from mediakit.settings import Settings

BLUE = (37, 99, 235)


def python(_settings: Settings) -> Iterator[Finding]:
    """Name Python and the system."""
    yield Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")


def packages(_settings: Settings) -> Iterator[Finding]:
    """Look for every package that mediakit asks for."""
    wanted = [requirement for requirement in requires("mediakit") or () if "extra ==" not in requirement]
    missing = [name for name in map(_name, wanted) if not _installed(name)]
    if missing:
        yield Finding("mediakit", f"{', '.join(missing)} not installed", f"pip install {' '.join(missing)}")
    else:
        yield Finding("mediakit", f"{version('mediakit')} with its {len(wanted)} packages")


def browser(settings: Settings) -> Iterator[Finding]:
    """Look for a Chromium."""
    from mediakit.engines.browser.find import find

    try:
        yield Finding("Browser", str(find(settings.browser)))
    except MediakitError as error:
        yield Finding("Browser", _first_line(error), _browser_mend(settings))


def rendering(settings: Settings) -> Iterator[Finding]:
    """Draw a page."""
    from mediakit.tools.capture import capture

    try:
        picture = capture("<body style='background:#2563eb'>", width=100, height=100)
    except MediakitError as error:
        yield Finding("Rendering", _first_line(error), _browser_mend(settings))
        return
    if picture.to_pil().convert("RGB").getpixel((50, 50)) == BLUE:
        yield Finding("Rendering", "a picture came out as it should")
    else:
        yield Finding("Rendering", "the colours of a picture are wrong", "set MEDIAKIT_BROWSER to another Chromium")


def fonts(_settings: Settings) -> Iterator[Finding]:
    """Ask the browser which writing it can draw."""
    from mediakit.diagnosis.scripts import SCRIPTS, mend, missing

    try:
        absent = missing()
    except MediakitError:
        return  # said above
    if absent:
        yield Finding("Fonts", f"no {' and no '.join(absent)}: drawn as empty boxes", mend(absent), minor=True)
    else:
        yield Finding("Fonts", f"{', '.join(SCRIPTS)} are drawn")


def confinement(settings: Settings) -> Iterator[Finding]:
    """Say what holds Chromium in."""
    from mediakit.core.runtime import runtime
    from mediakit.engines.browser import confinement

    if settings.browser.browser_url:
        yield Finding("Confinement", "that of the remote browser")
        return
    try:
        yield Finding("Confinement", str(runtime.run(confinement())))
    except MediakitError:
        yield Finding("Confinement", "none: no Chromium runs", _browser_mend(settings))


def home(settings: Settings) -> Iterator[Finding]:
    """Write into the folder of accounts, link files and mail."""
    folder = settings.accounts.home
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            yield Finding("Home", str(folder))
    except OSError as error:
        yield Finding("Home", f"{folder} cannot be written ({error.strerror})", "set MEDIAKIT_HOME to another folder")


def _name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]


def _installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def _first_line(error: MediakitError) -> str:
    return str(error).partition("\n")[0]


def _browser_mend(settings: Settings) -> str:
    # Nothing that is installed is used while a variable names another browser.
    named = {"MEDIAKIT_BROWSER": settings.browser.browser, "MEDIAKIT_BROWSER_URL": settings.browser.browser_url}
    return next((f"unset {name}" for name, value in named.items() if value), "mediakit browser install")
