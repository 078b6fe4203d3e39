"""A progress line on the terminal."""

import itertools
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

DELAY_SECONDS = 0.8
"""The progress line is shown only if the operation takes longer."""

FRAME_SECONDS = 0.1
SPINNER_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
ERASE_LINE = "\r\x1b[K"


@contextmanager
def progress(label: str) -> Iterator[None]:
    """Show a label and the elapsed seconds on standard error while the block runs, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    finished = threading.Event()
    thread = threading.Thread(target=_show, args=(label, finished), daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def _show(label: str, finished: threading.Event) -> None:
    start = time.monotonic()
    if finished.wait(DELAY_SECONDS):
        return
    for frame in itertools.cycle(SPINNER_FRAMES):
        sys.stderr.write(f"\r{frame} {label} {time.monotonic() - start:.0f} s ")
        sys.stderr.flush()
        if finished.wait(FRAME_SECONDS):
            break
    sys.stderr.write(ERASE_LINE)
    sys.stderr.flush()
