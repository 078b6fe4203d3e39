"""Functions that the tests run in workers. Workers import this module."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mediakit.errors import CreditsUsedUp, InvalidInput, ResourcesTimeout

if TYPE_CHECKING:
    import pytest


class ForeignError(Exception):
    """Stands for an exception of a library."""


class Foreign:
    """Stands for a class of another package."""


class Malicious:
    """Unpickling an instance runs a shell command."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"touch {self.path}",)


def add(left: int, right: int) -> int:
    return left + right


def pid() -> int:
    return os.getpid()


def import_decimal() -> None:
    import decimal  # noqa: F401


def has_decimal() -> bool:
    return "decimal" in sys.modules


def session() -> tuple[int, int]:
    return os.getpid(), os.getsid(0)


def environment() -> dict[str, str]:
    return dict(os.environ)


def echo(content: bytes) -> bytes:
    return content


def sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def write_pid_and_sleep(path: str, seconds: float) -> None:
    """Write the process ID to a file, then sleep."""
    _write_pid(path)
    time.sleep(seconds)


def write_pid_and_hold_lock(path: str) -> None:
    """Write the process ID to a file, then compute forever in C while holding the interpreter's lock."""
    _write_pid(path)
    hold_lock()


def hold_lock() -> int:
    return int(pow(3, 1 << 40))


def raise_signal(name: str) -> None:
    os.kill(os.getpid(), getattr(signal, name))


def exit_process() -> None:
    os._exit(3)


def call_sys_exit() -> None:
    sys.exit(4)


def allocate(size: int) -> int:
    return len(bytearray(size))


def allocate_array(size: int) -> int:
    import numpy as np

    return len(np.ones(size, np.uint8))


def allocate_forever() -> None:
    """Allocate memory in small pieces until it runs out."""
    pieces = []
    while True:
        pieces.append(bytearray(1_000_000))


def print_text() -> str:
    print("on standard output", flush=True)  # noqa: T201
    print("on standard error", file=sys.stderr, flush=True)  # noqa: T201
    os.write(1, b"on descriptor 1")
    return f"{sys.stdin.read()}done"


def fail(kind: str) -> None:
    match kind:
        case "input":
            raise InvalidInput("file: is empty.", details=[{"field": "file", "message": "is empty."}])
        case "hosts":
            raise ResourcesTimeout("Too slow.", hosts=["example.com"])
        case "credits":
            raise CreditsUsedUp("Used up.", plan="free", limit=50, retry_after=9)
        case "builtin":
            raise ZeroDivisionError("division by zero")
        case _:
            raise ForeignError("message of a library")


def instance_of_other_module() -> object:
    """Return an instance of a class that the parent has not imported."""
    from mediakit.engines.sql.named_tables import TableInput

    return object.__new__(TableInput)


def foreign() -> Foreign:
    return Foreign()


def malicious(path: str) -> Malicious:
    return Malicious(Path(path))


def can_connect(address: tuple[str, int]) -> bool:
    """Return whether a TCP connection succeeds."""
    import socket

    try:
        socket.create_connection(address, timeout=5).close()
    except OSError:
        return False
    return True


def interrupt() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
    return "still running"


def crash(*_: object) -> dict[str, object]:
    os.kill(os.getpid(), signal.SIGSEGV)
    return {}


def kill_worker(*_: object) -> dict[str, object]:
    """End the worker as the kernel does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def replace_jobs(monkeypatch: "pytest.MonkeyPatch", function: Callable[..., Any]) -> None:
    """Make every job of this process call another function."""
    from mediakit.engines.workers import Job

    original = Job.of
    monkeypatch.setattr(Job, "of", lambda _function, args, **limits: original(function, args, **limits))


def _write_pid(path: str) -> None:
    """Write the file in one step, so that a reader never sees part of it."""
    part = Path(path + ".part")
    part.write_text(str(os.getpid()))
    part.rename(path)
