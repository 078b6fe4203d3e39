"""Workers: whatever a job does, its caller gets an answer or a clear error, and nothing is left behind."""

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from mediakit.core.runtime import runtime
from mediakit.engines import workers
from mediakit.engines.workers.job import Job
from mediakit.engines.workers.pool import Pool
from mediakit.errors import CreditsUsedUp, InvalidInput, MediakitError, ResourcesTimeout
from tests.support import worker_jobs

pytestmark = pytest.mark.anyio
linux = pytest.mark.skipif(sys.platform != "linux", reason="this system does not bound memory")

PATIENCE = 20.0
"""Seconds within which what must happen does, on a busy machine."""


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    """Two workers of the test's own."""
    made = Pool(2)
    yield made
    await made.close()


def call(function: Callable[..., Any], *args: Any, seconds: float = 20.0, memory: int = workers.MEMORY) -> Job:
    return Job.of(function, args, seconds=seconds, memory=memory)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110  # of another process
            await asyncio.sleep(0.02)


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def script(text: str, *args: str) -> subprocess.Popen[str]:
    """Start a script whose warnings are errors."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(text), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


async def test_gives_what_the_function_returns() -> None:
    assert await workers.run(worker_jobs.add, 20, 22) == 42


async def test_works_in_another_process_and_keeps_it(pool: Pool) -> None:
    first = await pool.run(call(worker_jobs.pid))
    assert first != os.getpid()
    assert await pool.run(call(worker_jobs.pid)) == first


async def test_carries_large_files_both_ways(pool: Pool) -> None:
    content = os.urandom(1000) * 30_000
    assert await pool.run(call(worker_jobs.echo, content)) == content


async def test_waiting_in_line_has_no_deadline(pool: Pool) -> None:
    job = call(worker_jobs.sleep, 0.2, seconds=5.0)
    answers = await asyncio.gather(*(pool.run(job) for _ in range(10)))
    assert len(set(answers)) == 2


async def test_200_jobs_at_once_are_all_done_by_a_few_processes(pool: Pool) -> None:
    answers = await asyncio.gather(*(pool.run(call(worker_jobs.add, number, 1)) for number in range(200)))
    assert answers == list(range(1, 201))
    assert len(pool.workers) == 2


async def test_who_comes_first_is_served_first() -> None:
    pool = Pool(1)
    done: list[int] = []

    async def note(number: int) -> None:
        done.append(await pool.run(call(worker_jobs.add, number, 0)))

    await asyncio.gather(*(note(number) for number in range(50)))
    assert done == list(range(50))
    await pool.close()


@pytest.mark.parametrize("function", [worker_jobs.sleep, worker_jobs.hold_the_lock], ids=["sleep", "lock"])
async def test_a_hanging_job_is_killed_at_its_deadline_and_replaced(pool: Pool, function: Callable[..., Any]) -> None:
    before = await pool.run(call(worker_jobs.pid))
    args = (60,) if function is worker_jobs.sleep else ()
    with pytest.raises(workers.TookTooLong, match=r"more than 0\.3 seconds"):
        await pool.run(call(function, *args, seconds=0.3))
    await until(lambda: gone(before))
    assert await pool.run(call(worker_jobs.pid)) != before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
async def test_a_crash_is_told_with_its_signal(pool: Pool, number: signal.Signals) -> None:
    with pytest.raises(workers.Crashed, match=number.name):
        await pool.run(call(worker_jobs.die, int(number)))
    assert await pool.run(call(worker_jobs.add, 1, 1)) == 2


async def test_a_job_that_ends_its_process_is_a_crash(pool: Pool) -> None:
    with pytest.raises(workers.Crashed, match="exit status 3"):
        await pool.run(call(worker_jobs.leave))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
async def test_a_worker_killed_while_it_rests_costs_no_job(pool: Pool) -> None:
    os.kill(await pool.run(call(worker_jobs.pid)), signal.SIGKILL)
    assert await pool.run(call(worker_jobs.add, 1, 1)) == 2


@linux
@pytest.mark.parametrize(("function", "args"), [(worker_jobs.eat, (3_000_000_000,)), (worker_jobs.nibble, ())])
async def test_a_memory_bomb_is_stopped_at_its_limit(
    pool: Pool, function: Callable[..., Any], args: tuple[int, ...]
) -> None:
    with pytest.raises(workers.OutOfMemory, match="more than 300 MB"):
        await pool.run(call(function, *args, memory=300_000_000))
    assert await pool.run(call(worker_jobs.eat, 100_000_000, memory=300_000_000)) == 100_000_000


async def test_cancelling_a_call_kills_its_worker_alone(pool: Pool, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    doomed = asyncio.ensure_future(pool.run(call(worker_jobs.tell_and_sleep, str(told), 60)))
    other = asyncio.ensure_future(pool.run(call(worker_jobs.sleep, 1.0)))
    await until(told.exists)
    doomed.cancel()
    with pytest.raises(asyncio.CancelledError):
        await doomed
    await until(lambda: gone(int(told.read_text())))
    assert await other in {worker.pid for worker in pool.workers}


async def test_a_call_that_is_cancelled_in_line_disturbs_nobody(pool: Pool) -> None:
    busy = [asyncio.ensure_future(pool.run(call(worker_jobs.sleep, 0.5))) for _ in range(2)]
    await asyncio.sleep(0.01)
    waiting = asyncio.ensure_future(pool.run(call(worker_jobs.pid)))
    await asyncio.sleep(0.01)
    waiting.cancel()
    assert {await job for job in busy} == {worker.pid for worker in pool.workers}


async def test_cancelling_from_another_loop_reaches_the_worker(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    doomed = asyncio.ensure_future(workers.run(worker_jobs.tell_and_sleep, str(told), 60, seconds=60))
    await until(told.exists)
    doomed.cancel()
    with pytest.raises(asyncio.CancelledError):
        await doomed
    await until(lambda: gone(int(told.read_text())))


@pytest.mark.parametrize(
    ("kind", "error", "attributes"),
    [
        ("input", InvalidInput, {"details": [{"field": "file", "message": "is empty."}]}),
        ("hosts", ResourcesTimeout, {"hosts": ["example.com"]}),
        ("credits", CreditsUsedUp, {"plan": "free", "limit": 50, "retry_after": 9}),
    ],
)
async def test_errors_of_mediakit_come_back_as_themselves(
    pool: Pool, kind: str, error: type[MediakitError], attributes: dict[str, object]
) -> None:
    with pytest.raises(error) as raised:
        await pool.run(call(worker_jobs.fail, kind))
    assert type(raised.value) is error
    assert attributes.items() <= vars(raised.value).items()
    assert raised.value.body() == pickle.loads(pickle.dumps(raised.value)).body()


async def test_errors_of_python_come_back_with_the_worker_s_traceback(pool: Pool) -> None:
    with pytest.raises(ZeroDivisionError, match="division by zero") as raised:
        await pool.run(call(worker_jobs.fail, "builtin"))
    assert "worker_jobs.py" in raised.value.__notes__[0]


async def test_errors_of_libraries_come_back_as_words(pool: Pool) -> None:
    with pytest.raises(RuntimeError, match="ForeignError: a library's own words"):
        await pool.run(call(worker_jobs.fail, "foreign"))


async def test_a_job_that_exits_politely_is_an_error_of_the_job(pool: Pool) -> None:
    before = await pool.run(call(worker_jobs.pid))
    with pytest.raises(RuntimeError, match="SystemExit: 4"):
        await pool.run(call(worker_jobs.exit_politely))
    assert await pool.run(call(worker_jobs.pid)) == before


async def test_an_answer_runs_nothing_in_the_parent(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(workers.Crashed, match="is not taken from a worker"):
        await pool.run(call(worker_jobs.planted, str(tmp_path / "owned")))
    assert not (tmp_path / "owned").exists()


async def test_objects_of_other_classes_are_not_taken(pool: Pool) -> None:
    with pytest.raises(workers.Crashed, match=r"tests\.worker_jobs\.Foreign is not taken"):
        await pool.run(call(worker_jobs.foreign))


async def test_a_function_of_a_script_is_refused_with_the_mend() -> None:
    def own() -> None: ...

    with pytest.raises(ValueError, match="cannot be sent to a worker"):
        await workers.run(own)
    own.__module__ = "__main__"
    with pytest.raises(ValueError, match="put it into one that can be imported"):
        await workers.run(own)


def test_what_a_worker_says_goes_nowhere() -> None:
    process = script("""
        from mediakit.core.runtime import runtime
        from mediakit.engines import workers
        from tests.support import worker_jobs
        print(runtime.run(workers.run(worker_jobs.speak)))
    """)
    assert process.communicate(timeout=60)[0] == "done\n"


async def test_an_interrupt_does_not_reach_a_worker(pool: Pool) -> None:
    assert await pool.run(call(worker_jobs.interrupt)) == "still here"
    if sys.platform != "win32":
        pid, session = await pool.run(call(worker_jobs.session))
        assert pid == session != os.getsid(0)


async def test_a_worker_knows_no_settings_of_its_parent(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_DATABASE_URL", "postgresql://user:secret@db/accounts")
    known = await pool.run(call(worker_jobs.environment))
    assert "PATH" in known
    assert not any(name.startswith("MEDIAKIT_") for name in known)


async def test_libraries_in_a_worker_keep_to_its_one_core(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    known = await pool.run(call(worker_jobs.environment))
    assert known["OMP_NUM_THREADS"] == known["OPENBLAS_NUM_THREADS"] == "1"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may surely cut the network")
@linux
async def test_a_worker_has_no_network(pool: Pool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert worker_jobs.reach(listening.getsockname())
        assert not await pool.run(call(worker_jobs.reach, listening.getsockname()))


async def test_an_idle_worker_is_stopped() -> None:
    pool = Pool(1, idle=0.05)
    pid = await pool.run(call(worker_jobs.pid))
    await until(lambda: gone(pid))
    assert not pool.workers
    assert await pool.run(call(worker_jobs.pid)) != pid
    await pool.close()


async def test_a_worker_is_replaced_after_its_share_of_jobs() -> None:
    pool = Pool(1, lifetime=3)
    pids = [await pool.run(call(worker_jobs.pid)) for _ in range(9)]
    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [3, 3, 3]
    await pool.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
@pytest.mark.parametrize("job", ["worker_jobs.tell_and_sleep, told, 2", "worker_jobs.tell_and_hold_the_lock, told"])
async def test_a_parent_killed_at_once_leaves_no_worker(tmp_path: Path, job: str) -> None:
    told = tmp_path / "pid"
    process = script(
        f"""
        import sys
        from mediakit.core.runtime import runtime
        from mediakit.engines import workers
        from tests.support import worker_jobs
        told = sys.argv[1]
        runtime.run(workers.run({job}, seconds=3))
        """,
        str(told),
    )
    await until(told.exists)
    process.kill()
    process.communicate()
    await until(lambda: gone(int(told.read_text())))


def test_a_script_without_a_main_guard_runs_once_and_ends_quietly(tmp_path: Path) -> None:
    path = tmp_path / "unguarded.py"
    path.write_text(
        textwrap.dedent("""
            from mediakit.core.runtime import runtime
            from mediakit.engines import workers
            from tests.support import worker_jobs
            print("once")
            print(runtime.run(workers.run(worker_jobs.add, 1, 2)))
        """)
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", path],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    assert (done.stdout, done.stderr) == ("once\n3\n", "")


def test_a_stopped_runtime_starts_workers_afresh() -> None:
    process = script("""
        from mediakit.core.runtime import runtime
        from mediakit.engines import workers
        from tests.support import worker_jobs
        pids = []
        for _ in range(2):
            pids.append(runtime.run(workers.run(worker_jobs.pid)))
            runtime.stop()
        print(len(set(pids)))
    """)
    assert process.communicate(timeout=60)[0] == "2\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_has_workers_of_its_own() -> None:
    process = script("""
        import os, warnings
        warnings.simplefilter("ignore")
        from mediakit.core.runtime import runtime
        from mediakit.engines import workers
        from tests.support import worker_jobs
        before = runtime.run(workers.run(worker_jobs.pid))
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            print(runtime.run(workers.run(worker_jobs.pid)) == before)
        else:
            print(runtime.run(workers.run(worker_jobs.pid)) != before, flush=True)
            runtime.stop()
            os._exit(0)
    """)
    assert process.communicate(timeout=60)[0] == "True\nTrue\n"


def test_the_first_call_imports_nothing_heavy_into_a_worker() -> None:
    program = "import sys, mediakit.engines.workers.child; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"asyncio", "anyio", "pydantic", "PIL", "numpy"} & set(done.stdout.split())


def test_works_without_a_loop_of_the_caller() -> None:
    assert runtime.run(workers.run(worker_jobs.add, 1, 2)) == 3
