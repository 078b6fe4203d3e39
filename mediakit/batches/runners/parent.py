"""Worker processes that end with the process that started them, and not before."""

import os
import signal
import threading
import time

SECONDS_BETWEEN_CHECKS = 1.0


def end_with(parent: int) -> None:
    """End this process soon after its parent, also if the parent was killed, but not at Ctrl-C: the parent handles it.

    The workers of loky wait for calls on a queue that each of them holds open, so they do not notice that it ended.
    The death signal of Linux would come when the thread ends that started the worker.
    Windows keeps the number of a parent that ended: workers are not ended there.

    Args:
        parent: Process id of the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_wait_for_end, args=(parent,), name="end-with-parent", daemon=True).start()


def _wait_for_end(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_CHECKS)
    os._exit(1)
