"""The main loop of a worker process: read a job, run it, write the response, until the parent closes the pipe.

The process shares two pipes with its parent and nothing else. Output that jobs print is discarded.
"""

import builtins
import os
import pickle
import signal
import traceback
from typing import BinaryIO

from mediakit.engines.workers import confine
from mediakit.engines.workers.job import JOB_HEADER, PROTOCOL, RAISED, RESPONSE_HEADER, RETURNED, STARTED
from mediakit.errors import MediakitError


def main() -> None:
    """Run jobs until the parent closes the pipe or ends."""
    jobs, responses = _pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C cancels the call in the parent, which kills this process
    confine.confine_process()
    while len(header := jobs.read(JOB_HEADER.size)) == JOB_HEADER.size:
        size, seconds, memory = JOB_HEADER.unpack(header)
        kind, content = _run(jobs.read(size), seconds, memory, responses)
        _send(responses, kind, content)
    os._exit(0)


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return duplicates of standard input and output, and redirect the originals to the null device."""
    jobs, responses = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    return jobs, responses


def _run(call: bytes, seconds: float, memory: int, responses: BinaryIO) -> tuple[bytes, bytes]:
    try:
        function, args = pickle.loads(call)  # noqa: S301  # written by the parent
        _send(responses, STARTED)
        with confine.limit_resources(seconds, memory):
            return RETURNED, pickle.dumps(function(*args), PROTOCOL)
    except BaseException as error:  # noqa: BLE001  # the parent raises it
        return RAISED, _pickled(error)


def _pickled(error: BaseException) -> bytes:
    try:
        return pickle.dumps(_portable(error), PROTOCOL)
    except Exception:  # noqa: BLE001  # an attribute cannot be pickled
        return pickle.dumps(_as_runtime_error(error), PROTOCOL)


def _portable(error: BaseException) -> BaseException:
    """Return an exception that the parent can unpickle; exceptions of libraries become a `RuntimeError`."""
    if isinstance(error, MediakitError):
        return error
    is_builtin = isinstance(error, Exception) and type(error) is getattr(builtins, type(error).__name__, None)
    portable = error if is_builtin else _as_runtime_error(error)
    portable.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    return portable


def _as_runtime_error(error: BaseException) -> RuntimeError:
    return RuntimeError(f"{type(error).__qualname__}: {error}")


def _send(responses: BinaryIO, kind: bytes, content: bytes = b"") -> None:
    try:
        responses.write(RESPONSE_HEADER.pack(kind, len(content)))
        responses.write(content)
        responses.flush()
    except OSError:  # the parent has ended
        os._exit(0)
