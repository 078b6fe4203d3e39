"""Worker processes: every job returns a result or raises a clear error, and no process is left behind."""

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

import mediakit
from mediakit.core.inputs import FileBytes
from mediakit.core.runtime import runtime
from mediakit.engines import workers
from mediakit.engines.guarded import Guard
from mediakit.engines.workers import RETURNED, Job, Killed, NotStarted, PoolClosed, UnknownResult
from mediakit.engines.workers.pool import Pool, Worker, run
from mediakit.errors import CreditsUsedUp, InvalidInput, MediakitError, ResourcesTimeout, ServerBusy
from tests.support import worker_jobs
from tests.support.browser_kit import has_exited

pytestmark = pytest.mark.anyio
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")

WAIT_TIMEOUT_SECONDS = 20.0
"""Generous, for a busy machine."""


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    """Return a pool of two workers for one test."""
    pool = Pool(2)
    yield pool
    await pool.close()


def call(
    function: Callable[..., Any], *args: Any, seconds: float = 20.0, memory: int = workers.DEFAULT_MEMORY_BYTES
) -> Job:
    return Job.of(function, args, seconds=seconds, memory=memory)


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_TIMEOUT_SECONDS):
        while not condition():  # noqa: ASYNC110  # state of another process
            await asyncio.sleep(0.02)


