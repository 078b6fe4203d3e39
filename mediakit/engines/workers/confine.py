"""What a worker may do: no network, no more time and memory than its job has, no life without its parent.

Each measure holds where the system has it and is skipped elsewhere. The parent's deadline holds everywhere.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

GRACE = 2.0
"""Seconds past its deadline after which a worker ends itself; its parent, if there is one, kills it sooner."""

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def process() -> None:
    """Confine the process for good."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if sys.platform == "linux":
        with suppress(ImportError, OSError, AttributeError):  # a Python without ctypes, a system without glibc
            _bind_to_parent()


@contextmanager
def job(seconds: float, memory: int) -> Iterator[None]:
    """Bound the time and the memory of a block."""
    with _alarm(seconds + GRACE), _memory(memory):
        yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End the process if the block takes too long.

    The signal's default action works even while a library holds the interpreter's lock, so a worker whose parent was
    killed does not go on for ever.
    """
    if sys.platform == "win32":
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def _memory(size: int) -> Iterator[None]:
    """Bound the private writable memory: libraries and reserved addresses, of which V8 takes many, do not count."""
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _bind_to_parent() -> None:
    import ctypes

    system = ctypes.CDLL(None)
    system.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
    system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if system.unshare(CLONE_NEWNET):  # root alone may do that
        system.unshare(CLONE_NEWUSER | CLONE_NEWNET)
