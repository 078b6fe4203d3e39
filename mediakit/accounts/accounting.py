"""The accounts of a server for its event loop: one thread, and one round trip for all calls that wait.

While the thread waits for the database or Redis, further requests of the event loop collect in its queue. It then
executes all of them together::

    admit     keys of all waiting calls: one query; their rate limits: one request to Redis
    reserve   mostly without the thread (see `credits`)
    commit    charges of all waiting calls: one transaction
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from mediakit.accounts.credits import Credits
from mediakit.accounts.keys import Keys, Principal
from mediakit.accounts.leases import Hold
from mediakit.accounts.ledger import Outcome
from mediakit.accounts.rate_limits import RateLimits, RateStatus
from mediakit.accounts.settlement import Commit, Operation, Release, Reserve
from mediakit.errors import MediakitError, TooManyRequests
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


@dataclass(eq=False)
class _Admit(Operation[Admission]):
    key: str


@dataclass(eq=False, slots=True)
class _Job:
    operation: Operation[Any]
    future: "asyncio.Future[Any]"


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
        return await self._execute(_Admit(key))

    async def reserve(self, principal: Principal, hold_seconds: float) -> Hold:
        """Hold one credit for a call that is about to start.

        Raises:
            CreditsUsedUp: All credits of the month are used or held.
            ServerBusy: The database does not respond.
        """
        if hold := self._credits.try_reserve(principal, hold_seconds):
            return hold
        return await self._execute(Reserve(principal, hold_seconds))

    async def commit(self, hold: Hold, outcome: Outcome) -> Usage:
        """Charge a call that succeeded, and return the usage after it.

        Raises:
            CreditsUsedUp: The hold has ended, and another call has used its credit.
            ServerBusy: The database does not respond.
        """
        return await self._execute(Commit(hold, outcome))

    async def release(self, hold: Hold) -> None:
        """Release the credit of a call that failed."""
        if not self._credits.try_release(hold):
            await self._execute(Release(hold))

    def close(self) -> None:
        """Execute the waiting operations, and stop the thread."""
        if self._thread:
            self._queue.put(None)
            self._thread.join()

    async def _execute(self, operation: Operation[T]) -> T:
        """Wait for an operation. Cancellations take effect after it, so that its outcome is always known."""
        job = _Job(operation, asyncio.get_running_loop().create_future())
        self._queue.put(job)
        if self._thread is None:
            self._start()
        try:
            await asyncio.shield(job.future)
        except asyncio.CancelledError:
            while not job.future.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([job.future])
            raise
        return operation.result()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mediakit-accounting", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        is_running = True
        while is_running:
            jobs: list[_Job] = []
            is_running = self._collect(jobs)
            admissions = [job for job in jobs if isinstance(job.operation, _Admit)]
            others = [job for job in jobs if not isinstance(job.operation, _Admit)]
            self._deliver(self._admit, admissions)
            self._deliver(self._credits.execute, others)

    def _collect(self, jobs: list[_Job]) -> bool:
        """Wait for a job, and add all waiting jobs; return whether the thread continues."""
        job = self._queue.get()
        while job:
            jobs.append(job)
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return True
        return False

    def _deliver(self, execute: Callable[[Sequence[Any]], None], jobs: Sequence[_Job]) -> None:
        if not jobs:
            return
        operations = [job.operation for job in jobs]
        try:
            execute(operations)
        except Exception as error:  # noqa: BLE001  # each call reports it
            for operation in operations:
                if not operation.is_done:
                    operation.error = error
        by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        for job in jobs:
            by_loop.setdefault(job.future.get_loop(), []).append(job)
        for loop, of_loop in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, of_loop)

    def _admit(self, admissions: Sequence[_Admit]) -> None:
        verified = []
        for admission, principal in zip(
            admissions, self._keys.authenticate_many([each.key for each in admissions]), strict=True
        ):
            if not isinstance(principal, Principal):
                admission.error = principal
            elif principal.verified:
                verified.append((admission, principal))
            else:
                admission.value = Admission(principal, None, principal.not_verified())
        rates = self._rates.count_requests([principal for _, principal in verified])
        for (admission, principal), rate in zip(verified, rates, strict=True):
            if isinstance(rate, TooManyRequests):
                admission.value = Admission(principal, None, rate)
            else:
                admission.value = Admission(principal, rate)


def _resolve(jobs: Iterable[_Job]) -> None:
    for job in jobs:
        if not job.future.done():
            job.future.set_result(None)