def start_script(text: str, *args: str) -> subprocess.Popen[str]:
    """Start a Python script that treats warnings as errors."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(text), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


async def test_run_returns_result_of_function() -> None:
    assert await run(worker_jobs.add, 20, 22) == 42


async def test_function_is_named_and_imported_only_by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    assert await run("colorsys:rgb_to_hsv", 1, 1, 1, returns=tuple) == (0, 0, 1)
    assert "colorsys" not in sys.modules


async def test_result_of_another_class_than_stated_is_rejected() -> None:
    with pytest.raises(workers.Crashed, match=r"^The worker returned int, not str\.$"):
        await run("tests.support.worker_jobs:pid", returns=str)


async def test_class_that_parent_has_not_imported_is_an_internal_error(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "mediakit.engines.sql.named_tables", raising=False)
    with pytest.raises(
        UnknownResult, match=r"mediakit\.engines\.sql\.named_tables\.TableInput, which this process has not imported"
    ):
        await pool.run(call(worker_jobs.instance_of_other_module))
    assert await pool.run(call(worker_jobs.add, 1, 1)) == 2


@pytest.mark.parametrize("size", [0, 10, 3_000_000])
async def test_files_keep_their_names_on_the_way_to_worker_and_back(pool: Pool, size: int) -> None:
    file = FileBytes.named(os.urandom(size), "folder/a.pdf", Path("folder/a.pdf"))
    back = await pool.run(call(worker_jobs.echo, file))
    assert (back, type(back), back.name, back.full_name, back.path) == (file, FileBytes, "a.pdf", "folder/a.pdf", None)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_files_can_be_pickled_with_every_protocol(protocol: int) -> None:
    file = FileBytes.named(b"content", "a.pdf")
    copy = pickle.loads(pickle.dumps(file, protocol))
    assert (copy, type(copy), copy.name) == (file, FileBytes, "a.pdf")


async def test_jobs_share_one_process_that_is_not_the_parent(pool: Pool) -> None:
    first = await pool.run(call(worker_jobs.pid))
    assert first != os.getpid()
    assert await pool.run(call(worker_jobs.pid)) == first


async def test_large_files_pass_to_and_from_worker(pool: Pool) -> None:
    content = os.urandom(1000) * 30_000
    assert await pool.run(call(worker_jobs.echo, content)) == content


async def test_time_in_queue_does_not_count_toward_time_limit(pool: Pool) -> None:
    job = call(worker_jobs.sleep, 0.2, seconds=5.0)
    answers = await asyncio.gather(*(pool.run(job) for _ in range(10)))
    assert len(set(answers)) == 2


async def test_200_concurrent_jobs_are_run_by_two_processes(pool: Pool) -> None:
    answers = await asyncio.gather(*(pool.run(call(worker_jobs.add, number, 1)) for number in range(200)))
    assert answers == list(range(1, 201))
    assert len(pool.workers) == 2


async def test_jobs_run_in_first_come_first_served_order() -> None:
    pool = Pool(1)
    done: list[int] = []

    async def record(number: int) -> None:
        done.append(await pool.run(call(worker_jobs.add, number, 0)))

    await asyncio.gather(*(record(number) for number in range(50)))
    assert done == list(range(50))
    await pool.close()


@pytest.mark.parametrize("function", [worker_jobs.sleep, worker_jobs.hold_lock], ids=["sleep", "lock"])
async def test_hanging_worker_is_killed_at_time_limit_and_replaced(pool: Pool, function: Callable[..., Any]) -> None:
    before = await pool.run(call(worker_jobs.pid))
    args = (60,) if function is worker_jobs.sleep else ()
    with pytest.raises(workers.TookTooLong, match=r"more than 0\.3 seconds"):
        await pool.run(call(function, *args, seconds=0.3))
    await wait_until(lambda: has_exited(before))
    assert await pool.run(call(worker_jobs.pid)) != before


@posix
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"])
async def test_crash_in_job_raises_crashed_with_signal_name(pool: Pool, name: str) -> None:
    with pytest.raises(workers.Crashed, match=f"crashed: {name}"):
        await pool.run(call(worker_jobs.raise_signal, name))
    assert await pool.run(call(worker_jobs.add, 1, 1)) == 2


async def test_job_that_exits_its_process_raises_crashed(pool: Pool) -> None:
    with pytest.raises(workers.Crashed, match="exit status 3"):
        await pool.run(call(worker_jobs.exit_process))


@posix
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
async def test_worker_killed_from_outside_raises_killed_not_crashed(pool: Pool, tmp_path: Path, name: str) -> None:
    pid_file = tmp_path / "pid"
    running = asyncio.ensure_future(pool.run(call(worker_jobs.write_pid_and_sleep, str(pid_file), 60)))
    await wait_until(pid_file.exists)
    os.kill(int(pid_file.read_text()), getattr(signal, name))
    with pytest.raises(Killed, match=f"killed from outside: {name}"):
        await running
    assert await pool.run(call(worker_jobs.add, 1, 1)) == 2


@posix
async def test_run_raises_server_busy_when_worker_is_killed_from_outside(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    running = asyncio.ensure_future(run(worker_jobs.write_pid_and_sleep, str(pid_file), 60, seconds=60))
    await wait_until(pid_file.exists)
    os.kill(int(pid_file.read_text()), signal.SIGKILL)
    with pytest.raises(ServerBusy, match="Try again in 5 seconds") as raised:
        await running
    assert (raised.value.status, raised.value.retry_after) == (503, 5)
    assert isinstance(raised.value.__cause__, Killed)


@posix
async def test_workers_killed_before_job_starts_raise_not_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mediakit.engines.workers.pool.PROGRAM", "import os; os.kill(os.getpid(), 9)")
    pool = Pool(1)
    with pytest.raises(NotStarted):
        await pool.run(call(worker_jobs.add, 1, 1))
    await pool.close()


async def test_worker_that_sends_without_end_is_read_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
    import os
    from mediakit.engines.workers import RETURNED, START
    os.read(0, START.size)
    while True:
        os.write(1, START.pack(RETURNED, 0))
    """
    monkeypatch.setattr("mediakit.engines.workers.pool.PROGRAM", textwrap.dedent(program))
    worker = await Worker.start()
    assert await worker.run(call(worker_jobs.add, 1, 1)) == (RETURNED, None)
    await wait_until(lambda: has_exited(worker.pid))  # its pipe is not read any more
    with pytest.raises(NotStarted):  # its message does not answer another job
        await worker.run(call(worker_jobs.add, 1, 1))
    await worker.wait()


