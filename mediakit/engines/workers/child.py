"""The worker process: reads jobs, does them, writes answers, and leaves when nobody sends any more.

It knows nothing of its parent but two pipes; what jobs print goes nowhere.
"""

import builtins
import os
import pickle
import signal
import traceback
from typing import BinaryIO

from mediakit.engines.workers import confine
from mediakit.engines.workers.job import ANSWER, BEGAN, JOB, PROTOCOL, RAISED, RETURNED
from mediakit.errors import MediakitError


def main() -> None:
    """Work until the parent is gone."""
    jobs, answers = _pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt ends the call in the parent, which then kills
    confine.process()
    while len(head := jobs.read(JOB.size)) == JOB.size:
        size, seconds, memory = JOB.unpack(head)
        kind, answer = _done(jobs.read(size), seconds, memory, answers)
        _send(answers, kind, answer)
    os._exit(0)


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes, and leave to the work a standard input and output that lead nowhere."""
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    return jobs, answers


def _done(call: bytes, seconds: float, memory: int, answers: BinaryIO) -> tuple[bytes, bytes]:
    try:
        function, args = pickle.loads(call)  # noqa: S301  # the parent wrote it
        _send(answers, BEGAN)
        with confine.job(seconds, memory):
            return RETURNED, pickle.dumps(function(*args), PROTOCOL)
    except BaseException as error:  # noqa: BLE001  # the parent judges it
        return RAISED, _pickled(error)


def _pickled(error: BaseException) -> bytes:
    try:
        return pickle.dumps(_portable(error), PROTOCOL)
    except Exception:  # noqa: BLE001  # an attribute has no pickle
        return pickle.dumps(_described(error), PROTOCOL)


def _portable(error: BaseException) -> BaseException:
    """Give an error that every parent knows; one of a library becomes words."""
    if isinstance(error, MediakitError):
        return error
    known = isinstance(error, Exception) and type(error) is getattr(builtins, type(error).__name__, None)
    portable = error if known else _described(error)
    portable.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    return portable


def _described(error: BaseException) -> RuntimeError:
    return RuntimeError(f"{type(error).__qualname__}: {error}")


def _send(answers: BinaryIO, kind: bytes, content: bytes = b"") -> None:
    try:
        answers.write(ANSWER.pack(kind, len(content)))
        answers.write(content)
        answers.flush()
    except OSError:  # the parent is gone
        os._exit(0)
