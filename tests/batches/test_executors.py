"""Batches on executors of the standard library, and in worker processes of this machine."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import psutil
import pytest

import mediakit
from mediakit.batches import calls, runners
from mediakit.batches.calls import Group
from mediakit.batches.runners import ExecutorRunner, GroupSize
from mediakit.batches.sources.rows import Row
from mediakit.batches.work import Entry
from mediakit.errors import InvalidInput, WorkerEnded
from tests.batches.test_batch import texts

ROWS = [f"https://example.com/{number}" for number in range(40)]


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.fixture
def busy_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use worker processes for every batch, also for a short one and on one processor."""
    monkeypatch.setattr(runners, "TRIAL_SECONDS", 0)
    monkeypatch.setattr(runners, "MIN_SECONDS_LEFT", 0)
    monkeypatch.setattr(runners, "processors", lambda: 2)


def test_results_of_executor_are_those_of_calls(pool: Executor) -> None:
    made = mediakit.batch(mediakit.qr, ROWS, size=200, executor=pool)
    assert dict(made) == {f"{number:02}": mediakit.qr(row, size=200) for number, row in enumerate(ROWS, 1)}
    assert made["01"].code() == f'mediakit.qr("{ROWS[0]}", size=200)'


def test_workers_of_executor_save_their_files(pool: Executor, tmp_path: Path) -> None:
    made = mediakit.batch(mediakit.qr, [*ROWS, ""], name="{row}", to=tmp_path / "codes.zip", executor=pool)
    assert texts({name: made[name] for name in ("1", "40")}) == {"1": ROWS[0], "40": ROWS[39]}
    assert [str(failed) for failed in made.errors] == ["row 41, 41: data: must not be empty."]
    assert [row["file"] for row in made.report][:2] == ["1.png", "2.png"]


def test_executor_can_be_threads() -> None:
    with ThreadPoolExecutor(2) as threads:
        assert len(mediakit.batch(mediakit.qr, ROWS, executor=threads)) == len(ROWS)
        made = mediakit.batch(mediakit.text_repair, [{"text": "caf\u00c3\u00a9"}, {"text": "ok"}], executor=threads)
    assert [result.text for result in made.values()] == ["café", "ok"]


@pytest.mark.browser
def test_templates_are_rendered_in_worker_processes(pool: Executor) -> None:
    rows = [{"recipient": "Ada Lovelace"}, {"recipient": "Mary Somerville"}, {"recipient": ""}]
    made = mediakit.batch(mediakit.pdf, rows, template="certificate", name="{recipient}", executor=pool)
    found = {name: str(mediakit.pdf_extract(made[name]).content) for name in made}
    assert list(found) == ["Ada Lovelace", "Mary Somerville"]
    assert "Mary Somerville" in found["Mary Somerville"]
    assert [failed.row for failed in made.errors] == [3]


def test_executor_of_another_type_is_refused() -> None:
    executor: Any = "dask"
    with pytest.raises(InvalidInput, match=r"executor: must be an executor of concurrent\.futures or a dask\.dis.*str"):
        mediakit.batch(mediakit.qr, ROWS, executor=executor)


def test_calls_of_a_client_take_no_executor() -> None:
    client = mediakit.Client("http://api.test")
    with ThreadPoolExecutor(1) as threads, pytest.raises(InvalidInput, match=r"executor: the calls of a client"):
        mediakit.batch(client.qr, ROWS, executor=threads)


def test_executor_whose_worker_ended_says_how_to_continue(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        executor.submit(os.getpid).result()
        (worker,) = executor._processes
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(InvalidInput, match=r"executor: a worker process ended.*only the missing rows are made"):
            mediakit.batch(mediakit.qr, ROWS, to=tmp_path, executor=executor)


@pytest.mark.usefixtures("busy_pool")
def test_worker_that_is_killed_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    killed: list[int] = []
    send = ExecutorRunner._send  # the moment between two groups

    async def send_and_kill(self: Any, entries: Any) -> bool:
        workers = list(self._executor._processes)  # those of loky
        if workers and not killed:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)
        return await send(self, entries)

    monkeypatch.setattr(ExecutorRunner, "_send", send_and_kill)
    rows = [f"https://example.com/{number}" for number in range(2500)]
    made = mediakit.batch(mediakit.qr, rows, name="{row}", to=tmp_path)
    assert killed
    assert sorted(int(path.stem) for path in tmp_path.glob("*.png")) == list(range(1, 2501))
    assert [row["row"] for row in made.report] == list(range(1, 2501))
    assert texts({"2500": made["2500"]}) == {"2500": rows[-1]}


def test_stopped_group_makes_no_further_row_and_its_files_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runners, "STOP_SECONDS", 1.0)
    is_busy, outcome = threading.Event(), calls._outcome

    def slow_outcome(group: Any, call: Any) -> Any:
        time.sleep(0.05 if is_busy.is_set() else 0)
        return outcome(group, call)

    def wait_for_files() -> None:
        while len(list(tmp_path.glob("*.png"))) < 200:
            time.sleep(0.01)
        is_busy.set()
        time.sleep(0.2)

    async def stop_within_a_group() -> None:
        rows = (f"https://example.com/{number}" for number in range(100_000))
        running = asyncio.create_task(mediakit.batch.aio(mediakit.qr, rows, size=100, to=tmp_path, executor=threads))
        await asyncio.to_thread(wait_for_files)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    monkeypatch.setattr(calls, "_outcome", slow_outcome)
    with ThreadPoolExecutor(1) as threads:
        asyncio.run(stop_within_a_group())
    assert mediakit.last_batch is not None
    assert len(list(tmp_path.glob("*.png"))) == len(mediakit.last_batch) == len(mediakit.last_batch.report)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.usefixtures("busy_pool")
