"""Snapshots of the processes of a Chromium: memory, processor time and state."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import psutil

STOPPED_STATES = {psutil.STATUS_STOPPED}
"""Suspended by a signal such as SIGSTOP."""
IDLE_STATES = {psutil.STATUS_SLEEPING, psutil.STATUS_IDLE}
"""Waiting for an event. A process that waits for a processor or for a disk is in another state."""


@dataclass(frozen=True)
class Snapshot:
    """The processes of a Chromium and its driver at one moment."""

    largest_bytes: int = 0
    """Private memory of the largest Chromium process."""
    cpu_seconds: float = 0
    """Processor time that all Chromium processes have used."""
    stopped: bool = False
    """Whether a process is suspended."""
    idle: bool = False
    """Whether all processes, including the driver, wait for an event."""


def snapshot(chromium_pid: int, driver_pid: int | None) -> Snapshot:
    """Return a snapshot of the process tree of a Chromium. Processes that have exited are ignored."""
    with suppress(psutil.Error):
        main = psutil.Process(chromium_pid)
        chromium = (main, *main.children(recursive=True))
        states = [_state(process) for process in (*_existing(driver_pid), *chromium)]
        return Snapshot(
            largest_bytes=max(map(_private_bytes, chromium)),
            cpu_seconds=sum(map(_cpu_seconds, chromium)),
            stopped=not STOPPED_STATES.isdisjoint(states),
            idle=IDLE_STATES.issuperset(states),
        )
    return Snapshot()


def _existing(pid: int | None) -> Iterable[psutil.Process]:
    with suppress(psutil.Error):
        return [psutil.Process(pid)] if pid else []
    return []


def _private_bytes(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        memory = process.memory_info()
        return int(memory.rss - getattr(memory, "shared", 0))
    return 0


def _cpu_seconds(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system)
    return 0.0


def _state(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return str(process.status())
    return ""
