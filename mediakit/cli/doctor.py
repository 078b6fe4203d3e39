"""`mediakit doctor`: what works here, what is missing, and the command that mends it."""

import platform
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import click

from mediakit.errors import MediakitError
from mediakit.settings import Settings


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    outcome: str
    mend: str = ""
    """The command that mends it; empty where nothing is wrong."""


@click.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Say what works here and what is missing; exit code 1 if something is."""
    findings = []
    for look in LOOKS:
        finding = look(Settings())
        findings.append(finding)
        click.echo(f"{'✗' if finding.mend else '✓'} {finding.subject:<12} {finding.outcome}")
        if finding.mend:
            click.echo(f"  {'':<12} mend: {finding.mend}")
    ctx.exit(1 if any(finding.mend for finding in findings) else 0)


def _python(_settings: Settings) -> Finding:
    return Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")


def _packages(_settings: Settings) -> Finding:
    return Finding("mediakit", version("mediakit"))


def _browser(settings: Settings) -> Finding:
    from mediakit.engines.browser.find import find

    try:
        return Finding("Browser", str(find(settings.browser)))
    except MediakitError as error:
        return Finding("Browser", str(error).partition("\n")[0], _browser_mend(settings))


def _render(settings: Settings) -> Finding:
    from mediakit.tools.capture import capture

    try:
        picture = capture("<body style='background:#2563eb'>", width=100, height=100)
    except MediakitError as error:
        return Finding("Rendering", str(error).partition("\n")[0], _browser_mend(settings))
    if picture.to_pil().convert("RGB").getpixel((50, 50)) != (37, 99, 235):
        return Finding("Rendering", "the colours of a picture are wrong", "set MEDIAKIT_BROWSER to another Chromium")
    return Finding("Rendering", "a picture came out as it should")


def _confinement(settings: Settings) -> Finding:
    from mediakit.core.runtime import runtime
    from mediakit.engines.browser import confinement

    if settings.browser.browser_url:
        return Finding("Confinement", "that of the remote browser")
    try:
        return Finding("Confinement", str(runtime.run(confinement())))
    except MediakitError:
        return Finding("Confinement", "none: no Chromium runs", _browser_mend(settings))


def _browser_mend(settings: Settings) -> str:
    # Nothing that is installed is used while a variable names another browser.
    named = {"MEDIAKIT_BROWSER": settings.browser.browser, "MEDIAKIT_BROWSER_URL": settings.browser.browser_url}
    return next((f"unset {name}" for name, value in named.items() if value), "mediakit browser install")


def _home(settings: Settings) -> Finding:
    home = settings.accounts.home
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return Finding("Home", str(home))
    except OSError as error:
        return Finding("Home", f"{home} cannot be written ({error.strerror})", "set MEDIAKIT_HOME to another folder")


def _notebook(_settings: Settings) -> Finding:
    try:
        return Finding("JupyterLab", version("jupyterlab"))
    except PackageNotFoundError:
        return Finding("JupyterLab", "not installed in this environment; forms need one that shows widgets")


LOOKS: tuple[Callable[[Settings], Finding], ...] = (
    _python,
    _packages,
    _browser,
    _render,
    _confinement,
    _home,
    _notebook,
)
