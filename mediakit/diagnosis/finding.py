"""What was found, a line a thing."""

import html
import os
from collections.abc import Iterator
from dataclasses import dataclass

OTHER_HOME = "set MEDIAKIT_HOME to a folder that you can write to"

GREEN, AMBER, RED = "#1a7f37", "#9a6700", "#b3261e"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    outcome: str
    mend: str = ""
    """The command that mends it; empty where nothing is wrong."""
    minor: bool = False
    """Whether every tool works all the same."""

    @property
    def mark(self) -> str:
        """A sign: well, could be better, broken."""
        return "✓" if not self.mend else "!" if self.minor else "✗"


@dataclass(frozen=True)
class Diagnosis:
    """All findings; the last line of a cell shows them as a table."""

    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether every tool works."""
        return all(finding.minor or not finding.mend for finding in self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        return "\n".join(line for finding in self.findings for line in lines(finding))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<table>{''.join(map(_row, self.findings))}</table>"


def lines(finding: Finding) -> Iterator[str]:
    """Write a finding, and below it its mend."""
    yield f"{finding.mark} {finding.subject:<12} {finding.outcome}"
    if finding.mend:
        yield f"  {'':<12} mend: {finding.mend}"


def first_line(error: Exception) -> str:
    """Give the line of an error that says most."""
    return str(error).partition("\n")[0]


def unset(name: str) -> str:
    """Write how a setting is taken back: in the shell, or in the file that has it."""
    return f"unset {name}" if name in os.environ else f"delete {name} from .env"


def _row(finding: Finding) -> str:
    color = {"✓": GREEN, "!": AMBER, "✗": RED}[finding.mark]
    mend = f"<br>Mend: <code>{html.escape(finding.mend)}</code>" if finding.mend else ""
    cell = 'style="text-align:left;vertical-align:top'
    return (
        f'<tr><td {cell};color:{color};font-weight:bold">{finding.mark}</td>'
        f'<td {cell}"><b>{html.escape(finding.subject)}</b></td>'
        f'<td {cell}">{html.escape(finding.outcome)}{mend}</td></tr>'
    )
