"""Checks of the installation: what works, what does not, and the command that fixes it.

Each check yields findings: Python, the packages, the browser and its fonts, then accounts, Redis, ports and notebooks.
"""

import json
import logging
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

from mediakit.api.proxy_urls import proxy_setup_command, proxy_url, server_python
from mediakit.display import view
from mediakit.errors import InvalidInput, MediakitError, MissingPackage
from mediakit.installation import DISTRIBUTION, __version__, install_command, update_command
from mediakit.settings import Settings

SET_HOME = "set MEDIAKIT_HOME to a folder that you can write to"

PROCESS_BYTES = 300_000_000
"""Memory of a server process itself, under load."""

BLUE = (37, 99, 235)

NAMESPACE_SETTINGS = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),  # Ubuntu since 23.10
    ("kernel.unprivileged_userns_clone", "0", "1"),  # Debian up to 10
    ("user.max_user_namespaces", "0", "10000"),  # Red Hat up to 7, and hardened machines
)
"""Linux settings for user namespaces, which the browser's sandbox and network isolation require.

Each entry is the name, the value that disables namespaces, and the value that enables them.
"""

LATIN = "Latin"
"""The script that every tool requires."""

SCRIPTS = {
    LATIN: ("A", "fonts-noto-core", "Noto Sans"),
    "emoji": ("\U0001f600", "fonts-noto-color-emoji", "Noto Color Emoji"),
    "CJK": ("語", "fonts-noto-cjk", "Noto Sans CJK"),
    "Arabic": ("ع", "fonts-noto-core", "Noto Sans Arabic"),
    "Devanagari": ("अ", "fonts-noto-core", "Noto Sans Devanagari"),
}
"""Scripts (writing systems): a letter, the Debian package of a font, and a font family for other systems."""

