"""Checks of the installation: what works, what does not, and the command that fixes it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mediakit.diagnosis import notebook, stores, system
from mediakit.diagnosis.finding import Diagnosis, Finding, unset
from mediakit.errors import InvalidInput
from mediakit.settings import Settings

__all__ = ["Diagnosis", "Finding", "doctor", "findings"]

CHECKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    system.python,
    system.packages,
    system.browser,
    system.rendering,
    system.fonts,
    system.confinement,
    system.home,
    stores.accounts,
    stores.redis,
    notebook.ports,
    notebook.proxy,
    notebook.widgets,
)


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
