"""What the tests give to workers; a worker imports this module."""

import os
import signal
import sys
import time
from pathlib import Path

from mediakit.errors import CreditsUsedUp, InvalidInput, ResourcesTimeout


class ForeignError(Exception):
    """An error of a library."""


class Foreign:
    """An object of no class of mediakit's."""


class Planted:
    """What a seized worker would send: its pickle runs a command where it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"touch {self.path}",)


def add(left: int, right: int) -> int:
    return left + right


def pid() -> int:
    return os.getpid()


def session() -> tuple[int, int]:
    return os.getpid(), os.getsid(0)


def environment() -> dict[str, str]:
    return dict(os.environ)


def echo(content: bytes) -> bytes:
    return content


def sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def tell_and_sleep(path: str, seconds: float) -> None:
    """Write the process's number into a file, then sleep."""
    part = Path(path + ".part")
    part.write_text(str(os.getpid()))
    part.rename(path)
    time.sleep(seconds)


def tell_and_hold_the_lock(path: str) -> None:
    """Write the process's number into a file, then compute for ever in C, holding the interpreter's lock."""
    part = Path(path + ".part")
    part.write_text(str(os.getpid()))
    part.rename(path)
    hold_the_lock()


def hold_the_lock() -> int:
    return int(pow(3, 1 << 40))


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def leave() -> None:
    os._exit(3)


def exit_politely() -> None:
    sys.exit(4)


def eat(size: int) -> int:
    return len(bytearray(size))


def nibble() -> None:
    """Take ever more memory in small pieces."""
    pieces = []
    while True:
        pieces.append(bytearray(1_000_000))


def speak() -> str:
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
            raise ForeignError("a library's own words")


def foreign() -> Foreign:
    return Foreign()


def planted(path: str) -> Planted:
    return Planted(Path(path))


def reach(address: tuple[str, int]) -> bool:
    """Say whether a connection is possible."""
    import socket

    try:
        socket.create_connection(address, timeout=5).close()
    except OSError:
        return False
    return True


def interrupt() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
    return "still here"


def crash(*_: object) -> dict[str, object]:
    os.kill(os.getpid(), signal.SIGSEGV)
    return {}
