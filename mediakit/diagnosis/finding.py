"""Findings of a diagnosis, one for each check, as lines of text and as a table."""

import html
import os
from collections.abc import Iterator
from dataclasses import dataclass

SET_HOME = "set MEDIAKIT_HOME to a folder that you can write to"

GREEN, AMBER, RED = "#1a7f37", "#9a6700", "#b3261e"


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
        return "\n".join(line for finding in self.findings for line in lines(finding))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<table>{''.join(map(_row, self.findings))}</table>"


def lines(finding: Finding) -> Iterator[str]:
    """Yield the finding as a line of text, and its fix as a second line."""
    yield f"{finding.mark} {finding.subject:<12} {finding.outcome}"
    if finding.fix:
        yield f"  {'':<12} fix: {finding.fix}"


def first_line(error: Exception) -> str:
    """Return the first line of an error message."""
    return str(error).partition("\n")[0]


def unset(name: str) -> str:
    """Return how to remove a setting: from the environment, or from the `.env` file."""
    return f"unset {name}" if name in os.environ else f"delete {name} from .env"


def _row(finding: Finding) -> str:
    color = {"✓": GREEN, "!": AMBER, "✗": RED}[finding.mark]
    fix = f"<br>Fix: <code>{html.escape(finding.fix)}</code>" if finding.fix else ""
    cell = 'style="text-align:left;vertical-align:top'
    return (
        f'<tr><td {cell};color:{color};font-weight:bold">{finding.mark}</td>'
        f'<td {cell}"><b>{html.escape(finding.subject)}</b></td>'
        f'<td {cell}">{html.escape(finding.outcome)}{fix}</td></tr>'
    )
