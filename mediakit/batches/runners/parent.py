"""Binds worker processes to the process that started them."""

import os
import signal
import threading
import time

SECONDS_BETWEEN_CHECKS = 1.0


def end_with(parent: int) -> None:
    """End this process within a second after its parent, also if the parent was killed. Ctrl-C does not end it.

    At Ctrl-C, the parent stops the batch and ends its workers. If the parent is killed, workers of loky do not notice:
    each of them holds the queue of calls open. The death signal of Linux is not used, because it comes when the
    thread that started the worker ends. On Windows, a process keeps the id of an ended parent, so workers stay.

    Args:
        parent: Process id of the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_wait_for_end, args=(parent,), name="end-with-parent", daemon=True).start()


def _wait_for_end(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_CHECKS)
    os._exit(1)
