"""Connections to PostgreSQL that end if the server, or a proxy in front of it, is frozen."""

import time
from typing import Any

import psycopg

RESPONSE_TIMEOUT_SECONDS = 7.0
"""Time for a response. PostgreSQL ends statements after 5 seconds itself, unless it is frozen."""


class DeadlineConnection(psycopg.Connection[Any]):
    """A connection that is closed when a response takes too long. A frozen server keeps TCP connections alive."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for a response.

        Raises:
            OperationalError: There was no response in time.
        """
        deadline = time.monotonic() + RESPONSE_TIMEOUT_SECONDS
        try:
            return super().wait(gen, interval, timeout or RESPONSE_TIMEOUT_SECONDS)
        except psycopg.OperationalError:
            if time.monotonic() >= deadline:
                self.pgconn.finish()  # a rollback would wait again
            raise
