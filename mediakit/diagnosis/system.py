"""Python, packages, the browser, its fonts, and the folder of accounts."""

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement

from mediakit.diagnosis.finding import OTHER_HOME, Finding, first_line, unset
from mediakit.errors import MediakitError
from mediakit.settings import Settings

BLUE = (37, 99, 235)


NAMESPACES = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),  # Ubuntu since 23.10
    ("kernel.unprivileged_userns_clone", "0", "1"),  # Debian up to 10
    ("user.max_user_namespaces", "0", "10000"),  # Red Hat up to 7, and hardened machines
)
"""Settings of Linux, what forbids Chromium's sandbox and a network of its own, and what allows them."""


def python(_settings: Settings) -> Iterator[Finding]:
    """Name Python and the system."""
    yield Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")


def packages(_settings: Settings) -> Iterator[Finding]:
    """Look for every package that mediakit asks for, in a version that it works with."""
    asked_for = map(Requirement, requires("mediakit") or ())
    wanted = [one for one in asked_for if not one.marker or one.marker.evaluate()]
    found = {one: _version(one.name) for one in wanted}
    unfit = [one for one, there in found.items() if there and not one.specifier.contains(there, prereleases=True)]
    missing = [one for one, there in found.items() if there is None]
    if missing or unfit:
        faults = [f"{one.name} {found[one]} does not fit" for one in unfit]
        faults += [f"{one.name} is not installed" for one in missing]
        asked = " ".join(f'"{one.name}{one.specifier}"' for one in (*unfit, *missing))
        yield Finding("mediakit", ", ".join(faults), f"{sys.executable} -m pip install {asked}")
    else:
        yield Finding("mediakit", f"{version('mediakit')} with its {len(wanted)} packages")


def browser(settings: Settings) -> Iterator[Finding]:
    """Look for a Chromium."""
    from mediakit.engines.browser.find import find

    try:
        yield Finding("Browser", str(find(settings.browser)))
    except MediakitError as error:
        yield Finding("Browser", first_line(error), _browser_mend(settings))


def rendering(settings: Settings) -> Iterator[Finding]:
    """Draw a page."""
    from mediakit.tools.images.capture import capture

    try:
        picture = capture("<body style='background:#2563eb'>", width=100, height=100)
    except MediakitError as error:
        yield Finding("Rendering", first_line(error), _browser_mend(settings))
        return
    if picture.to_pil().convert("RGB").getpixel((50, 50)) == BLUE:
        yield Finding("Rendering", "a picture came out as it should")
    else:
        yield Finding("Rendering", "the colours of a picture are wrong", "set MEDIAKIT_BROWSER to another Chromium")


def fonts(_settings: Settings) -> Iterator[Finding]:
    """Ask the browser which writing it can draw."""
    from mediakit.diagnosis.scripts import LATIN, SCRIPTS, mend, missing

    try:
        absent = missing()
    except MediakitError:
        return  # said above
    if absent:
        drawn_as = f"no {' and no '.join(absent)}: drawn as empty boxes, or not at all"
        yield Finding("Fonts", drawn_as, mend(absent), minor=LATIN not in absent)
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
        found = runtime.run(confinement())
    except MediakitError:
        yield Finding("Confinement", "none: no Chromium runs", _browser_mend(settings))
        return
    whole = found is None or (found.sandbox and found.namespace)
    yield Finding("Confinement", str(found), "" if whole else _namespace_mend(), minor=True)


def home(settings: Settings) -> Iterator[Finding]:
    """Write into the folder of accounts, link files and mail."""
    from mediakit.accounts.private_files import private_folder

    folder = settings.accounts.home
    try:
        with tempfile.TemporaryFile(dir=private_folder(folder)):
            pass
    except MediakitError as error:
        yield Finding("Home", first_line(error).partition(": ")[2].partition(". ")[0], OTHER_HOME)
    except OSError as error:
        yield Finding("Home", f"{folder} cannot be written ({error.strerror})", OTHER_HOME)
    else:
        passing = "MEDIAKIT_HOME" not in os.environ and folder.parent == Path(tempfile.gettempdir())
        why = " lasts as long as temporary files do: this user has no home" if passing else ""
        yield Finding("Home", f"{folder}{why}", OTHER_HOME if passing else "", minor=True)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _browser_mend(settings: Settings) -> str:
    # Nothing that is installed is used while a variable names another browser.
    named = {"MEDIAKIT_BROWSER": settings.browser.browser, "MEDIAKIT_BROWSER_URL": settings.browser.browser_url}
    return next((unset(name) for name, value in named.items() if value), "mediakit browser install")


def _namespace_mend(root: Path = Path("/")) -> str:
    """Write the command that allows namespaces again where a setting of Linux forbids them to all but root."""
    for setting, forbids, allows in NAMESPACES:
        path = root / "proc/sys" / setting.replace(".", "/")
        if path.exists() and path.read_text().strip() == forbids:
            return f"sudo sysctl -w {setting}={allows}"
    return ""
