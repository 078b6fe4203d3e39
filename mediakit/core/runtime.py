"""The background event loop: one thread that owns what outlives a call (the browser, a server in a kernel).

Sync code calls `runtime.run(...)`, async code awaits `runtime.wait(...)`, with or without an event loop of its own.
"""

import asyncio
import atexit
import concurrent.futures
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Generic, TypeVar

import anyio

T = TypeVar("T")
Callback = Callable[[], Awaitable[None]]

INTERRUPT_POLL_SECONDS = 0.2
"""How often a waiting caller checks for an interrupt."""

CLEANUP_TIMEOUT_SECONDS = 1.0
"""How long an interrupted call may clean up before its caller continues without it."""

STOP_TIMEOUT_SECONDS = 5.0
"""How long the loop may take to stop, including its callbacks, before the process exits without it."""

logger = logging.getLogger(__name__)


class Runtime:
    """An event loop in a daemon thread. It starts with the first call and stops with the interpreter.

    A forked process gets a loop of its own.
    """

    def __init__(self) -> None:
        self._reset()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped: asyncio.Future[None] | None = None
        self._callbacks: list[Callback] = []

    @property
    def inside(self) -> bool:
        """Whether the caller runs on the background loop."""
        return threading.current_thread() is self._thread

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the background loop and return its result. Call it from any other thread.

        An interrupt cancels the coroutine, which has `CLEANUP_TIMEOUT_SECONDS` to clean up.

        Raises:
            RuntimeError: The caller is on the background loop itself, so the call could never return.
        """
        if self.inside:
            coroutine.close()
            raise RuntimeError(
                "This code runs on mediakit's own event loop: await the call's `.aio(...)` form instead."
            )
        work = _Work(coroutine)
        try:
            self._start(work)
            # On Windows, Ctrl-C is handled only between two waits.
            while not work.wait(INTERRUPT_POLL_SECONDS):
                pass
        except BaseException:
            work.cancel()
            work.wait(CLEANUP_TIMEOUT_SECONDS)
            raise
        return work.outcome.result()

    async def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the background loop and return its result. Await it from any event loop.

        Cancelling the caller cancels the coroutine, which has `CLEANUP_TIMEOUT_SECONDS` to clean up.
        """
        if self.inside:
            return await coroutine
        work = _Work(coroutine)
        finished = work.finished()
        try:
            self._start(work)
            # The loop of a kernel handles an interrupt only between two events.
            while not finished.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(finished.wait(), INTERRUPT_POLL_SECONDS)
        except asyncio.CancelledError:
            work.cancel()
            with anyio.move_on_after(CLEANUP_TIMEOUT_SECONDS, shield=True):
                await finished.wait()
            raise
        finally:
            work.cancel()
        return work.outcome.result()

    def at_exit(self, callback: Callback) -> None:
        """Register a callback that is awaited on the loop before it stops; the last one registered runs first."""
        with self._lock:
            self._callbacks.append(callback)

    def stop(self) -> None:
        """Await the callbacks, cancel running coroutines and end the thread. The next call starts a new one."""
        with self._lock:
            loop, thread, stopped = self._loop, self._thread, self._stopped
            self._loop = self._stopped = None
        if loop and thread and stopped:
            loop.call_soon_threadsafe(stopped.set_result, None)
            thread.join(STOP_TIMEOUT_SECONDS)
        atexit.unregister(self.stop)

    def _start(self, work: "_Work[Any]") -> None:
        # The lock prevents a start on a loop that is being stopped.
        with self._lock:
            work.start(self._loop or self._start_loop())

    def _start_loop(self) -> asyncio.AbstractEventLoop:
        if sys.platform == "win32":  # ipykernel makes the selector loop the default, which cannot start processes
            loop: asyncio.AbstractEventLoop = asyncio.ProactorEventLoop()
        else:
            loop = asyncio.new_event_loop()
        self._stopped = loop.create_future()
        self._thread = threading.Thread(target=self._run_loop, args=(loop, self._stopped), name="mediakit", daemon=True)
        self._thread.start()
        self._loop = loop
        atexit.register(self.stop)
        return loop

    def _run_loop(self, loop: asyncio.AbstractEventLoop, stopped: asyncio.Future[None]) -> None:
        runner = asyncio.Runner(loop_factory=lambda: loop)
        try:
            runner.run(self._until(stopped))
        finally:
            # When Python 3.12 exits, its threads have ended, and asyncio cannot start the one that waits for them.
            with suppress(RuntimeError):
                runner.close()

    async def _until(self, stopped: asyncio.Future[None]) -> None:
        await stopped
        while self._callbacks:
            callback = self._callbacks.pop()
            try:
                await callback()
            except Exception:  # the other callbacks still have to run
                logger.exception("A callback failed while the background loop stopped.")


class _Work(Generic[T]):
    """A coroutine on the background loop, as seen from other threads.

    `outcome` is set when the coroutine has ended, including its cleanup, even if it was cancelled. The object exists
    before the coroutine starts, so that an interrupt at any moment can cancel it.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self.outcome: concurrent.futures.Future[T] = concurrent.futures.Future()
        self._coroutine = coroutine
        # An interrupt can occur between any two lines of Python; a plain lock stays consistent.
        self._running = threading.Lock()
        self._running.acquire()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[T] | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the coroutine on a loop."""
        self._loop = loop
        loop.call_soon_threadsafe(self._begin)

    def cancel(self) -> None:
        """Cancel the coroutine, whether it has started or not."""
        if self.outcome.done():
            return
        if self._loop is None:
            self._coroutine.close()
            self.outcome.set_exception(asyncio.CancelledError())
            return
        with suppress(RuntimeError):  # the loop has just closed
            self._loop.call_soon_threadsafe(self._cancel)

    def wait(self, timeout: float) -> bool:
        """Wait until the coroutine has ended or the timeout has passed; return whether it has ended."""
        if not self.outcome.done() and not self._running.acquire(timeout=timeout):
            return False
        return self.outcome.done()

    def finished(self) -> asyncio.Event:
        """Return an event of the running loop that is set together with the outcome."""
        loop, event = asyncio.get_running_loop(), asyncio.Event()

        def wake(_: concurrent.futures.Future[T]) -> None:
            with suppress(RuntimeError):  # the waiting loop is gone
                loop.call_soon_threadsafe(event.set)

        self.outcome.add_done_callback(wake)
        return event

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._coroutine)
        self._task.add_done_callback(self._end)

    def _cancel(self) -> None:
        if self._task:
            self._task.cancel()

    def _end(self, task: asyncio.Task[T]) -> None:
        if task.cancelled():
            self.outcome.set_exception(asyncio.CancelledError())
        elif error := task.exception():
            self.outcome.set_exception(error)
        else:
            self.outcome.set_result(task.result())
        self._running.release()


runtime = Runtime()
"""The process's background loop."""