async def test_closed_pool_raises_pool_closed() -> None:
    pool = Pool(1)
    await pool.close()
    with pytest.raises(PoolClosed):
        await pool.run(call(worker_jobs.add, 1, 1))


@posix
async def test_worker_that_reaches_its_own_alarm_raises_took_too_long(pool: Pool) -> None:
    with pytest.raises(workers.TookTooLong, match="more than 20 seconds"):
        await pool.run(call(worker_jobs.raise_signal, "SIGALRM"))


@posix
async def test_job_after_idle_worker_was_killed_succeeds(pool: Pool) -> None:
    os.kill(await pool.run(call(worker_jobs.pid)), signal.SIGKILL)
    assert await pool.run(call(worker_jobs.add, 1, 1)) == 2


@linux
@pytest.mark.parametrize(
    ("function", "args"),
    [
        (worker_jobs.allocate, (3_000_000_000,)),
        (worker_jobs.allocate_array, (3_000_000_000,)),
        (worker_jobs.allocate_forever, ()),
    ],
)
async def test_job_over_memory_limit_raises_out_of_memory(
    pool: Pool, function: Callable[..., Any], args: tuple[int, ...]
) -> None:
    with pytest.raises(workers.OutOfMemory, match="more than 300 MB"):
        await pool.run(call(function, *args, memory=300_000_000))
    assert await pool.run(call(worker_jobs.allocate, 100_000_000, memory=300_000_000)) == 100_000_000


