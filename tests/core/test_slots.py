"""Slots are shared fairly by accounts."""

import asyncio

import pytest

from mediakit.core import slots as module
from mediakit.core.runtime import runtime
from mediakit.core.slots import Caller, Slots, current_caller
from mediakit.errors import ServerBusy, TooManyRequests

pytestmark = pytest.mark.anyio


def caller(name: str, seconds: int = 1000) -> Caller:
    return Caller(name, "free", seconds)


class Jobs:
    """Starts jobs that hold a slot until they are ended, and records their order."""

    def __init__(self, slots: Slots) -> None:
        self.slots = slots
        self.running: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def start(self, *names: str) -> None:
        """Start jobs. The first letter of a name is the account; `-` has no limits."""
        for name in names:
            self._ends[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._run(name))
        await self.settle()

    async def end(self, *names: str) -> None:
        for name in names:
            self._ends[name].set()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    async def _run(self, name: str) -> None:
        current_caller.set(None if name[0] == "-" else caller(name[0]))
        async with self.slots.slot():
            self.running.append(name)
            await self._ends[name].wait()
            self.running.remove(name)


async def test_account_leaves_a_slot_for_others() -> None:
    jobs = Jobs(Slots(2, 64))
    await jobs.start("a1", "a2", "a3", "a4")
    assert jobs.running == ["a1"]
    await jobs.start("b1")
    assert jobs.running == ["a1", "b1"]
    await jobs.end("b1")
    assert jobs.running == ["a1"]
    await jobs.end("a1")
    assert jobs.running == ["a2"]


async def test_account_has_half_of_the_slots_while_others_wait() -> None:
    jobs = Jobs(Slots(4, 64))
    await jobs.start("a1", "a2", "a3", "a4")
    assert jobs.running == ["a1", "a2", "a3"]
    await jobs.start("b1", "b2", "b3")
    assert jobs.running == ["a1", "a2", "a3", "b1"]
    await jobs.end("a1")
    assert jobs.running == ["a2", "a3", "b1", "b2"]


async def test_accounts_take_turns() -> None:
    jobs, order = Jobs(Slots(1, 64)), []
    await jobs.start("a1", "a2", "a3", "b1", "b2", "c1")
    for _ in range(6):
        order += jobs.running
        await jobs.end(*jobs.running)
    assert order == ["a1", "a2", "b1", "c1", "a3", "b2"]


async def test_single_slot_and_jobs_without_an_account_use_all_slots() -> None:
    jobs = Jobs(Slots(2, 64))
    await jobs.start("-1", "-2", "-3")
    assert jobs.running == ["-1", "-2"]
    one = Jobs(Slots(1, 64))
    await one.start("a1")
    assert one.running == ["a1"]


async def test_account_has_half_of_the_queue() -> None:
    jobs = Jobs(Slots(2, 4))
    await jobs.start("a1", "a2", "a3", "a4")
    with pytest.raises(ServerBusy, match=r"Try again in \d+ second"):
        await jobs.tasks["a4"]
    await jobs.start("b1", "b2", "b3", "b4", "c1")
    with pytest.raises(ServerBusy):
        await jobs.tasks["c1"]
    assert jobs.slots.waiting == 4


async def test_cancelled_jobs_leave_the_queue_and_free_their_slots() -> None:
    jobs = Jobs(Slots(1, 64))
    await jobs.start("a1", "b1", "c1")
    jobs.tasks["b1"].cancel()
    await jobs.settle()
    assert (jobs.slots.waiting, jobs.slots.taken) == (1, 1)
    await jobs.end("a1")
    assert jobs.running == ["c1"]
    jobs.tasks["c1"].cancel()
    await jobs.settle()
    assert (jobs.slots.waiting, jobs.slots.taken) == (0, 0)


async def test_job_cancelled_as_its_turn_comes_frees_the_slot() -> None:
    jobs = Jobs(Slots(1, 64))
    await jobs.start("a1", "b1", "c1")
    jobs._ends["a1"].set()
    await asyncio.sleep(0)  # a1 ends, and b1 gets the slot
    jobs.tasks["b1"].cancel()
    await jobs.settle()
    assert jobs.running == ["c1"]


async def test_wait_of_an_account_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAIT_SECONDS", 0.05)
    jobs = Jobs(Slots(1, 64))
    await jobs.start("-1", "a1")
    with pytest.raises(ServerBusy):
        await jobs.tasks["a1"]
    assert jobs.slots.waiting == 0
    await jobs.end("-1")
    assert jobs.slots.taken == 0


async def test_account_has_a_budget_of_slot_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    slots = Slots(2, 4)

    async def job(name: str, seconds: float) -> None:
        current_caller.set(caller(name, 40))
        async with slots.slot():
            now[0] += seconds
            if seconds == 35:
                raise ValueError(name)

    with pytest.raises(ValueError, match="a"):
        await asyncio.create_task(job("a", 35))  # a job that fails counts, too
    await asyncio.create_task(job("a", 10))
    with pytest.raises(TooManyRequests, match="ran for 40 seconds within a minute, the limit of") as error:
        await asyncio.create_task(job("a", 1))
    assert (error.value.limit, error.value.retry_after) == (40, 50)
    await asyncio.create_task(job("b", 1))
    now[0] += error.value.retry_after
    await asyncio.create_task(job("a", 1))


async def test_account_is_known_on_the_background_loop() -> None:
    async def read() -> Caller | None:
        return current_caller.get()

    async def ask(name: str) -> Caller | None:
        current_caller.set(caller(name))
        return await runtime.wait(read())

    one, other = await asyncio.gather(ask("a"), ask("b"))
    assert (one, other) == (caller("a"), caller("b"))
