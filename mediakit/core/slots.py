"""A limit on simultaneous jobs, with a bounded queue that is fair to the accounts that share it."""

import asyncio
import math
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mediakit.errors import ServerBusy, TooManyRequests

if TYPE_CHECKING:
    from mediakit.settings import Plan

SMOOTHING = 0.2
"""Weight of the latest job in the moving average of durations."""

MAX_WAIT_SECONDS = 30.0
"""Time for which a job of an account waits for a slot."""

BUDGET_WINDOW_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Caller:
    """The account for which a job runs."""

    account: str
    plan: "Plan"
    slot_seconds: int
    """Time for which its jobs can hold slots in any 60 seconds, also jobs that fail."""


current_caller: ContextVar[Caller | None] = ContextVar("mediakit_caller", default=None)
"""Whose shares and budget the jobs of this context use; None for jobs without limits, such as those of a notebook."""


class Slots:
    """Lets a number of jobs run at the same time; further jobs wait, and accounts take turns.

    An account never holds all slots of several, and at most half of them while others wait. It has at most half of the
    queue.
    """

    def __init__(self, slots: int, queue: int) -> None:
        self.slots = slots
        """Number of jobs that can run at the same time."""
        self.queue = queue
        """Number of jobs that can wait."""
        self.taken = 0
        """Number of running jobs."""
        self._running: Counter[Caller | None] = Counter()
        self._turns: dict[Caller | None, deque[asyncio.Future[None]]] = {}
        """Waiting jobs; the account whose turn is next comes first."""
        self._spent: dict[Caller, deque[tuple[float, float]]] = {}
        """Time of the end, and duration, of the latest jobs of each account."""
        self._seconds = 1.0

    @property
    def waiting(self) -> int:
        """Number of jobs in the queue."""
        return sum(map(len, self._turns.values()))

    @property
    def retry_after(self) -> int:
        """Estimated seconds until a slot is free, 1 to 30, from the duration of recent jobs."""
        return min(max(math.ceil(self._seconds * (self.waiting + 1) / self.slots), 1), 30)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot, after waiting for one if none is free.

        Raises:
            ServerBusy: The queue is full, or the account has waited for 30 seconds.
            TooManyRequests: The jobs of the account held slots for all the time that its plan has in a minute.
        """
        caller = current_caller.get()
        if caller:
            self._require_budget(caller)
        await self._take(caller)
        began = time.monotonic()
        try:
            yield
        finally:
            now = time.monotonic()
            self._seconds += SMOOTHING * (now - began - self._seconds)
            if caller:
                self._spent.setdefault(caller, deque()).append((now, now - began))
            self._release(caller)

    async def _take(self, caller: Caller | None) -> None:
        turns = self._turns.setdefault(caller, deque())
        turn = asyncio.get_running_loop().create_future()
        turns.append(turn)
        self._start_next()
        if turn.done():
            return
        if self.waiting > self.queue or (caller and len(turns) > max(1, self.queue // 2)):
            self._leave(caller, turn)
            raise self._busy()
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS if caller else None):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._release(caller)
            else:
                self._leave(caller, turn)
            if isinstance(error, TimeoutError):
                raise self._busy() from None
            raise

    def _start_next(self) -> None:
        """Start jobs while there are free slots, one of each account in turn."""
        while self.taken < self.slots:
            ready = [each for each in self._turns if self._has_share(each)]
            if not ready:
                return
            caller = ready[0]
            turns = self._turns.pop(caller)
            turn = turns.popleft()
            if turns:
                self._turns[caller] = turns
            if not turn.done():  # its job was cancelled
                self.taken += 1
                self._running[caller] += 1
                turn.set_result(None)

    def _has_share(self, caller: Caller | None) -> bool:
        """Return whether an account may hold another slot."""
        if caller is None:
            return True
        share = self.slots // 2 if len(self._turns) > 1 else self.slots - 1
        return self._running[caller] < max(1, share)

    def _release(self, caller: Caller | None) -> None:
        self.taken -= 1
        self._running[caller] -= 1
        if not self._running[caller]:
            del self._running[caller]
        self._start_next()

    def _leave(self, caller: Caller | None, turn: "asyncio.Future[None]") -> None:
        """Remove a job from the queue."""
        turns = self._turns.get(caller, deque())
        if turn in turns:
            turns.remove(turn)
        if not turns:
            self._turns.pop(caller, None)

    def _busy(self) -> ServerBusy:
        seconds = self.retry_after
        unit = "second" if seconds == 1 else "seconds"
        return ServerBusy(f"The server is busy. Try again in {seconds} {unit}.", retry_after=seconds)

    def _require_budget(self, caller: Caller) -> None:
        now = time.monotonic()
        for each, jobs in list(self._spent.items()):
            while jobs and jobs[0][0] <= now - BUDGET_WINDOW_SECONDS:
                jobs.popleft()
            if not jobs:
                del self._spent[each]
        spent, free_at = sum(seconds for _, seconds in self._spent.get(caller, ())), now
        for end, seconds in self._spent.get(caller, ()):
            if spent < caller.slot_seconds:
                break
            spent, free_at = spent - seconds, end + BUDGET_WINDOW_SECONDS
        if free_at == now:
            return
        wait = math.ceil(free_at - now)
        raise TooManyRequests(
            f"The calls of this account ran for {caller.slot_seconds} seconds within a minute, the limit of the "
            f"{caller.plan} plan. Try again in {wait} second{'' if wait == 1 else 's'}.",
            plan=caller.plan,
            limit=caller.slot_seconds,
            retry_after=wait,
        )
