"""Checks of the installation: what works, what does not, and the command that fixes it."""

import html
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mediakit.diagnosis import environment, services
from mediakit.diagnosis.environment import Finding, unset
from mediakit.errors import InvalidInput
from mediakit.settings import Settings

__all__ = ["Diagnosis", "Finding", "doctor", "findings"]

CHECKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    environment.python,
    environment.packages,
    environment.browser,
    environment.rendering,
    environment.fonts,
    environment.confinement,
    environment.home,
    services.accounts,
    services.redis,
    services.ports,
    services.proxy,
    services.widgets,
)

COLORS = {"✓": "#1a7f37", "!": "#9a6700", "✗": "#b3261e"}

ROW = """\
<tr style="text-align:left;vertical-align:top"><td style="color:{color};font-weight:bold">{finding.mark}</td>\
<td style="text-align:left"><b>{finding.subject}</b></td><td style="text-align:left">{text}</td></tr>"""


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
        rows = []
        for finding in self.findings:
            fix = f"<br>Fix: <code>{html.escape(finding.fix)}</code>" if finding.fix else ""
            text = f"{html.escape(finding.outcome)}{fix}"
            rows.append(ROW.format(color=COLORS[finding.mark], finding=finding, text=text))
        return f"<table>{''.join(rows)}</table>"


def doctor() -> Diagnosis:
    """Check Python, packages, the browser, a test render, fonts, folders, ports and the notebook.

    A notebook displays the result as a table. `doctor().healthy` is True if every tool works.
    """
    return Diagnosis(tuple(findings()))


def findings() -> Iterator[Finding]:
    """Run the checks, and yield each finding as soon as it is known."""
    settings = Settings()
    reported: set[str] = set()
    with _silenced_warnings():
        for check in CHECKS:
            try:
                yield from check(settings)
            except InvalidInput as error:  # a setting that several checks read
                message = str(error)
                if message not in reported:
                    reported.add(message)
                    yield Finding("Settings", message, unset(message.partition(":")[0]))


@contextmanager
def _silenced_warnings() -> Iterator[None]:
    """Hide log warnings, because each problem is already a finding."""
    handler = logging.NullHandler()
    logging.getLogger("mediakit").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("mediakit").removeHandler(handler)
