"""Limits of a worker process: no network, bounded time and memory, and it ends when its parent ends.

Each measure is applied where the system supports it. The parent enforces the time limit on all systems.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

GRACE_SECONDS = 2.0
"""Time past the limit of a job after which the worker ends itself. Usually its parent kills it before that."""

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def confine_process() -> None:
    """Apply the limits that hold for the lifetime of the process."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if sys.platform == "linux":
        with suppress(ImportError, OSError, AttributeError):  # a Python without ctypes, a system without glibc
            _bind_to_parent()


@contextmanager
def limit_resources(seconds: float, memory: int) -> Iterator[None]:
    """Limit the time and the memory, in bytes, of a block."""
    with _alarm(seconds + GRACE_SECONDS), _memory_limit(memory):
        yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End the process when the block takes longer.

    The default action of the signal works even while a library holds the interpreter's lock. A worker whose parent
    was killed therefore cannot run forever.
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
def _memory_limit(size: int) -> Iterator[None]:
    """Limit private writable memory. Libraries and reserved addresses, of which V8 uses many, do not count."""
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
    """Die with the parent, gain no privileges, and leave the network."""
    import ctypes

    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.unshare(CLONE_NEWNET):  # only root may do this without a user namespace
        libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