def test_interrupt_does_not_end_a_worker_that_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    new_pool = MagicMock(wraps=runners._new_pool)
    monkeypatch.setattr(runners, "_new_pool", new_pool)
    before, interrupted = set(psutil.Process().children()), list[int]()

    def interrupt_workers() -> None:  # as a terminal does, which signals all processes in the foreground
        deadline = time.monotonic() + 60
        while len(interrupted) < 2 and time.monotonic() < deadline:
            for child in set(psutil.Process().children()) - before:
                if child.pid not in interrupted and "popen_loky_posix" in " ".join(child.cmdline()):
                    child.send_signal(signal.SIGINT)
                    interrupted.append(child.pid)

    thread = threading.Thread(target=interrupt_workers)
    thread.start()
    made = mediakit.batch(mediakit.qr, ROWS * 10, size=100)
    thread.join()
    assert len(interrupted) == 2
    assert len(made) == 400
    assert new_pool.call_count == 1


PROGRAM = """
    import os, signal, sys
    import mediakit
    from mediakit.batches import runners

    runners.TRIAL_SECONDS = runners.MIN_SECONDS_LEFT = 0
    runners.processors = lambda: 2
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that has no guard for its main module."""
    code = textwrap.dedent(PROGRAM) + textwrap.dedent(program)
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=150, check=False
    )


def test_script_needs_no_guard_and_leaves_no_process() -> None:
    done = run(
        """
        import psutil
        made = mediakit.batch(mediakit.qr, [f"https://example.com/{number}" for number in range(300)])
        names = [child.name() for child in psutil.Process().children(recursive=True)]
        print(len(made), os.getpid())
        """
    )
    assert done.returncode == 0, done.stderr
    count, pid = done.stdout.split()
    assert count == "300"
    time.sleep(0.2)
    assert not [process for process in psutil.process_iter(["ppid"]) if process.info["ppid"] == int(pid)]


def test_row_that_ends_its_worker_fails_alone(tmp_path: Path) -> None:
    (tmp_path / "own_tool.py").write_text(
        textwrap.dedent(
            """
            import os
            import mediakit
            from mediakit.core.tool import tool
            from mediakit.results.files import ImageResult
            from mediakit.tools.images.qr.request import QrRequest

            @tool(QrRequest, tag="Images", raw={}, produces=("image/png",))
            def fragile(request: QrRequest) -> ImageResult:
                '''Return a code, or end the process.'''
                if request.data == "end":
                    os._exit(1)
                return mediakit.qr.run(request)
            """
        )
    )
    done = run(
        """
        sys.path.insert(0, sys.argv[1])
        os.environ["PYTHONPATH"] = os.pathsep.join([sys.argv[1], os.environ.get("PYTHONPATH", "")])
        from own_tool import fragile
        rows = ["one"] * 30 + ["end"] + ["two"] * 30
        made = mediakit.batch(fragile, rows)
        print(len(made), [(failed.row, type(failed.error).__name__, str(failed.error)) for failed in made.errors])
        """,
        str(tmp_path),
    )
    assert (
        done.stdout == f"60 [(31, {WorkerEnded.__name__!r}, 'The worker process ended while it made this row.')]\n"
    ), done.stderr


def test_groups_grow_with_fast_calls_and_shrink_at_the_end() -> None:
    size = GroupSize(1.0, groups=4, total=2000)
    row = Entry[Any](Row(1, {}, ()), "1", {}, ms=10.0)
    sizes = []
    left = 2000
    while left > 0:
        sizes.append(min(size.value, left))
        left -= sizes[-1]
        size.send(sizes[-1])
        size.measure([row] * sizes[-1])
    assert sizes[:4] == [1, 4, 16, 64]
    assert max(sizes) == 100
    assert sizes[-1] < 30
    assert len(sizes) < 45


def test_groups_shrink_although_no_group_has_returned() -> None:
    size = GroupSize(1.0, groups=4, total=400)
    size._size = 100
    sizes = []
    for _ in range(8):
        sizes.append(size.value)
        size.send(sizes[-1])
    assert sizes[0] == 100
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 20


def test_stopped_group_that_fails_later_prints_nothing_and_leaves_no_file(tmp_path: Path) -> None:
    printed: list[object] = []
    stop_file = tmp_path / "stop"

    async def stop_and_fail() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: printed.append(context))
        made = loop.create_future()
        runners._stop(Group(mediakit.qr, [], None, stop_file=stop_file), made)
        assert stop_file.exists()
        made.set_exception(RuntimeError("the executor was shut down"))
        await asyncio.sleep(0)
        del made
        gc.collect()

    asyncio.run(stop_and_fail())
    assert (printed, stop_file.exists()) == ([], False)