UNASSIGNED = "\u0378"
"""A code point without a character, which renders as the glyph for missing letters."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    subject: str
    outcome: str
    fix: str = ""
    """The command or action that fixes the problem; empty if there is none."""
    is_warning: bool = False
    """Whether every tool works despite the problem."""

    @property
    def mark(self) -> str:
        """✓ for no problem, ! for a warning, ✗ for an error."""
        return "✓" if not self.fix else "!" if self.is_warning else "✗"

    def __str__(self) -> str:
        fix = f"\n  {'':<12} fix: {self.fix}" if self.fix else ""
        return f"{self.mark} {self.subject:<12} {self.outcome}{fix}"


def first_line(error: Exception) -> str:
    """Return the first line of an error message."""
    return str(error).partition("\n")[0]


def unset(name: str) -> str:
    """Return how to remove a setting: from the environment, or from the `.env` file."""
    return f"unset {name}" if name in os.environ else f"delete {name} from .env"


def python(_settings: Settings) -> Iterator[Finding]:
    """Report the versions of Python and of the operating system."""
    yield Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")


def packages(_settings: Settings) -> Iterator[Finding]:
    """Check that every required package is installed in a supported version.

    It is a warning if packages are missing that some do not install because of their license.
    """
    from mediakit.tools.catalogue import all_tools

    licensed = {package.lower() for tool in all_tools() for package in tool.spec.licensed_packages}
    declared = map(Requirement, requires(DISTRIBUTION) or ())
    required = [package for package in declared if not package.marker or package.marker.evaluate()]
    problems: dict[str, str] = {}
    for package in required:
        try:
            installed = version(package.name)
        except PackageNotFoundError:
            problems[package.name] = f"{package.name} is not installed"
        else:
            if not package.specifier.contains(installed, prereleases=True):
                problems[package.name] = f"{package.name} {installed} is not supported"
    if problems:
        fix, is_warning = install_command(*problems), problems.keys() <= licensed
        yield Finding("mediakit", ", ".join(problems.values()), fix, is_warning=is_warning)
    else:
        yield Finding("mediakit", f"{__version__} with {len(required)} packages")


def browser(settings: Settings) -> Iterator[Finding]:
    """Check that a Chromium is installed."""
    from mediakit.engines.browser.command import find

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
    try:
        missing = missing_scripts()
    except MediakitError:
        return  # already reported by `rendering`
    if missing:
        outcome = f"no font for {', '.join(missing)}: letters render as empty boxes, or not at all"
        yield Finding("Fonts", outcome, font_command(missing), is_warning=LATIN not in missing)
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


def memory(settings: Settings, processes: int = 1) -> Iterator[Finding]:
    """Compare the memory that all slots may need at the same time with the memory of this machine or container."""
    from mediakit.engines.browser.limits import MAX_PROCESS_BYTES
    from mediakit.engines.sql.database import QUERY
    from mediakit.engines.workers import MAX_MEMORY_BYTES
    from mediakit.engines.workers.pool import core_count

    renders = 0 if settings.browser.browser_url else settings.browser.render_slots
    workers = core_count()
    parts = PROCESS_BYTES, renders * MAX_PROCESS_BYTES, workers * (MAX_MEMORY_BYTES + QUERY.memory)
    needed, available = processes * sum(parts), available_memory()
    each = f" in each of {processes} processes" if processes > 1 else ""
    outcome = (
        f"{_gigabytes(needed)} at most, if {renders} renders, {workers} files and {workers} queries reach their limits"
        f"{each}; there are {_gigabytes(available)}"
    )
    fix = f"give it {_gigabytes(needed)}, fewer processors, or fewer slots (MEDIAKIT_RENDER_SLOTS, --workers)"
    yield Finding("Memory", outcome, fix if needed > available else "", is_warning=True)


def available_memory(root: Path = Path("/")) -> int:
    """Return the memory of this machine, or of its container if that has a limit, in bytes."""
    import psutil

    found = [int(psutil.virtual_memory().total)]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):  # version 2 and 1 of control groups
        with suppress(OSError, ValueError):  # "max": unlimited
            found.append(int((root / "sys/fs/cgroup" / name).read_text("ascii")))
    return min(found)


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


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


def missing_scripts() -> list[str]:
    """Return the scripts whose test letter renders like the glyph for missing letters.

    Raises:
        MediakitError: The browser cannot render.
    """
    from PIL import ImageChops

    from mediakit.tools.images.capture import capture

    letters, cell = [UNASSIGNED, *(letter for letter, _, _ in SCRIPTS.values())], 60
    cells = "".join(f"<b style='left:{index * cell}px'>{letter}</b>" for index, letter in enumerate(letters))
    style = f"b{{position:absolute;top:5px;width:{cell}px;font:400 36px/50px sans-serif;text-align:center}}"
    image = capture(f"<style>body{{margin:0}}{style}</style>{cells}", width=cell * len(letters), height=100).to_pil()
    glyphs = [image.convert("L").crop((left, 0, left + cell, cell)) for left in range(0, cell * len(letters), cell)]
    return [
        name
        for name, glyph in zip(SCRIPTS, glyphs[1:], strict=True)
        if ImageChops.difference(glyph, glyphs[0]).getbbox() is None
    ]


def font_command(missing: Sequence[str]) -> str:
    """Return the command that installs fonts for scripts on Debian, or the names of the fonts on other systems."""
    if shutil.which("apt-get"):
        return f"sudo apt-get install {' '.join(dict.fromkeys(SCRIPTS[name][1] for name in missing))}"
    return f"install {', '.join(SCRIPTS[name][2] for name in missing)} (fonts.google.com/noto)"


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


NOTEBOOK_PORT = 8765
SHELL_PORT = 8000
"""Default port of `mediakit serve`."""

WIDGET_MANAGER = Path("share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager/package.json")
WIDGET_MANAGER_VERSION = 5
"""The major version of the JupyterLab extension that ipywidgets 8 requires."""


def accounts(settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the account database responds."""
    from mediakit.accounts import Accounts

    section = settings.accounts
    if not section.database_url and not (section.home / "accounts.sqlite3").exists():
        yield Finding("Accounts", "no database yet; the first server creates it")
        return
    try:
        with closing(Accounts.open(section)) as opened:
            is_ready = opened.ready()
    except MediakitError as error:
        yield Finding("Accounts", first_line(error), _fix(error))
        return
    name = "the database of MEDIAKIT_DATABASE_URL" if section.database_url else "the database in MEDIAKIT_HOME"
    fix = (
        f"start it, or {unset('MEDIAKIT_DATABASE_URL')}"
        if section.database_url
        else "restart the program that locks the database"
    )
    yield Finding("Accounts", f"{name} responds") if is_ready else Finding("Accounts", f"{name} does not respond", fix)


