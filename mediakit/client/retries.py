"""Which calls a client repeats, and when.

Every call has an idempotency key, so the server charges a repeated call once. Temporary failures are repeated: lost
connections, responses of a proxy whose server does not respond, and a busy server. Timeouts are not repeated.
"""

import random
import time
import uuid

import httpx
from pydantic_core import from_json

from mediakit.errors import CallInProgress, InvalidInput, ServerBusy

IDEMPOTENCY_HEADER = "Idempotency-Key"
DEFAULT_RETRIES = 3
FIRST_DELAY_SECONDS = 0.25
"""Wait before the first retry; doubled for each further one."""
MAX_DELAY_SECONDS = 30.0
"""Longest wait. An error that asks for a longer one is raised."""
MAX_PROGRESS_SECONDS = 120.0
"""Time to wait for the response of an attempt that still runs after its connection was lost."""

_LOST_CONNECTION = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)
_GATEWAY_STATUSES = frozenset((502, 503, 504))


class Attempts:
    """The attempts of one call.

    Args:
        retries: Maximum number of retries; 0 sends the request once.
        key: The idempotency key; a new one by default.
    """

    def __init__(self, retries: int, key: str | None) -> None:
        self.headers = {IDEMPOTENCY_HEADER: key or str(uuid.uuid4())}
        self._left = retries
        self._delay = FIRST_DELAY_SECONDS
        self._progress_deadline = time.monotonic() + MAX_PROGRESS_SECONDS if retries else 0.0

    def delay_after(self, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Return the seconds to wait before the next attempt; None if the call must not be repeated."""
        if isinstance(outcome, httpx.TransportError):
            return self._next_delay(0.0) if isinstance(outcome, _LOST_CONNECTION) else None
        wait = _retry_after(outcome)
        if outcome.status_code == CallInProgress.status:
            return wait if time.monotonic() + wait < self._progress_deadline else None
        is_temporary = outcome.status_code == ServerBusy.status or _is_from_gateway(outcome)
        return self._next_delay(wait) if is_temporary and wait <= MAX_DELAY_SECONDS else None

    def _next_delay(self, at_least: float) -> float | None:
        if not self._left:
            return None
        self._left -= 1
        delay, self._delay = self._delay, self._delay * 2
        return max(at_least, delay * random.uniform(0.5, 1.0))  # noqa: S311  # spreads clients, protects nothing


def check_retries(retries: int) -> int:
    """Return a number of retries.

    Raises:
        InvalidInput: The number is negative.
    """
    if retries < 0:
        raise InvalidInput(f"retries: must be at least 0, got {retries}.")
    return retries


def _retry_after(response: httpx.Response) -> float:
    """Return the seconds in the Retry-After header; 1 for other forms of the header, 0 without it."""
    text = response.headers.get("retry-after")
    if text is None:
        return 0.0
    return float(text) if text.isdecimal() else 1.0


def _is_from_gateway(response: httpx.Response) -> bool:
    """Return whether a proxy responded, because its server did not."""
    if response.status_code not in _GATEWAY_STATUSES:
        return False
    try:
        body = from_json(response.content)
    except ValueError:
        return True
    return not (isinstance(body, dict) and isinstance(body.get("error"), str))
