"""What works on this machine, what is missing, and the command that mends it."""

from collections.abc import Callable, Iterator

from mediakit.diagnosis import notebook, system
from mediakit.diagnosis.finding import Diagnosis, Finding
from mediakit.settings import Settings

__all__ = ["Diagnosis", "Finding", "doctor", "findings"]


def doctor() -> Diagnosis:
    """Look at this machine: Python, packages, the browser and a real render, fonts, folders, ports and the notebook.

    The last line of a cell shows a table. `doctor().healthy` tells whether every tool works.
    """
    return Diagnosis(tuple(findings()))


def findings() -> Iterator[Finding]:
    """Give what was found, a thing at a time, because a render takes a moment."""
    settings = Settings()
    for look in LOOKS:
        yield from look(settings)


LOOKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    system.python,
    system.packages,
    system.browser,
    system.rendering,
    system.fonts,
    system.confinement,
    system.home,
    notebook.ports,
    notebook.widgets,
)
