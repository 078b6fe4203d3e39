"""A line on the terminal while something lasts."""

import itertools
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

QUIET_SECONDS = 0.8
"""What ends sooner shows nothing."""


@contextmanager
def progress(label: str) -> Iterator[None]:
    """Show a label and the seconds so far on standard error, if that is a terminal and it takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_spin, args=(label, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _spin(label: str, done: threading.Event) -> None:
    began = time.monotonic()
    if done.wait(QUIET_SECONDS):
        return
    for mark in itertools.cycle("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"):
        sys.stderr.write(f"\r{mark} {label} {time.monotonic() - began:.0f} s ")
        sys.stderr.flush()
        if done.wait(0.1):
            break
    sys.stderr.write("\r\x1b[K")
    sys.stderr.flush()
