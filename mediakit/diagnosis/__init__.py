"""What works on this machine, what is missing, and the command that mends it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mediakit.diagnosis import notebook, stores, system
from mediakit.diagnosis.finding import Diagnosis, Finding, unset
from mediakit.errors import InvalidInput
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
    wrong: set[str] = set()
    with _quiet():
        for look in LOOKS:
            try:
                yield from look(settings)
            except InvalidInput as error:  # a setting that several of them read
                reason = str(error)
                if reason not in wrong:
                    wrong.add(reason)
                    yield Finding("Settings", reason, unset(reason.partition(":")[0]))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep warnings out of what is shown: each thing that is broken has a line of its own."""
    handler = logging.NullHandler()
    logging.getLogger("mediakit").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("mediakit").removeHandler(handler)


LOOKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
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
