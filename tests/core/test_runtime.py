"""The background event loop: used from scripts, threads and other loops, and stopped without output."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from mediakit.core.runtime import Runtime


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime()
    yield made
    made.stop()


def script(text: str) -> subprocess.CompletedProcess[str]:
    """Run a script whose warnings are errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(text)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


async def thread_name() -> str:
    return threading.current_thread().name


class Cleanup:
    """Waits for ever; says when it began and that it cleaned up."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.ended = threading.Event()

    async def work(self) -> None:
        self.began.set()
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.05)
            self.ended.set()


def test_run_executes_coroutine_on_another_thread(runtime: Runtime) -> None:
    assert runtime.run(thread_name()) == "mediakit"
    assert threading.current_thread().name != "mediakit"


def test_run_works_inside_a_running_loop(runtime: Runtime) -> None:
    async def cell() -> str:
        return runtime.run(thread_name())

    assert asyncio.run(cell()) == "mediakit"


def test_wait_works_from_another_loop(runtime: Runtime) -> None:
    assert asyncio.run(runtime.wait(thread_name())) == "mediakit"


def test_wait_on_own_loop_awaits_directly(runtime: Runtime) -> None:
    async def task() -> asyncio.Task[object] | None:
        return asyncio.current_task()

    async def both() -> bool:
        return await runtime.wait(task()) is asyncio.current_task()

    assert runtime.run(both())


def test_threads_share_one_loop(runtime: Runtime) -> None:
    async def loop() -> int:
        await asyncio.sleep(0.01)
        return id(asyncio.get_running_loop())

    with ThreadPoolExecutor(8) as pool:
        loops = list(pool.map(lambda _: runtime.run(loop()), range(16)))

    assert len(set(loops)) == 1


@pytest.mark.parametrize("error", [ValueError("bad"), TimeoutError("slow")])
def test_run_raises_the_error_of_the_coroutine(runtime: Runtime, error: Exception) -> None:
    async def fail() -> None:
        raise error

    with pytest.raises(type(error), match=str(error)):
        runtime.run(fail())
    with pytest.raises(type(error), match=str(error)):
        asyncio.run(runtime.wait(fail()))


def test_run_on_own_loop_raises_runtime_error(runtime: Runtime) -> None:
    async def inner() -> None:
        runtime.run(thread_name())

    with pytest.raises(RuntimeError, match=r"await the call's `\.aio\(\.\.\.\)` form"):
        runtime.run(inner())


def test_interrupt_cancels_coroutine_and_waits_for_its_cleanup(runtime: Runtime) -> None:
    work = Cleanup()

    def interrupt() -> None:
        work.began.wait(10)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        runtime.run(work.work())

    assert work.ended.is_set()
    assert runtime.run(thread_name()) == "mediakit"


def test_interrupt_does_not_wait_for_endless_cleanup(runtime: Runtime) -> None:
    began, release = threading.Event(), threading.Event()

    async def stubborn() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.to_thread(release.wait, 10)

    def interrupt() -> None:
        began.wait(10)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        runtime.run(stubborn())
    release.set()


def test_cancelling_wait_cancels_coroutine(runtime: Runtime) -> None:
    work = Cleanup()

    async def cell() -> None:
        waiter = asyncio.ensure_future(runtime.wait(work.work()))
        await asyncio.to_thread(work.began.wait, 10)
        waiter.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiter

    asyncio.run(cell())

    assert work.ended.is_set()


def test_exit_callbacks_run_in_reverse_order_on_the_loop(runtime: Runtime) -> None:
    seen: list[str] = []

    async def note(word: str) -> None:
        seen.append(f"{word} on {threading.current_thread().name}")

    runtime.run(thread_name())
    runtime.at_exit(lambda: note("first"))
    runtime.at_exit(lambda: note("last"))
    runtime.stop()

    assert seen == ["last on mediakit", "first on mediakit"]


def test_runtime_starts_again_after_stop(runtime: Runtime) -> None:
    runtime.run(thread_name())
    runtime.stop()

    assert runtime.run(thread_name()) == "mediakit"


def test_stop_cancels_running_coroutines(runtime: Runtime) -> None:
    work = Cleanup()
    outcome: list[BaseException] = []

    def call() -> None:
        try:
            runtime.run(work.work())
        except asyncio.CancelledError as error:
            outcome.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    work.began.wait(10)
    runtime.stop()
    thread.join(10)

    assert work.ended.is_set()
    assert len(outcome) == 1


def test_script_with_unfinished_work_exits_without_output() -> None:
    ended = script("""
        import asyncio, threading
        from mediakit.core.runtime import runtime

        async def linger():
            asyncio.get_running_loop().lingering = asyncio.create_task(asyncio.sleep(60))
            child = await asyncio.create_subprocess_exec("sleep", "0.1", stdout=asyncio.subprocess.PIPE)
            runtime.at_exit(child.wait)
            await asyncio.to_thread(int)  # Python 3.12 starts no thread at its exit, as asyncio would to end this one

        runtime.run(linger())
        print("done")
    """)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forked_child_has_its_own_loop() -> None:
    ended = script("""
        import os, sys, threading, warnings
        from mediakit.core.runtime import runtime

        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)

        async def where():
            return threading.current_thread().name

        async def note():
            print("callback of", os.getpid() == parent, flush=True)

        parent = os.getpid()
        runtime.at_exit(note)
        print(runtime.run(where()), flush=True)
        child = os.fork()
        print(runtime.run(where()), flush=True)
        if child:
            assert os.waitpid(child, 0)[1] == 0
        sys.exit(0)
    """)

    assert ended.stderr == ""
    assert ended.returncode == 0
    assert ended.stdout.splitlines().count("mediakit") == 3
    assert ended.stdout.splitlines().count("callback of True") == 1
    assert "callback of False" not in ended.stdout
