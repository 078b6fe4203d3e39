"""A worker process: its main loop, and its limits.

It reads a job, runs it and writes the response, until the parent closes the pipe. It shares two pipes with its parent
and nothing else: no network, bounded time and memory. Output that jobs print is discarded. Each limit is applied where
the system supports it; the parent enforces the time limit on all systems.
"""

import builtins
import gc
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import BinaryIO

from mediakit.engines.workers import FORK, PIPE_BYTES, RAISED, RETURNED, SIZE, START, STARTED, Buffer, message
from mediakit.errors import MediakitError

if sys.platform == "linux":
    import fcntl

GRACE_SECONDS = 2.0
"""Time past the limit of a job after which the worker ends itself. Usually its parent kills it before that."""

FORK_FINISHED = 100
"""Exit status of a forked process that sent its response."""

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def main() -> None:
    """Run jobs until the parent closes the pipe or ends."""
    jobs, responses = _pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C cancels the call in the parent, which kills this process
    _confine_process()
    gc.set_threshold(50_000, 20, 100)  # the default walks the cells of a large table again and again
    while len(start := jobs.read(START.size)) == START.size:
        kind, count = START.unpack(start)
        sizes = [SIZE.unpack(jobs.read(SIZE.size))[0] for _ in range(count)]
        parts = [jobs.read(size) for size in sizes]
        if kind == FORK and hasattr(os, "fork"):
            _run_in_fork(parts, jobs, responses)
        else:
            _send(responses, _run(parts, responses))
    os._exit(0)


def _run_in_fork(parts: list[bytes], jobs: BinaryIO, responses: BinaryIO) -> None:
    """Run a job in a forked process. If that process crashes, end this one the same way, which the parent sees."""
    gc.freeze()  # the fork shares the memory of modules, as long as no collection writes to it
    process = os.fork()
    if not process:
        jobs.close()
        _die_with_parent()
        _send(responses, _run(parts, responses))
        os._exit(FORK_FINISHED)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status < 0:
        os.kill(os.getpid(), -status)
    if status != FORK_FINISHED:
        os._exit(abs(status))


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return duplicates of standard input and output, and redirect the originals to the null device."""
    if sys.platform == "linux":
        for descriptor in (0, 1):
            with suppress(OSError):  # the user has many pipes
                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    jobs, responses = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    return jobs, responses


def _run(parts: list[bytes], responses: BinaryIO) -> Sequence[Buffer]:
    """Run the job of a message and return the message of its result or exception."""
    try:
        name, args, seconds, memory = pickle.loads(parts.pop(0), buffers=parts)  # noqa: S301  # written by the parent
        module, _, attribute = name.partition(":")
        function = getattr(import_module(module), attribute)
        parts.clear()
        _send(responses, message(STARTED))
        with _time_limit(seconds + GRACE_SECONDS), _memory_limit(memory):
            return message(RETURNED, function(*args))
    except BaseException as error:  # noqa: BLE001  # the parent raises it
        try:
            return message(RAISED, _portable(error))
        except Exception:  # noqa: BLE001  # an attribute cannot be pickled
            return message(RAISED, _as_runtime_error(error))


def _portable(error: BaseException) -> BaseException:
    """Return an exception that the parent can unpickle; exceptions of libraries become a `RuntimeError`."""
    if isinstance(error, MediakitError):
        return error
    if isinstance(error, MemoryError):
        error = MemoryError(str(error)).with_traceback(error.__traceback__)  # NumPy raises a class of its own
    is_builtin = isinstance(error, Exception) and type(error) is getattr(builtins, type(error).__name__, None)
    portable = error if is_builtin else _as_runtime_error(error)
    portable.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    return portable


def _as_runtime_error(error: BaseException) -> RuntimeError:
    return RuntimeError(f"{type(error).__qualname__}: {error}")


def _send(responses: BinaryIO, parts: Sequence[Buffer]) -> None:
    try:
        responses.writelines(parts)
        responses.flush()
    except OSError:  # the parent has ended
        os._exit(0)


def _confine_process() -> None:
    """Apply the limits that hold for the lifetime of the process: no core dumps, no new privileges, no network."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _die_with_parent()
    if sys.platform == "linux":
        with suppress(ImportError, OSError, AttributeError):  # a Python without ctypes, a system without glibc
            import ctypes

            libc = ctypes.CDLL(None)
            libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            if libc.unshare(CLONE_NEWNET):  # only root may do this without a user namespace
                libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
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


def _die_with_parent() -> None:
    if sys.platform == "linux":
        with suppress(ImportError, OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
