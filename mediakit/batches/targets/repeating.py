"""Calls a function at intervals in a thread."""

import threading
from collections.abc import Callable


class Repeating:
    """A function that is called until it is stopped or fails.

    Args:
        function: The function.
        seconds: Returns the time until the next call.
    """

    def __init__(self, function: Callable[[], None], seconds: Callable[[], float]) -> None:
        self._function = function
        self._seconds = seconds
        self._error: OSError | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mediakit-batch-target", daemon=True)
        self._thread.start()

    def raise_error(self) -> None:
        """Raise the error of the last call, if it has failed."""
        if self._error:
            raise self._error

    def stop(self) -> None:
        """Wait for a running call, and call the function no more."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds()):
            try:
                self._function()
            except OSError as error:
                self._error = error
                return
