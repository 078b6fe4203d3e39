"""The accounts of a server for its event loop: one thread, and one round trip for all calls that wait.

While the thread waits for the database or Redis, further requests of the event loop collect in its queue. It then
executes all of them together::

    admit              keys of all waiting calls: one query; their rate limits: one request to Redis
    reserve, commit    credits of all waiting calls: one transaction (see `credits`)
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from mediakit.accounts.credits import Credits, Hold
from mediakit.accounts.keys import Keys, Principal
from mediakit.accounts.ledger import Outcome
from mediakit.accounts.rate_limits import RateLimits, RateStatus
from mediakit.errors import InvalidKey, MediakitError, TooManyRequests
from mediakit.usage import Usage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Admission:
    """An authenticated call."""

    principal: Principal
    rate: RateStatus | None
    """The rate limit of the account; None if it has no limit, or if the call is refused."""
    refusal: MediakitError | None = None
    """Why the call is refused: the address is not verified, or the rate limit is reached."""

    def require(self) -> RateStatus | None:
        """Return the rate limit, or raise the error of a refused call."""
        if self.refusal:
            raise self.refusal
        return self.rate


@dataclass(eq=False, slots=True)
class _Job:
    execute: "Execute"
    argument: Any
    future: "asyncio.Future[Any]"


Execute = Callable[[Sequence[Any]], Sequence[Any]]
"""Executes operations together, and returns the result or the error of each."""


class Accounting:
    """Methods for the event loop that do not block it. Close it before the accounts."""

    def __init__(self, keys: Keys, credits_: Credits, rates: RateLimits) -> None:
        self._keys = keys
        self._credits = credits_
        self._rates = rates
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    async def admit(self, key: str) -> Admission:
        """Authenticate a call, and count it in the rate limit of its account.

        Raises:
            InvalidKey: The key is missing or not valid.
            ServerBusy: The database does not respond.
        """
        admission: Admission = await _result(self._enqueue(self._admit, key))
        return admission

    async def reserve(self, principal: Principal, hold_seconds: float) -> Hold:
        """Hold one credit for a call that is about to start.

        Raises:
            CreditsUsedUp: All credits of the month are used or held.
            ServerBusy: The database does not respond.
        """
        reserved = self._enqueue(self._credits.reserve_many, (principal, hold_seconds))
        try:
            hold: Hold = await _result(reserved)
        except asyncio.CancelledError:
            if isinstance(unused := reserved.result(), Hold):
                self._enqueue(self._credits.release_many, unused)
            raise
        return hold

    async def commit(self, hold: Hold, outcome: Outcome) -> Usage:
        """Charge a call that succeeded, and return the usage after it.

        Raises:
            CreditsUsedUp: The hold has ended, and another call has used its credit.
            ServerBusy: The database does not respond.
        """
        usage: Usage = await _result(self._enqueue(self._credits.commit_many, (hold, outcome)))
        return usage

    async def release(self, hold: Hold) -> None:
        """Release the credit of a call that failed."""
        await _result(self._enqueue(self._credits.release_many, hold))

    def close(self) -> None:
        """Execute the waiting operations, and stop the thread."""
        if self._thread:
            self._queue.put(None)
            self._thread.join()

    def _enqueue(self, execute: Execute, argument: Any) -> "asyncio.Future[Any]":
        """Let the thread execute an operation, and return the future of its result or its error."""
        future = asyncio.get_running_loop().create_future()
        self._queue.put(_Job(execute, argument, future))
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mediakit-accounting", daemon=True)
                self._thread.start()
        return future

    def _run(self) -> None:
        is_running = True
        while is_running:
            waiting = [self._queue.get()]
            with suppress(queue.Empty):
                while True:
                    waiting.append(self._queue.get_nowait())
            groups: dict[Execute, list[_Job]] = {}
            for job in waiting:
                if job is None:
                    is_running = False
                else:
                    groups.setdefault(job.execute, []).append(job)
            for execute, jobs in groups.items():
                _deliver(execute, jobs)

    def _admit(self, keys: Sequence[str]) -> list[Admission | InvalidKey]:
        principals = self._keys.authenticate_many(keys)
        verified = [each for each in principals if isinstance(each, Principal) and each.verified]
        rates = iter(self._rates.count_requests(verified))

        def admission(principal: Principal | InvalidKey) -> Admission | InvalidKey:
            if not isinstance(principal, Principal):
                return principal
            if not principal.verified:
                return Admission(principal, None, principal.not_verified())
            rate = next(rates)
            return Admission(principal, None, rate) if isinstance(rate, TooManyRequests) else Admission(principal, rate)

        return [admission(principal) for principal in principals]


async def _result(operation: "asyncio.Future[Any]") -> Any:
    """Return the result of an operation, or raise its error. Cancellations take effect after it."""
    result = await uncancelled(operation)
    if isinstance(result, Exception):
        raise result
    return result


async def uncancelled(work: "asyncio.Future[T]") -> T:
    """Wait for work that cannot be cancelled; cancellations of the caller take effect after it."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])
        if not work.cancelled():
            work.exception()  # read, so that asyncio does not log an error that is not awaited
        raise


def _deliver(execute: Execute, jobs: Sequence[_Job]) -> None:
    """Execute operations together, and pass the result or the error of each to its event loop."""
    try:
        results = execute([job.argument for job in jobs])
    except Exception as error:  # noqa: BLE001  # each call reports it
        results = [error] * len(jobs)
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Job, Any]]] = {}
    for job, result in zip(jobs, results, strict=True):
        by_loop.setdefault(job.future.get_loop(), []).append((job, result))
    for loop, of_loop in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve, of_loop)


def _resolve(jobs: Iterable[tuple[_Job, Any]]) -> None:
    for job, result in jobs:
        if not job.future.done():
            job.future.set_result(result)