async def test_cancelling_call_kills_only_its_worker(pool: Pool, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    cancelled = asyncio.ensure_future(pool.run(call(worker_jobs.write_pid_and_sleep, str(pid_file), 60)))
    other = asyncio.ensure_future(pool.run(call(worker_jobs.sleep, 1.0)))
    await wait_until(pid_file.exists)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    await wait_until(lambda: has_exited(int(pid_file.read_text())))
    assert await other in {worker.pid for worker in pool.workers}


async def test_cancelling_queued_call_leaves_other_calls_running(pool: Pool) -> None:
    busy = [asyncio.ensure_future(pool.run(call(worker_jobs.sleep, 0.5))) for _ in range(2)]
    await asyncio.sleep(0.01)
    waiting = asyncio.ensure_future(pool.run(call(worker_jobs.pid)))
    await asyncio.sleep(0.01)
    waiting.cancel()
    assert {await job for job in busy} == {worker.pid for worker in pool.workers}


async def test_cancelling_from_another_loop_kills_worker(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    cancelled = asyncio.ensure_future(run(worker_jobs.write_pid_and_sleep, str(pid_file), 60, seconds=60))
    await wait_until(pid_file.exists)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    await wait_until(lambda: has_exited(int(pid_file.read_text())))


@pytest.mark.parametrize(
    ("kind", "error", "attributes"),
    [
        ("input", InvalidInput, {"details": [{"field": "file", "message": "is empty."}]}),
        ("hosts", ResourcesTimeout, {"hosts": ["example.com"]}),
        ("credits", CreditsUsedUp, {"plan": "free", "limit": 50, "retry_after": 9}),
    ],
)
async def test_mediakit_error_keeps_class_and_attributes(
    pool: Pool, kind: str, error: type[MediakitError], attributes: dict[str, object]
) -> None:
    with pytest.raises(error) as raised:
        await pool.run(call(worker_jobs.fail, kind))
    assert type(raised.value) is error
    assert attributes.items() <= vars(raised.value).items()
    assert raised.value.body() == pickle.loads(pickle.dumps(raised.value)).body()


async def test_builtin_exception_carries_traceback_of_worker(pool: Pool) -> None:
    with pytest.raises(ZeroDivisionError, match="division by zero") as raised:
        await pool.run(call(worker_jobs.fail, "builtin"))
    assert "worker_jobs.py" in raised.value.__notes__[0]


async def test_exception_of_library_becomes_runtime_error(pool: Pool) -> None:
    with pytest.raises(RuntimeError, match="ForeignError: message of a library"):
        await pool.run(call(worker_jobs.fail, "foreign"))


async def test_sys_exit_in_job_raises_and_keeps_worker(pool: Pool) -> None:
    before = await pool.run(call(worker_jobs.pid))
    with pytest.raises(RuntimeError, match="SystemExit: 4"):
        await pool.run(call(worker_jobs.call_sys_exit))
    assert await pool.run(call(worker_jobs.pid)) == before


async def test_malicious_response_runs_nothing_in_parent(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(workers.Crashed, match="is not accepted from a worker"):
        await pool.run(call(worker_jobs.malicious, str(tmp_path / "executed")))
    assert not (tmp_path / "executed").exists()


async def test_object_of_foreign_class_is_rejected(pool: Pool) -> None:
    with pytest.raises(workers.Crashed, match=r"tests\.support\.worker_jobs\.Foreign is not accepted"):
        await pool.run(call(worker_jobs.foreign))


async def test_function_of_script_raises_value_error_with_fix() -> None:
    def local() -> None: ...

    with pytest.raises(ValueError, match="cannot be sent to a worker"):
        await run(local)
    local.__module__ = "__main__"
    with pytest.raises(ValueError, match="must be defined in an importable module"):
        await run(local)


def test_output_of_job_is_discarded() -> None:
    process = start_script("""
        from mediakit.core.runtime import runtime
        from mediakit.engines.workers import pool as workers
        from tests.support import worker_jobs
        print(runtime.run(workers.run(worker_jobs.print_text)))
    """)
    assert process.communicate(timeout=60)[0] == "done\n"


async def test_interrupt_does_not_reach_worker(pool: Pool) -> None:
    assert await pool.run(call(worker_jobs.interrupt)) == "still running"
    if sys.platform != "win32":
        pid, session = await pool.run(call(worker_jobs.session))
        assert pid == session != os.getsid(0)


async def test_worker_environment_has_no_mediakit_settings(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_DATABASE_URL", "postgresql://user:secret@db/accounts")
    environment = await pool.run(call(worker_jobs.environment))
    assert "PATH" in environment
    assert not any(name.startswith("MEDIAKIT_") for name in environment)


async def test_worker_environment_limits_libraries_to_one_thread(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    environment = await pool.run(call(worker_jobs.environment))
    assert environment["OMP_NUM_THREADS"] == environment["OPENBLAS_NUM_THREADS"] == "1"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can always create a network namespace"
)
@linux
async def test_worker_has_no_network(pool: Pool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert worker_jobs.can_connect(server.getsockname())
        assert not await pool.run(call(worker_jobs.can_connect, server.getsockname()))


async def test_idle_worker_is_stopped() -> None:
    pool = Pool(1, idle_seconds=0.05)
    pid = await pool.run(call(worker_jobs.pid))
    await wait_until(lambda: has_exited(pid))
    assert not pool.workers
    assert await pool.run(call(worker_jobs.pid)) != pid
    await pool.close()


async def test_worker_is_replaced_after_maximum_number_of_jobs() -> None:
    pool = Pool(1, max_jobs=3)
    pids = [await pool.run(call(worker_jobs.pid)) for _ in range(9)]
    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [3, 3, 3]
    await pool.close()


def forked(function: Callable[..., Any], *args: Any, seconds: float = 20.0) -> Job:
    return Job.of(function, args, seconds=seconds, memory=workers.DEFAULT_MEMORY_BYTES, forks=True)


@pytest.fixture
async def forking_pool() -> AsyncIterator[Pool]:
    """Return a pool of one worker that forks a process for each job."""
    pool = Pool(1, prepare="tests.support.worker_jobs:import_decimal")
    yield pool
    await pool.close()


@posix
async def test_prepared_worker_forks_a_process_for_each_job(forking_pool: Pool) -> None:
    pids = [await forking_pool.run(forked(worker_jobs.pid)) for _ in range(3)]
    assert len(set(pids)) == 3
    assert await forking_pool.run(forked(worker_jobs.has_decimal))
    assert len({worker.pid for worker in forking_pool.workers} | set(pids)) == 4
    await wait_until(lambda: all(map(has_exited, pids)))


@posix
async def test_crash_of_forked_process_raises_crashed_and_next_job_succeeds(forking_pool: Pool) -> None:
    with pytest.raises(workers.Crashed, match="SIGSEGV"):
        await forking_pool.run(forked(worker_jobs.raise_signal, "SIGSEGV"))
    assert await forking_pool.run(forked(worker_jobs.add, 1, 1)) == 2


@posix
async def test_forked_process_that_exits_raises_crashed(forking_pool: Pool) -> None:
    with pytest.raises(workers.Crashed, match="exit status 3"):
        await forking_pool.run(forked(worker_jobs.exit_process))


@posix
async def test_hanging_forked_process_is_killed_at_time_limit(forking_pool: Pool, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    with pytest.raises(workers.TookTooLong):
        await forking_pool.run(forked(worker_jobs.write_pid_and_sleep, str(pid_file), 60, seconds=0.5))
    await wait_until(lambda: has_exited(int(pid_file.read_text())))
    assert await forking_pool.run(forked(worker_jobs.add, 1, 1)) == 2


@posix
@pytest.mark.parametrize(
    "job", ["worker_jobs.write_pid_and_sleep, pid_file, 2", "worker_jobs.write_pid_and_hold_lock, pid_file"]
)
async def test_worker_exits_when_parent_is_killed(tmp_path: Path, job: str) -> None:
    pid_file = tmp_path / "pid"
    process = start_script(
        f"""
        import sys
        from mediakit.core.runtime import runtime
        from mediakit.engines.workers import pool as workers
        from tests.support import worker_jobs
        pid_file = sys.argv[1]
        runtime.run(workers.run({job}, seconds=3))
        """,
        str(pid_file),
    )
    await wait_until(pid_file.exists)
    process.kill()
    process.communicate()
    await wait_until(lambda: has_exited(int(pid_file.read_text())))


def test_script_without_main_guard_runs_once_without_warnings(tmp_path: Path) -> None:
    path = tmp_path / "unguarded.py"
    path.write_text(
        textwrap.dedent("""
            from mediakit.core.runtime import runtime
            from mediakit.engines.workers import pool as workers
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


def test_stopped_runtime_starts_new_workers() -> None:
    process = start_script("""
        from mediakit.core.runtime import runtime
        from mediakit.engines.workers import pool as workers
        from tests.support import worker_jobs
        pids = []
        for _ in range(2):
            pids.append(runtime.run(workers.run(worker_jobs.pid)))
            runtime.stop()
        print(len(set(pids)))
    """)
    assert process.communicate(timeout=60)[0] == "2\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="requires os.fork")
def test_forked_process_starts_its_own_workers() -> None:
    process = start_script("""
        import os, warnings
        warnings.simplefilter("ignore")
        from mediakit.core.runtime import runtime
        from mediakit.engines.workers import pool as workers
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


def test_worker_start_imports_no_heavy_module() -> None:
    program = "import sys, mediakit.engines.workers.child; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"asyncio", "anyio", "pydantic", "PIL", "numpy"} & set(done.stdout.split())


def test_run_works_without_event_loop_of_caller() -> None:
    assert runtime.run(run(worker_jobs.add, 1, 2)) == 3


def test_every_memory_limit_of_the_package_is_one_that_workers_accept() -> None:
    names = [module.name for module in walk_packages(mediakit.__path__, "mediakit.") if "__main__" not in module.name]
    guards = [each for name in names for each in vars(import_module(name)).values() if isinstance(each, Guard)]
    assert len(guards) > 10
    assert [each for each in guards if each.memory > workers.MAX_MEMORY_BYTES] == []