def redis(settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether Redis responds, if `MEDIAKIT_REDIS_URL` is set."""
    from mediakit.accounts.redis_client import connect

    url = settings.accounts.redis_url
    if not url:
        return
    try:
        client = connect(url)
    except MediakitError as error:
        yield Finding("Redis", first_line(error), _fix(error))
        return
    from redis import RedisError

    with closing(client):
        try:
            client.ping()
        except RedisError:
            fix = f"start it, or {unset('MEDIAKIT_REDIS_URL')}"
            yield Finding("Redis", "the server of MEDIAKIT_REDIS_URL does not respond", fix)
        else:
            yield Finding("Redis", "the server of MEDIAKIT_REDIS_URL responds")


def ports(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the default port of `mediakit serve` is free."""
    from mediakit.server import listen

    try:
        listen("127.0.0.1", SHELL_PORT).close()
    except InvalidInput:
        sock = listen("127.0.0.1", 0)
        free_port = sock.getsockname()[1]
        sock.close()
        outcome = f"{SHELL_PORT} is used by another program"
        yield Finding("Port", outcome, f"mediakit serve --port {free_port}", is_warning=True)
    else:
        yield Finding("Port", f"{SHELL_PORT} is free")


def proxy(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the browser can reach a server in this kernel through a notebook proxy."""
    if url := proxy_url(NOTEBOOK_PORT):
        yield Finding("Proxy", f"servers in this kernel are available at {url.replace(str(NOTEBOOK_PORT), 'PORT')}")
    elif command := proxy_setup_command(NOTEBOOK_PORT):
        yield Finding("Proxy", "your browser cannot reach servers in this kernel", command, is_warning=True)


def widgets(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether JupyterLab, which may use another Python, can display the widgets of this kernel."""
    server = server_python()
    prefix = server.parent.parent
    try:
        extension = json.loads((prefix / WIDGET_MANAGER).read_text("utf-8"))["version"]
    except OSError:
        if server == Path(sys.executable) and not find_spec("jupyterlab"):
            yield Finding("JupyterLab", "not installed in this environment; forms require it")
            return
        outcome = f"{prefix} has no widget extension"
    else:
        if int(extension.partition(".")[0]) >= WIDGET_MANAGER_VERSION:
            yield Finding("JupyterLab", f"displays the widgets of this kernel (ipywidgets {version('ipywidgets')})")
            return
        outcome = f"the widget extension of {prefix} is older than the widgets of this kernel"
    yield Finding("JupyterLab", outcome, install_command("ipywidgets", python=server), is_warning=True)


def _fix(error: MediakitError) -> str:
    """Return how to fix an error: the command of the error, or the setting to change."""
    message = first_line(error)
    if isinstance(error, MissingPackage):
        return error.command
    if "Update mediakit" in message:
        return update_command()
    name = "MEDIAKIT_REDIS_URL" if message.startswith("redis_url") else "MEDIAKIT_DATABASE_URL"
    return SET_HOME if message.startswith("MEDIAKIT_HOME") else f"correct it, or {unset(name)}"


__all__ = ["Diagnosis", "Finding", "doctor", "findings"]

CHECKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    python,
    packages,
    browser,
    rendering,
    fonts,
    confinement,
    memory,
    home,
    accounts,
    redis,
    ports,
    proxy,
    widgets,
)


@dataclass(frozen=True)
class Diagnosis:
    """All findings. A notebook displays them as a table."""

    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether every tool works."""
        return all(finding.is_warning or not finding.fix for finding in self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return view("diagnosis", findings=self.findings)


def doctor() -> Diagnosis:
    """Check Python, packages, the browser, a test render, fonts, folders, ports and the notebook.

    A notebook displays the result as a table. `doctor().healthy` is True if every tool works.
    """
    return Diagnosis(tuple(findings()))


def findings() -> Iterator[Finding]:
    """Run the checks, and yield each finding as soon as it is known."""
    settings, silence = Settings(), logging.NullHandler()
    reported: set[str] = set()
    logging.getLogger("mediakit").addHandler(silence)  # each problem is a finding, not a warning in the log
    try:
        for check in CHECKS:
            try:
                yield from check(settings)
            except InvalidInput as error:  # a setting that several checks read
                message = str(error)
                if message not in reported:
                    reported.add(message)
                    yield Finding("Settings", message, unset(message.partition(":")[0]))
    finally:
        logging.getLogger("mediakit").removeHandler(silence)
